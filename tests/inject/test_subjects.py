"""What a turn was about: phrases that either speaker can say."""

from __future__ import annotations

import pytest

from inject.subjects import Kind, Subject, When, find_subjects, load_lexicon
from twistcore.text.parses import Parser


@pytest.fixture
def named(parser: Parser):
    """The subjects of a text by the speaker's own words."""

    def find(text: str) -> dict[str, Subject]:
        return {subject.own: subject for subject in find_subjects(parser.parse(text))}

    return find


@pytest.mark.parametrize(
    ("text", "own", "other", "whose"),
    [
        ("I opened my dance studio last week.", "my dance studio", "your dance studio", "own"),
        ("Your garden is so peaceful.", "your garden", "my garden", "other"),
        ("I can't wait for our hike.", "our hike", "the hike", "own"),
        ("Our team played really well.", "our team", "your team", "own"),
        ("I took a pottery class.", "the pottery class", "the pottery class", ""),
    ],
)
def test_a_phrase_changes_its_possessive_with_the_speaker(named, text, own, other, whose):
    subject = named(text)[own]
    assert (subject.other, subject.whose) == (other, whose)


@pytest.mark.parametrize(
    ("text", "kind", "when"),
    [
        ("I really enjoy painting.", Kind.ACTIVITY, When.ONGOING),
        ("The picnic was so relaxing.", Kind.EVENT, When.PAST),
        ("I'm looking forward to the concert.", Kind.EVENT, When.FUTURE),
        ("I'm gonna start my own blog.", Kind.WORK, When.FUTURE),
        ("I adopted my puppy in spring.", Kind.PET, When.PAST),
        ("We wrote my song together.", Kind.WORK, When.PAST),
        ("Nature helps us.", Kind.VALUE, When.ONGOING),
    ],
)
def test_kind_and_time(named, text, kind, when):
    assert (kind, when) in {(subject.kind, subject.when) for subject in named(text).values()}


@pytest.mark.parametrize(
    "text",
    [
        "My journey has been something.",
        "The project is going well.",
        "I needed a break from work.",
        "I never liked the concert.",
        "I would visit the museum.",
        "I used to love hiking.",
        "If I buy the guitar, I will play.",
        "Reading a book relaxes people.",
        "Max is so happy.",
        "My mother is here.",
        "The funeral was on Monday.",
        "The other movie was long.",
        "I do love animals.",
    ],
)
def test_vague_denied_supposed_and_personal_matters_are_not_named(named, text):
    assert not {name for name in named(text) if name not in {"animals"}}


def test_an_activity_keeps_its_object(named):
    assert "playing video games" in named("Playing video games helps me relax.")


def test_a_phrase_keeps_a_short_tail_and_turns_it(named):
    subject = next(iter(named("I loved the trip to Rome.").values()))
    assert subject.own == "the trip to Rome"


def test_verbs_agree_with_the_phrase(named):
    assert named("My dogs are so sweet.")["my dogs"].agreement()["is"] == "are"
    assert named("My dog is so sweet.")["my dog"].agreement()["sounds"] == "sounds"


def test_what_another_person_does_is_not_told_of_the_speaker(named):
    assert not named("She is fixing my car.")["my car"].told
    assert named("I'm fixing my car.")["my car"].told


def test_the_lexicon_has_no_noun_twice_in_the_same_list_and_no_sad_matter():
    lexicon = load_lexicon()
    matters = {noun for nouns in lexicon.kinds.values() for noun in nouns}
    assert not matters & lexicon.lists["sad"]
    assert lexicon.lists["mild"] <= lexicon.lists["sad"]
    assert all(nouns for nouns in lexicon.kinds.values())
