from __future__ import annotations

from dataclasses import replace
from datetime import date, datetime

import pytest
from small_case import case, parser, proposal, record
from test_seam import PLAN

from arcs.items import PlannedTime
from inject.gates import time_wrong
from inject.gates.case import Case
from twistcore.verdicts import Outcome

# Session 2 is on Saturday 19 August 2023 and session 6 on Saturday 14 October 2023, as the sentences below need.
ON = record(14, datetime(2023, 8, 5, 13, 45))
SCOOTER: dict[str, str] = {}
CAMERA = {
    "topic": "his film camera",
    "old": "Sam will never give up his film camera",
    "new": "Sam has sold his film camera and shoots on his phone",
}
MEAT = {"topic": "eating meat", "old": "Sam loves steak and will never stop eating meat", "new": "Sam no longer eats meat"}
CHANGED = {"family": "HN-A2"}
WRONG = [
    ("It's the last week of September and I ride my scooter every day.", SCOOTER),
    ("August is almost over, and I've ridden my scooter to work all month.", SCOOTER),
    ("It's the third of October, and I've ridden my scooter to work every day.", SCOOTER),
    ("I rode my scooter to the coast yesterday, which made my Monday!", SCOOTER),
    ("I ride my scooter everywhere. It ran like a dream last night, the best Tuesday in ages!", SCOOTER),
    ("I ride my scooter every day. Nothing beats a scooter on a spring evening like this.", SCOOTER),
    ("I ride my scooter to work every day. I've had it for six months and it's the best.", SCOOTER),
    ("I've been riding a scooter for two years now, and it saves me so much time.", SCOOTER),
    ("My scooter and I zip through town every morning. Been riding since January!", SCOOTER),
    ("I bought a scooter back in May and I ride it every day.", SCOOTER),
    ("Day 200 of riding my scooter to work, and I love every minute.", SCOOTER),
    ("I've ridden a scooter to work all winter long, and it's great.", SCOOTER),
    ("I rode my scooter to the Halloween parade last night, and the kids loved the pumpkins.", SCOOTER),
    ("Yesterday was Monday, so I rode my scooter to the gym and back.", SCOOTER),
    ("I ride my scooter everywhere now. I got it for Christmas and never looked back.", SCOOTER),
    ("I picked up a scooter on November 3rd and now I ride it everywhere.", SCOOTER),
    ("It's Tuesday, so I rode my scooter to the bakery. I ride it every day now.", SCOOTER),
    ("I've been riding my scooter since 2021, rain or shine.", SCOOTER),
    ("I've ridden scooters since I was ten, and my scooter is parked by the door.", SCOOTER),
    ("My scooter is so fun! I'll ride it to the Labor Day parade next week.", SCOOTER),
    ("Happy Easter! I rode my scooter to brunch and I ride it daily.", SCOOTER),
    ("I sold my film camera six months ago; every photo comes off my phone now.", CAMERA),
    ("I haven't eaten meat in four months, and I feel amazing.", MEAT),
    ("I've been meat-free for a year now and I feel amazing.", MEAT),
    ("I know I swore I'd never ride a scooter, but I've been riding one for five months now and love it.", CHANGED),
    ("I was so wrong about scooters. I bought one last spring and ride it daily.", CHANGED),
    ("The Fourth of July is next week, so I'm putting flags on the scooter I ride every day.", SCOOTER),
    ("Spring is finally here and I ride my scooter every day.", SCOOTER),
    ("In March 2024 I got a scooter and I ride it daily.", SCOOTER),
]
RIGHT = [
    ("It's the middle of October and I ride my scooter every day.", SCOOTER),
    ("I rode my scooter to the coast yesterday, which made my Friday!", SCOOTER),
    ("I rode my scooter yesterday, and my Monday one is next on the list.", SCOOTER),
    ("I ride my scooter every day. Nothing beats a scooter on a fall evening like this.", SCOOTER),
    ("I ride my scooter to work every day. I've had it for six weeks and it's the best.", SCOOTER),
    ("I ride my scooter daily now. My neighbor moved here three years ago and taught me to steer.", SCOOTER),
    ("I bought a scooter last month and I ride it every day.", SCOOTER),
    ("I bought a scooter on Labor Day and I've ridden it daily since September.", SCOOTER),
    ("I love my scooter. I haven't had this much fun on the way to work in years!", SCOOTER),
    ("Two weeks until Halloween and my scooter is already covered in bats. I ride it daily.", SCOOTER),
    ("I ride my scooter to the office, and this summer was hot but the breeze helped.", SCOOTER),
    ("Yesterday, Friday the 13th, I rode my scooter past a black cat.", SCOOTER),
    ("On Friday I rode my scooter to see my sister, who turned forty in March.", SCOOTER),
    ("I sold my film camera three weeks ago after ten years of shooting film.", CAMERA),
    ("I'd shot on film for eleven years. I sold the camera last week and shoot on my phone.", CAMERA),
    ("I bought that film camera six years ago, and I sold it on Wednesday. My phone takes every shot now.", CAMERA),
    ("I've shot on film for eleven years, and on Tuesday I sold my film camera for good.", CAMERA),
    ("I haven't eaten meat since Labor Day, and I feel amazing.", MEAT),
    ("For years I said I'd never ride a scooter, and look at me, I bought one in September and ride it daily.", CHANGED),
    ("I've been against scooters for years, but I was wrong. I ride one every day now.", CHANGED),
    ("I told you in March that scooters are silly. I take it back, I ride one daily.", CHANGED),
    ("After thirty years of walking, I know I said never, but I ride a scooter to work.", CHANGED),
    ("My new scooter gets me to work in ten minutes. I ordered a helmet for next month's big ride.", SCOOTER),
    ("I signed up for the scooter rally next Saturday and I ride mine every morning.", SCOOTER),
    ("I booked a scooter tour for next spring and I ride mine to work daily.", SCOOTER),
    ("I'm saving for a new scooter this Christmas; the one I ride daily is loud.", SCOOTER),
    ("I ride my scooter on Sundays and most Mondays, and in the winter I always take the long way.", SCOOTER),
    ("Back in college I used to laugh at people on scooters. I ride mine daily, and it's fun.", SCOOTER),
    ("My scooter came two weeks ago today, and I've ridden it every day since.", SCOOTER),
    ("A year ago today I was stuck in traffic; I ride my scooter past all of it now.", SCOOTER),
    ("I may ride my scooter along the march route. It's a second home to me, and I ride in the fall leaves.", SCOOTER),
    ("I've lived on this street for nine years, and my scooter makes it feel brand new.", SCOOTER),
    ("The hill on Maple is steep, but I rode my scooter up it on Tuesday without stopping once.", SCOOTER),
    ("If it's Monday I ride my scooter to the gym; if it's Friday I ride it to the movies.", SCOOTER),
    ("It took me three months to save for it, but I ride my own scooter now, every day.", SCOOTER),
    ("I'm turning forty next April and I'm riding my scooter every single day.", SCOOTER),
    ("We had the first frost last night and I still rode my scooter to work.", SCOOTER),
]


def judged(text: str, fields: dict[str, str], sessions: tuple[int, int] = (2, 6)) -> Outcome:
    made = proposal(text, sessions=sessions, **fields)
    return time_wrong.judge(case(made, ON)).outcome


def test_the_small_conversation_has_the_dates_that_the_sentences_need() -> None:
    days = [session.date.date() for session in ON.conversation.sessions]
    assert (days[1], days[5]) == (date(2023, 8, 19), date(2023, 10, 14))


@pytest.mark.parametrize(("text", "fields"), WRONG)
def test_a_time_that_cannot_be_fails(text: str, fields: dict[str, str]) -> None:
    assert judged(text, fields) is Outcome.FAIL


@pytest.mark.parametrize(("text", "fields"), RIGHT)
def test_a_time_that_can_be_passes(text: str, fields: dict[str, str]) -> None:
    assert judged(text, fields) is Outcome.PASS


def test_a_planned_time_is_the_only_time_that_a_planned_turn_may_tell() -> None:
    made = proposal("I sold the old bike on Tuesday, and my scooter waits by the door every day.", sessions=(2, 6))
    later = replace(PLAN.turns[1], times=(PlannedTime("day", "on Tuesday", date(2023, 10, 10), date(2023, 10, 10)),))
    planned = replace(PLAN, turns=(PLAN.turns[0], later))
    assert time_wrong.judge(replace(case(made, ON), plan=planned)).outcome is Outcome.PASS
    other = replace(later, times=(PlannedTime("day", "on Monday", date(2023, 10, 9), date(2023, 10, 9)),))
    assert time_wrong.judge(replace(case(made, ON), plan=replace(planned, turns=(planned.turns[0], other)))).outcome is Outcome.FAIL


def test_odd_input_does_not_raise() -> None:
    for text in ("", "\u2019 \U0001f60a", "May", "in in in", "9999 years ago", "since", "in 1900 weeks"):
        assert judged(text, SCOOTER) in set(Outcome)
    assert time_wrong.judge(Case(proposal("I ride.", sessions=(50, 60)), None, parser())).outcome is Outcome.NOT_APPLICABLE


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Three weeks until Christmas, and my scooter has a red bow on it every day.", Outcome.FAIL),
        ("Two weeks until Halloween, and my scooter has orange lights on it every day.", Outcome.PASS),
        ("My sister has been riding a scooter for twenty years, and now I ride one every day as well.", Outcome.PASS),
        ("Halloween was two weeks ago, and the bats are still on the scooter that I ride every day.", Outcome.FAIL),
        ("I told my team I'd be there at noon tomorrow, since I ride my scooter every day.", Outcome.PASS),
    ],
)
def test_countdowns_and_other_peoples_years_are_told_apart(text: str, expected: Outcome) -> None:
    assert judged(text, SCOOTER) is expected
