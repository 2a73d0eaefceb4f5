"""The offline verifier: reads an item's dated lines as a system under test would retrieve them, and nothing else.

It is given no plan, no topic and no belief. What the item is about is what its first and last line have in common; what the
anchor holds is read off the anchor (TWIST paper section 4.3, rules 1 and 2).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path

from inject.acknowledgement import acknowledgement
from inject.drafts import Opinion, Relation, SeenLine
from inject.stance_topic import Direction, Topic, Word, content_words, topic_from
from inject.stances import Reading, flips, owned_mention, person_of, read_turn
from twistcore.text.claims import Clause, Modality, Subject, Tense
from twistcore.text.classes import related, same_word
from twistcore.text.parses import Parser
from twistcore.yamls import read_yaml

_RENDERED = re.compile(r"\[(?P<date>[^\]]+)\] (?P<speaker>[^:]+): (?P<text>.*)", re.DOTALL)


@lru_cache(maxsize=8)
def _cue(name: str) -> re.Pattern[str]:
    """A named list of cues.yaml as one pattern."""
    return re.compile("|".join(read_yaml(Path(__file__).with_name("cues.yaml"))[name]))


@dataclass(frozen=True)
class OfflineVerifier:
    """Judges by claims that it parses from the lines; says "cannot tell" where the lines share no matter."""

    parser: Parser
    name: str = "offline"
    version: str = "1"

    def verify(self, lines: Sequence[SeenLine]) -> Opinion:
        """An opinion on the first line against the last; lines that name nothing of the shared matter are unstated."""
        seen = [_RENDERED.fullmatch(line.rendered) for line in lines]
        texts = [match["text"] if match else "" for match in seen]
        names = frozenset(part.lower() for match in seen if match for part in match["speaker"].split())
        shared = self._shared(texts[0], texts[-1], names)
        if not shared:
            return self._opinion(Relation.CANNOT_TELL, [], "the first and the last line have no matter in common")
        topic = replace(topic_from(" ".join(shared), texts[0], None, names, self.parser), direction=stance_of(texts[0], shared))
        unstated = [index for index, text in enumerate(texts) if not self._names(text, topic)]
        if acknowledgement(texts[-1], topic, self.parser) is not None:
            return self._opinion(Relation.CONSISTENT, unstated, "the last line itself tells of the change")
        reading = read_turn(texts[-1], topic, self.parser)
        elsewhere = _told_of_elsewhere(texts[-1])
        if elsewhere is not None:
            return self._opinion(
                Relation.CONSISTENT, unstated, f'the last line is about what is not, or no longer, so: "{elsewhere}"'
            )
        own = [clause for clause in flips(reading) if _speakers_own(clause, reading)]
        own = own or [clause for clause in reading.found if _own_present(clause, reading)]
        if own:
            return self._opinion(Relation.CONTRADICTS, unstated, f'the last line states the contrary: "{own[0].text}"')
        return self._opinion(
            Relation.CONSISTENT, unstated, "the last line states nothing contrary to the first as a fact of the speaker's"
        )

    def _opinion(self, relation: Relation, unstated: list[int], reason: str) -> Opinion:
        return Opinion(verifier=self.name, version=self.version, relation=relation, unstated=unstated, reason=reason)

    def _shared(self, first: str, last: str, names: frozenset[str]) -> list[str]:
        """Content words of the first line that the last one says too, nouns before verbs."""
        one, two = self._words(first, names), self._words(last, names)
        common = [word for word in one if any(same_word(word.lemma, other.lemma) for other in two)]
        common = common or [word for word in one if word.pos == "NOUN" and any(related(word.lemma, other.lemma) for other in two)]
        nouns = [word.lemma for word in common if word.pos in ("NOUN", "PROPN")]
        return list(dict.fromkeys(nouns or [word.lemma for word in common]))

    def _words(self, text: str, names: frozenset[str]) -> list[Word]:
        return [
            word
            for word in content_words(self.parser.parse(text))
            if word.lemma not in names and word.pos in ("NOUN", "PROPN", "VERB", "ADJ")
        ]

    def _names(self, text: str, topic: Topic) -> bool:
        return bool(topic.mentions(self.parser.parse(text)))


def _told_of_elsewhere(text: str) -> str | None:
    """The words that put a line into the past, a dream or another's life as a whole."""
    match = _cue("elsewhere").search(text.lower())
    return match.group() if match else None


def _own_present(clause: Clause, reading: Reading) -> bool:
    """A clause of the speaker's own present that takes up what the anchor refuses, in words that no pattern of `flips` covers."""
    if reading.topic.direction is not Direction.AVOID or clause.modality is not Modality.ASSERTED or clause.negated:
        return False
    return clause.tense in (Tense.NOW, Tense.PAST) and reading.on_topic(clause) and _speakers_own(clause, reading)


def _speakers_own(clause: Clause, reading: Reading) -> bool:
    """The speaker does it, or it is said of what is the speaker's ("my parrot sings"); what others do to the speaker is not."""
    if clause.subject is Subject.FIRST:
        return True
    subject = clause.subject_token
    if person_of(clause) is not None or subject is None:
        return False
    return owned_mention(clause, reading) and any(
        child.dep_ == "poss" and child.lower_ in {"my", "our"} for child in subject.children
    )


def stance_of(text: str, shared: Sequence[str]) -> Direction:
    """Which way an anchor points, read off its own words: the sentences that name the matter, or all where none does."""
    sentences = re.split(r"(?<=[.!?])\s+", text.lower())
    about = [sentence for sentence in sentences if any(word[:5] in sentence for word in shared)] or sentences
    joined = " ".join(about)
    refuses, holds = _cue("refuses").search(joined), _cue("holds").search(text.lower())
    if holds and refuses:
        return (
            Direction.KEEP
            if _cue("holds").search(joined) and not _cue("refuses").search(_cue("holds").sub(" ", joined))
            else Direction.AVOID
        )
    if holds:
        return Direction.KEEP
    return Direction.AVOID if refuses or not _cue("fond").search(joined) else Direction.KEEP
