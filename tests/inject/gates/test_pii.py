from __future__ import annotations

from dataclasses import replace

import pytest
from small_case import case, proposal
from test_seam import PLAN

from inject.gates import pii
from twistcore.verdicts import Outcome

PERSONAL = [
    "Call me at 612-748-3390 after six.",
    "Text me, (415) 203 8841 works best.",
    "My number's +1 617 555 2368 if you need it.",
    "Ring me at five five five, two oh nine eight tonight.",
    "Write me at sam.k at gmail dot com for the recipe.",
    "It's sam_k (at) yahoo (dot) com if you want in.",
    "We moved to 42 Maple Street last fall.",
    "Drop by 1180 West 5th Avenue, the blue door.",
    "Come to 77 old mill road on Sunday.",
    "My social is 219-09-9999, don't tell.",
    "I was born on March 3, 1990 in Ohio.",
    "My date of birth is 04/12/1988.",
    "The card number is 4111 1111 1111 1111.",
    "My account number is 88213375.",
    "The door code is 4471, just come in.",
    "The gate code's 0921 for the pool.",
    "My wifi password is biscuit42.",
    "PIN is 7312 on the tablet.",
    "Send cards to P.O. Box 1182 please.",
    "Twenty-two Oak Lane, that's us now.",
    "My email's kim.lee@outlook.com",
    "The lockbox combination is 3-8-1-5.",
]
PLAIN = [
    "I ran a 10K in 52:31 and then a 5K in 24:10.",
    "It cost me $1,200 and then $350 more, so 1550 in all.",
    "We won 103-98, and the season was 2021-2022.",
    "I've read 20 books since 2014, and I'm on page 412 of 1,024.",
    "My 3 mile run down the road took 25 minutes.",
    "Call me at 555-0134 about the bike.",
    "Write to sam@example.com or evan at example dot org.",
    "The concert is at 7:30 pm on the 14th, row 12, seat 8.",
    "I turned 40 on March 3rd, and it was born of love.",
    "I looked at gmail for an hour and deleted 12000 emails.",
    "A 40 minute drive to the lake and a 12 hour way back.",
    "My score went from 1,250,000 to 3.2 million on level 42.",
    "One, two, three, four, five, six, seven, eight, and the routine starts.",
    "We have 24 lanes of 3 by 4 tiles in Route 66 style.",
    "I walked 12,487 steps and 5 miles on Main Street.",
    "Two place settings and 3 way tie; number 1 way to relax.",
    "I opened a savings account in 2019 and have the same card since 2021.",
    "The dress code is casual, and the code is clean Python 3.",
    "My membership since 2018 got me 15 free classes.",
    "The combination is great: peanut butter and jam.",
    "We're on Highway 1 with 300 miles to go.",
    "Room 1204 had a view of 5th Avenue and Park Place.",
    "First Place! 1st Place trophy, and 2 Way radios.",
    "Version 3.11.4 came out, and I got 3 stars out of 5.",
    "My gym code: be kind. The pin was shiny, 1987 on it.",
    "I've got 3 St. Bernards at home and 2 Dr. Seuss books.",
]


@pytest.mark.parametrize("text", PERSONAL)
def test_personal_data_outside_the_reserved_ranges_fails(text: str) -> None:
    assert pii.judge(case(proposal(text))).outcome is Outcome.FAIL


@pytest.mark.parametrize("text", PLAIN)
def test_prices_years_times_scores_and_reserved_data_pass(text: str) -> None:
    assert pii.judge(case(proposal(text))).outcome is Outcome.PASS


@pytest.mark.parametrize("text", ["Call me at 555-0134.", "Write to sam@example.com."])
def test_in_our_own_prose_even_reserved_data_fails(text: str) -> None:
    assert pii.judge(replace(case(proposal(text)), plan=PLAN)).outcome is Outcome.FAIL
