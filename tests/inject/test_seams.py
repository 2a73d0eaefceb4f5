"""Where an exchange can stand, and what it is told about the turns around it."""

from __future__ import annotations

from datetime import datetime

import pytest

from arcs.items import SlotKind
from inject.seams import Act, find_seams, load_cues
from inject.subjects import Kind
from locomo_patch.reader import LoadedCorpus
from twistcore.corpus import Session, Turn
from twistcore.text.parses import Parser

FILLER = "The weather is fine."
LAST = "See you soon, bye!"


def session(*texts: str, captions: dict[int, str] | None = None) -> Session:
    """A session of two speakers, with a turn before and two after the ones given."""
    said = [FILLER, *texts, FILLER, LAST]
    turns = tuple(
        Turn("conv-1", 1, place, "AB"[place % 2], text, caption=(captions or {}).get(place))
        for place, text in enumerate(said, start=1)
    )
    return Session(1, datetime(2023, 5, 8), "1:00 pm on 8 May, 2023", turns)


@pytest.fixture
def bridges(parser: Parser):
    """The bridges right after the first of the given texts."""

    def find(*texts: str, captions: dict[int, str] | None = None):
        made = session(*texts, captions=captions)
        docs = {turn.dia_id: parser.parse(turn.text) for turn in made.turns}
        return [seam for seam in find_seams(made, docs) if seam.after == 2 and seam.kind is not SlotKind.END]

    return find


def test_news_that_the_next_turn_takes_up(bridges):
    (seam,) = bridges("I finally opened my dance studio.", "Wow, your dance studio sounds great! Tell me more.")
    assert (seam.kind, seam.act, seam.subject.own) == (SlotKind.BRIDGE, Act.NEWS, "my dance studio")
    assert seam.answer == "wow"


def test_the_opener_is_who_speaks_next(bridges):
    texts = ("I finally opened my dance studio.", "Wow, your dance studio sounds great!")
    (seam,) = bridges(*texts)
    turns = session(*texts).turns
    assert seam.opener == turns[seam.after].speaker != turns[seam.after - 1].speaker


def test_a_view_that_both_share(bridges):
    (seam,) = bridges("Nature is so calming.", "Yeah, nature really helps.")
    assert (seam.act, seam.subject.kind) == (Act.VIEW, Kind.VALUE)


def test_thanks_that_are_taken(bridges):
    (seam,) = bridges("Thanks, your support means a lot to me.", "No problem! You got this.")
    assert (seam.act, seam.subject.own, seam.subject.other) == (Act.THANKS, "your support", "my support")


def test_encouragement_names_no_subject(bridges):
    (seam,) = bridges("You're doing so well, keep it up!", "Thanks! That means a lot.")
    assert (seam.act, seam.subject) == (Act.CHEER, None)


def test_praise_of_something_of_the_others(bridges):
    (seam,) = bridges("Your garden is wonderful.", "Thanks! I planted it last year.")
    assert (seam.act, seam.subject.other) == (Act.PRAISE, "my garden")


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I opened my dance studio. What do you do these days?", "Wow, your dance studio sounds great!"),
        ("I opened my dance studio, let me know your thoughts.", "Wow, your dance studio sounds great!"),
        ("I miss my dance studio since the funeral.", "Wow, your dance studio sounds great!"),
        ("I opened my dance studio.", "I'm so sorry about the accident at your dance studio."),
        ("Here's my dance studio.", "Wow, your dance studio sounds great!"),
        ("I opened my dance studio.", "They will love your dance studio."),
        ("Let's open my dance studio together.", "Okay, your dance studio sounds great!"),
        ("I opened my dance studio. Bye!", "Good luck with your dance studio."),
        ("I took my puppy to the clinic.", "Oh no, what happened to your puppy?"),
        ("He painted my studio.", "Wow, he is good with a studio!"),
    ],
)
def test_no_exchange_after_a_question_or_where_it_would_mislead(bridges, before, after):
    assert not bridges(before, after)


def test_a_picture_that_the_next_turn_talks_of(bridges):
    texts = ("I opened my dance studio.", "Wow, your dance studio looks gorgeous!")
    assert not bridges(*texts, captions={2: "a photo of a studio"})


def test_a_long_turn_covers_too_much(bridges):
    long = " ".join(["I opened my dance studio."] * 6)
    assert not bridges(long, "Wow, your dance studio sounds great!")


def test_no_worries_is_no_sad_answer(bridges):
    assert bridges("Thanks, your help means a lot.", "No worries! I'm here for you.")


@pytest.mark.parametrize(
    "last", ["Are you coming?", "Bye, take care!", "I'm so sad about the accident.", "Keep it up, you got this!"]
)
def test_a_session_that_has_closed_or_waits_for_an_answer_has_no_end_seam(parser, last):
    turns = tuple(Turn("conv-1", 1, place, "AB"[place % 2], text) for place, text in enumerate([FILLER, FILLER, last], start=1))
    made = Session(1, datetime(2023, 5, 8), "", turns)
    docs = {turn.dia_id: parser.parse(turn.text) for turn in turns}
    assert not [seam for seam in find_seams(made, docs) if seam.kind is SlotKind.END]


def check_every_seam(loaded: LoadedCorpus, parser: Parser) -> dict[str, dict[str, int]]:
    """Asserts what holds for any corpus; the number of bridges by conversation and opener."""
    counts: dict[str, dict[str, int]] = {}
    for conversation in loaded.corpus.conversations:
        turns = list(conversation.turns())
        docs = dict(zip([turn.dia_id for turn in turns], parser.parse_kept([turn.text for turn in turns]), strict=True))
        mine = counts.setdefault(conversation.sample_id, dict.fromkeys(conversation.speakers, 0))
        for made in conversation.sessions:
            for seam in find_seams(made, docs):
                before = made.turns[seam.after - 1]
                assert "?" not in before.text
                assert seam.opener != before.speaker, "alternation"
                if seam.kind is SlotKind.BRIDGE:
                    assert seam.opener == made.turns[seam.after].speaker
                    assert (seam.subject is None) == (seam.act is Act.CHEER)
                    mine[seam.opener] += 1
    return counts


def test_every_seam_of_the_mock_corpus(mock, parser):
    check_every_seam(mock, parser)


@pytest.mark.real
@pytest.mark.slow
def test_the_real_corpus_has_enough_bridges(real, parser):
    for sample_id, counts in check_every_seam(real, parser).items():
        assert min(counts.values()) >= 7, sample_id
        assert sum(counts.values()) >= 18, sample_id


def test_every_cue_finds_itself():
    assert all(pattern.pattern for pattern in load_cues().values())
    assert load_cues()["thanking"].search("Thanks, that helps")
    assert not load_cues()["welcoming"].search("It was no problem")
