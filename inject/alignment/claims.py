"""Whether a cited turn, read alone, states what a contradicting draft speaks against (DESIGN.md rule 5)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from inject.alignment.matter import KIND, THEME, matter_of, other_object, qualified_in, tie
from inject.alignment.signs import Sign, Standing, standing_of
from inject.alignment.words import draft_phrase, draft_words, opposite
from inject.gates.pronoun import HANGING, has_antecedent, refers
from twistcore.text.claims import Clause, Modality, Subject, is_ceasing, is_negator, lemma_of, plain, words

if TYPE_CHECKING:
    from spacy.tokens import Doc, Span, Token


POINTING = frozenset({"it", "them", "there", "that", "one", "this", "her", "him", "she", "he"})
SENTENCES_BACK = 3
# Somebody's doing rather than somebody, though text analysis counts them as people.
_GROUPS = frozenset({"band", "team", "crew", "client", "agent"})


@dataclass(frozen=True)
class Meeting:
    """A word of the draft and one of a quote that name one matter, each with how its text puts it."""

    drafted: Token
    quoted: Token
    draft: Standing
    quote: Standing
    facing: bool = False

    @property
    def opposed(self) -> bool:
        """Whether the two cannot both be taken at their word: one affirms what the other denies, or one still seeks what the
        other has reached."""
        if self.facing:
            return self.draft.sign is not Sign.DENIED and self.quote.sign is not Sign.DENIED
        if self.draft.sign is not self.quote.sign:
            return not self._person or Sign.STALLED not in (self.draft.sign, self.quote.sign)
        if self.draft.sign is not Sign.AFFIRMED:
            return self.draft.sign is Sign.STALLED
        draft, quote = self.draft, self.quote
        return not self._person and (
            (draft.sought and not draft.reached and quote.reached and not quote.sought)
            or (draft.reached and not draft.sought and quote.sought and not quote.reached)
        )

    @property
    def _person(self) -> bool:
        """Whether the two only name the same people, who are in many a sentence that is not about them."""
        return self.quoted.pos_ == "NOUN" and lemma_of(self.quoted) in words().lists["kin"] - _GROUPS


def meetings(draft: Doc, quoted: Sequence[Token], names: frozenset[str]) -> list[Meeting]:
    """Every pair of words of the draft and the quote that name the same thing, surest first, then those of the draft with a
    pronoun of the quote whose antecedent, in the same turn, names it ("Haven't been there yet, but … Universal Studios")."""
    ours = [(token, _drafted(token)) for token in matter_of(draft, names)]
    found = []
    for token, standing in ours:
        for other in matter_of(quoted, names):
            strength = tie(token, other)
            if strength >= KIND:
                found.append((strength, Meeting(token, other, standing, standing_of(other))))
    found.sort(key=lambda each: -each[0])
    by_pronoun = [
        Meeting(token, pronoun, standing, standing_of(pronoun))
        for pronoun in quoted
        if pronoun.lower_ in POINTING and _points(pronoun)
        for token, standing in ours
        if any(tie(token, other) >= KIND for other in matter_of(_around(pronoun), names))
    ]
    listed = [meeting for _, meeting in found] + by_pronoun
    listed += [
        meeting for meeting in _facing(draft, quoted) if found or (_of_person(meeting.drafted) and _of_person(meeting.quoted))
    ]
    return (
        listed
        or _by_sentence_before(ours, quoted, names)
        or [
            meeting
            for token, standing in ours
            for other in matter_of(quoted, names)
            if tie(token, other) == THEME
            and (meeting := Meeting(token, other, standing, standing_of(other)))
            and meeting.draft.sign is Sign.DENIED
            and meeting.quote.sign is Sign.AFFIRMED
        ]
    )


def _of_person(token: Token) -> bool:
    """Whether a word says what speaker or hearer is ("I'm still a rookie", "you've been an expert")."""
    if token.dep_ not in ("attr", "acomp") or token.head.pos_ != "AUX":
        return False
    return any(child.dep_ == "nsubj" and child.lower_ in ("i", "you", "we") for child in token.head.children)


def _denied(verb: Token) -> bool:
    return standing_of(verb).sign is not Sign.AFFIRMED


def _facing(draft: Doc, quoted: Sequence[Token]) -> list[Meeting]:
    return [
        Meeting(token, other, standing_of(token), standing_of(other), facing=True)
        for token in draft
        if lemma_of(token) not in draft_words("frames")
        for other in quoted
        if opposite(lemma_of(token), lemma_of(other))
    ]


def _by_sentence_before(ours: list[tuple[Token, Standing]], quoted: Sequence[Token], names: frozenset[str]) -> list[Meeting]:
    """Where the quote denies in so many words what the sentence before it names ("… at the beach. We don't go often")."""
    verb = next((token for token in quoted if token.pos_ in ("VERB", "AUX") and _denied(token)), None)
    if verb is None or not (elliptical_in(quoted) or any(token.lower_ in POINTING for token in quoted)):
        return []
    standing = standing_of(verb)
    return [
        Meeting(token, verb, drafted, standing)
        for token, drafted in ours
        if any(tie(token, other) >= KIND for other in matter_of(_around(verb), names))
    ]


def _drafted(token: Token) -> Standing:
    """How the draft puts a word. What the friend takes back in the same breath counts as denied; what is told with regret or
    surprise stands against a quote that tells it gladly."""
    standing = standing_of(token)
    text = plain(token.sent.text)
    if standing.sign is Sign.AFFIRMED and draft_phrase("regretted").search(text):
        standing = replace(standing, sign=Sign.STALLED)
    if draft_phrase("retracted").search(text) is None:
        return standing
    denied = any(is_ceasing(other) or is_negator(other) for other in token.sent)
    return replace(standing, sign=Sign.AFFIRMED if denied else Sign.DENIED)


def _points(pronoun: Token) -> bool:
    return refers(pronoun) or (pronoun.lower_ in ("her", "him", "she", "he") and pronoun.dep_ in ("dobj", "nsubj", "pobj"))


def _around(pronoun: Token) -> Span:
    """Where a pronoun's antecedent may stand: its own sentence and the few before it."""
    start = pronoun.sent.start
    for _ in range(SENTENCES_BACK):
        if start == 0:
            break
        start = pronoun.doc[start - 1].sent.start
    return pronoun.doc[start : pronoun.sent.end]


def told_apart(found: Iterable[Meeting]) -> Meeting | None:
    """A meeting whose words name two things of one kind (painting class, cooking class), if every meeting is such a one or stands
    inside it."""
    listed = list(found)
    apart = [
        meeting
        for meeting in listed
        if other_object(meeting.drafted, meeting.quoted) and not qualified_in(meeting.drafted, meeting.quoted.doc)
    ]
    return apart[0] if apart and len(apart) == len(listed) else None


def hanging_in(tokens: Iterable[Token]) -> Token | None:
    """The first pronoun that stands for a thing of which the turn has not spoken before."""
    return next((token for token in tokens if token.lower_ in HANGING and refers(token) and not has_antecedent(token)), None)


def elliptical_in(tokens: Iterable[Token]) -> Token | None:
    """The first verb of the speaker's that leaves to the turns before what it is about ("I won't quit, no matter what")."""
    for token in tokens:
        if token.pos_ != "VERB" or lemma_of(token) not in draft_words("elliptical"):
            continue
        if not any(child.dep_ in _SAYS_WHAT for child in token.children) and token.dep_ not in ("xcomp", "amod", "acl"):
            return token
    return None


_SAYS_WHAT = frozenset({"dobj", "xcomp", "prep", "ccomp", "acomp", "attr", "advcl", "prt"})


def not_stated(meeting: Meeting) -> str | None:
    """Why the quote's clause, though it names the matter, states nothing of the speaker's; None where it does."""
    clause = meeting.quote.clause
    if clause is None:
        return None
    if clause.modality is Modality.QUESTION:
        return f'it only asks: "{clause.text}"'
    if clause.modality is Modality.HYPOTHETICAL:
        return f'it only imagines: "{clause.text}"'
    if _others_matter(clause, meeting.drafted.doc):
        return f'it tells of somebody else: "{clause.text}"'
    return None


def _others_matter(clause: Clause, draft: Doc) -> bool:
    if clause.subject is Subject.SECOND:
        return True
    subject = clause.subject_token
    if clause.subject is not Subject.OTHER or subject is None or lemma_of(subject) not in words().lists["kin"]:
        return False
    if any(token.lower_ in ("i", "me", "we", "us") for token in clause.tokens):
        return False
    return not any(lemma_of(token) == lemma_of(subject) for token in draft)
