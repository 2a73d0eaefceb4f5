"""The offline verifier: reads an item's dated lines as a system under test would retrieve them, and nothing else.

It is given no plan, no topic and no belief. What the item is about is what its first and last line have in common; what the
anchor holds is read off the anchor (TWIST paper section 4.3, rules 1 and 2).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from inject.acknowledgement import acknowledgement
from inject.drafts import Opinion, Relation, SeenLine
from inject.stance_topic import Direction, Topic, Word, content_words, topic_from
from inject.stances import Reading, flips, owned_mention, person_of, read_turn
from twistcore.text.classes import related, same_word
from twistcore.text.claims import Clause, Modality, Subject, Tense
from twistcore.text.parses import Parser

_ELSEWHERE = re.compile(
    r"\b(?:back (?:in|when|then)|(?:years|ages|decades|long) ago|when I was|as a (?:kid|child|teen\w*|student)|in (?:college|grade school|high school)|"
    r"(?:my|our) (?:first|old) (?:place|apartment|roommate|neighbor|neighbour|flat|job|house|street|city|dorm|office|classroom|school|boss|teacher|coach|landlord|car|bike|\w+ (?:place|apartment|shop))\b|my childhood|growing up|grew up|those days|the days when|way back|once upon|"
    r"I (?:really |sometimes |do |kind of |just )?miss(?:ed)?\b|memor(?:y|ies)|remember(?:ed)?\b|"
    r"if (?:I ever|I had|I were|I was|I won|I lived|you|we|somebody|someone|they|it|a|the|my)\b|imagine|in my dreams|a million|pretend|would|wouldn't|when pigs)\b",
    re.IGNORECASE,
)
_HOLDS = re.compile(
    r"(?:(?:\b(?:never|not|no way|no plan|no intention of|nobody|no one|nothing|refuse to|no money|there's no)\b|n't\b)[^.!?]{0,34}?\b(?:giv(?:e|ing) (?:\w+ ){0,3}up|"
    r"quit(?:ting)?|stop(?:ping)?|sell(?:ing)?|let(?:ting)? go|get(?:ting)? rid|swap(?:ping)?|replac(?:e|ing)|part(?:ing)? with|trad(?:e|ing)|miss(?:ing)?|"
    r"talk(?:s|ing)? me out|keep me from|leav(?:e|ing)|cancel(?:ling)?|go(?:ing)? anywhere|imagine my|picture my|beats|relaxes me)|"
    r"\bnot (?:for sale|on the table)\b|\b(?:to|going to) stay\b|\bisn't for sale\b|\bdrag me off\b|\bfrom my sleeping hands\b|\bwhen i'm \w+\b|\bthere always will be\b|\bfor life\b|\bloyal to\b|\bhere to stay\b|\bpry\b|\bholding on to\b|\bfor the rest of my life\b|\bis staying\b|\bstays\b(?! (?:off|out|away|on the|in the))|"
    r"\bas long as (?:i|they|it|the|my)\b|\buntil i'm\b|\bforever\b|\bsticking (?:with|to) (?:it|my|the)\b|\bnot on the table\b|\bpart of me\b|\bin it for the long run\b|"
    r"\bit won't be the\b|\bdrop, it won't\b|\bwith me until\b|\bcarry me out\b|\bkeep(?:ing)? (?:it|this|the|my)\b)"
)
_REFUSES = re.compile(
    r"\b(?:never|not|n't|no|nope|none|nobody|refuse|hate|avoid|hard pass|count me out|out of the question|off (?:my|the|limits)|draw the line|over my dead body|"
    r"turn(?:ed)? (?:\w+ )?down|i'm out|out when it comes|keep(?:ing)? (?:\w+ )?(?:away|out|my distance|(?:\w+ )?free of)|away from|free of|stay(?:s|ing)? (?:off|out|away|on the rack|empty)|"
    r"save their breath|without|leave me|can't stand|won't|wouldn't|don't|isn't|aren't|couldn't|trick me|to themselves|too much for me|(?:hide|stay) (?:under|away)|crossed my name)\b|n't\b"
)
_FOND = re.compile(r"\b(?:love|enjoy|favou?rite|happy|joy|calm\w*|relax\w*|every (?:day|week|night|morning)|always|makes my day)\b")
_RENDERED = re.compile(r"\[(?P<date>[^\]]+)\] (?P<speaker>[^:]+): (?P<text>.*)", re.DOTALL)


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
            return self._opinion(Relation.CONSISTENT, unstated, f'the last line is about what is not, or no longer, so: "{elsewhere}"')
        own = [clause for clause in flips(reading) if _speakers_own(clause, reading)]
        own = own or [clause for clause in reading.found if _own_present(clause, reading)]
        if own:
            return self._opinion(Relation.CONTRADICTS, unstated, f'the last line states the contrary: "{own[0].text}"')
        return self._opinion(Relation.CONSISTENT, unstated, "the last line states nothing contrary to the first as a fact of the speaker's")

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
        return [word for word in content_words(self.parser.parse(text)) if word.lemma not in names and word.pos in ("NOUN", "PROPN", "VERB", "ADJ")]

    def _names(self, text: str, topic: Topic) -> bool:
        return bool(topic.mentions(self.parser.parse(text)))


def _told_of_elsewhere(text: str) -> str | None:
    """The words that put a line into the past, a dream or another's life as a whole."""
    match = _ELSEWHERE.search(text)
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
    return owned_mention(clause, reading) and any(child.dep_ == "poss" and child.lower_ in {"my", "our"} for child in subject.children)


def stance_of(text: str, shared: Sequence[str]) -> Direction:
    """Which way an anchor points, read off its own words: the sentences that name the matter, or all where none does."""
    sentences = re.split(r"(?<=[.!?])\s+", text.lower())
    about = [sentence for sentence in sentences if any(word[:5] in sentence for word in shared)] or sentences
    joined = " ".join(about)
    refuses, holds = _REFUSES.search(joined), _HOLDS.search(text.lower())
    if holds and refuses:
        return Direction.KEEP if _HOLDS.search(joined) and not _REFUSES.search(_HOLDS.sub(" ", joined)) else Direction.AVOID
    if holds:
        return Direction.KEEP
    return Direction.AVOID if refuses or not _FOND.search(joined) else Direction.KEEP
