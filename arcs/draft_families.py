"""Scenario families of Track B: drafts that a mutual friend might send (TWIST paper, section 3.3 and Table 4)."""

from __future__ import annotations

from enum import StrEnum


class DraftType(StrEnum):
    """What a system that vets drafts is expected to say: only a contradicting one is to be stopped."""

    CONTRADICTING = "contradicting"
    ALIGNED = "aligned"
    HARD_NEGATIVE = "hard_negative"


class DraftFamily(StrEnum):
    """The families by their public long form. B-SM is ours: an aligned draft in the wording that style alone would stop."""

    B1 = "B1 invented-activity"
    B2 = "B2 negated-commitment"
    B3 = "B3 stale-assumption"
    B_AL = "B-AL consistent-message"
    B_SM = "B-SM style-matched"
    HN_B1 = "HN-B1 committed-despite-challenges"
    HN_B2 = "HN-B2 acknowledged-pause"
    HN_B3 = "HN-B3 change-question"

    @classmethod
    def named(cls, text: str) -> DraftFamily:
        """The family that `text` begins with, whatever follows its first word; raises ValueError for none of them."""
        first = (text.split() or [""])[0].upper()
        for family in cls:
            if family.code == first:
                return family
        raise ValueError(f"{text!r} is no family of Track B; they are {', '.join(family.code for family in cls)}")

    @property
    def code(self) -> str:
        """The first word, by which a family is matched."""
        return self.value.split()[0]

    @property
    def type(self) -> DraftType:
        """The gold of the family."""
        if self.code.startswith("HN-"):
            return DraftType.HARD_NEGATIVE
        return DraftType.ALIGNED if self.code.startswith("B-") else DraftType.CONTRADICTING
