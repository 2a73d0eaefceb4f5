"""Identity of a question: (conversation, hash of question + category + source evidence strings, occurrence).

Never its index, which moves between versions of the file, and never its renumbered evidence (SCHEMAS.md; LOCOMO.md sections 7
and 11: eleven pairs are byte-identical, and the fork's one removed item moves 193 indices).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from locomo_patch.document import Document, RawObject
from locomo_patch.evidence import rewrite
from locomo_patch.id_map import ConversationIds
from twistcore.fingerprints import fingerprint

KEY_LENGTH = 16

# (session, released turn number) -> source turn number
Backward = Callable[[int, int], int]


@dataclass(frozen=True, slots=True)
class Identity:
    """A question's name across versions and releases."""

    sample_id: str
    question_key: str
    occurrence: int

    @property
    def parts(self) -> tuple[str, str, int]:
        """As a plain key."""
        return self.sample_id, self.question_key, self.occurrence


@dataclass(frozen=True)
class IdentifiedQuestion:
    """A raw item with its identity and its place in its own file; `evidence` are the strings of the *source*."""

    identity: Identity
    index: int
    item: RawObject
    evidence: tuple[str, ...]


def question_key(question: str, category: int, evidence: Sequence[str]) -> str:
    """The hash that names a question inside its conversation; `evidence` are the source's strings, as they are written."""
    return fingerprint({"question": question, "category": category, "evidence": list(evidence)})[:KEY_LENGTH]


def identify(sample_id: str, items: Sequence[RawObject], ids: ConversationIds | None = None) -> list[IdentifiedQuestion]:
    """The questions of one conversation with their identities, in file order.

    `ids` is the conversation's map where the items are a release's: their evidence goes back to the source's numbers first.
    """
    back = backward_of(ids) if ids is not None else None
    seen: Counter[str] = Counter()
    out = []
    for index, item in enumerate(items):
        written = [str(text) for text in item.get("evidence", [])]
        evidence = tuple(rewrite(text, back) for text in written) if back is not None else tuple(written)
        key = question_key(str(item.get("question")), int(item["category"]), evidence)
        seen[key] += 1
        out.append(IdentifiedQuestion(Identity(sample_id, key, seen[key]), index, item, evidence))
    return out


def backward_of(ids: ConversationIds) -> Backward:
    """Released turn number to source turn number, from a published map; a number beyond the session moves as its growth did."""
    new_to_old = {new: old for old, new in ids.old_to_new.items()}
    growth: Counter[int] = Counter(int(new[1:].partition(":")[0]) for new in ids.inserted)

    def back(session: int, turn: int) -> int:
        old = new_to_old.get(f"D{session}:{turn}")
        if old is not None:
            return int(old.partition(":")[2])
        return turn - growth[session] if turn > 0 else turn

    return back


def identify_document(document: Document, id_map: dict[str, ConversationIds] | None = None) -> list[IdentifiedQuestion]:
    """All questions of a document; `id_map` where it is a release's corpus."""
    return [
        question
        for sample_id in document.sample_ids
        for question in identify(sample_id, document.blocks(sample_id).qa, id_map.get(sample_id) if id_map else None)
    ]


def repeated(questions: Iterable[IdentifiedQuestion]) -> dict[str, list[IdentifiedQuestion]]:
    """Byte-identical items together, by "sample_id key": versioning one copy out must version out its twin."""
    groups: dict[str, list[IdentifiedQuestion]] = {}
    for question in questions:
        groups.setdefault(f"{question.identity.sample_id} {question.identity.question_key}", []).append(question)
    return groups
