"""The belief-transition taxonomy of TWIST (paper section 3) and the scenario families of Track A."""

from __future__ import annotations

from enum import StrEnum


class Transition(StrEnum):
    """The five transition types that anchor every gold label (TWIST paper, section 3.1)."""

    CONTRADICTION = "contradiction"
    SUPERSESSION = "supersession"
    ACKNOWLEDGED_REVISION = "acknowledged_revision"
    COEXISTENCE = "coexistence"
    UNCERTAIN_UPDATE = "uncertain_update"


class Gold(StrEnum):
    """What a detector of unprompted tensions is expected to say about an item."""

    TENSION = "tension"
    NO_TENSION = "no_tension"


class Role(StrEnum):
    """The part that a gold turn plays in its item."""

    ANCHOR = "anchor"
    DRIFT = "drift"
    REVERSAL = "reversal"
    STATEMENT = "statement"
    STATE = "state"
    PLANT = "plant"
    PROBE = "probe"


class Family(StrEnum):
    """Scenario families of Track A; A3 and HN-A6 to HN-A8 belong to TWIST-CS."""

    A1 = "A1"
    A2 = "A2"
    A3 = "A3"
    HN_A1 = "HN-A1"
    HN_A2 = "HN-A2"
    HN_A3 = "HN-A3"
    HN_A4 = "HN-A4"
    HN_A5 = "HN-A5"
    HN_A6 = "HN-A6"
    HN_A7 = "HN-A7"
    HN_A8 = "HN-A8"

    @classmethod
    def arcs(cls) -> tuple[Family, ...]:
        """Families whose gold is a tension, in LoCoMo."""
        return (cls.A1, cls.A2)

    @classmethod
    def hard_negatives(cls) -> tuple[Family, ...]:
        """Families whose gold is no tension, in LoCoMo."""
        return (cls.HN_A1, cls.HN_A2, cls.HN_A3, cls.HN_A4, cls.HN_A5)

    @classmethod
    def locomo(cls) -> tuple[Family, ...]:
        """All families that Track A plants in LoCoMo."""
        return cls.arcs() + cls.hard_negatives()

    @property
    def is_arc(self) -> bool:
        """Whether the family's gold is a tension."""
        return not self.value.startswith("HN-")

    @property
    def gold(self) -> Gold:
        """Expected detector behaviour."""
        return Gold.TENSION if self.is_arc else Gold.NO_TENSION

    @property
    def transition(self) -> Transition:
        """The transition type that the family stands for."""
        return _TRANSITIONS[self]

    @property
    def later_role(self) -> Role:
        """Role of the turn that comes after the anchor."""
        return Role.REVERSAL if self.is_arc else Role.STATEMENT


_TRANSITIONS: dict[Family, Transition] = {
    Family.A1: Transition.CONTRADICTION,
    Family.A2: Transition.CONTRADICTION,
    Family.A3: Transition.CONTRADICTION,
    Family.HN_A1: Transition.UNCERTAIN_UPDATE,
    Family.HN_A2: Transition.ACKNOWLEDGED_REVISION,
    Family.HN_A3: Transition.UNCERTAIN_UPDATE,
    Family.HN_A4: Transition.UNCERTAIN_UPDATE,
    Family.HN_A5: Transition.COEXISTENCE,
    Family.HN_A6: Transition.COEXISTENCE,
    Family.HN_A7: Transition.COEXISTENCE,
    Family.HN_A8: Transition.COEXISTENCE,
}
