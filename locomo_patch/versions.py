"""Known versions of LoCoMo, named by the SHA-256 of the file (LOCOMO.md sections 1 and 11)."""

from __future__ import annotations

from dataclasses import dataclass

OFFICIAL_SHA256 = "79fa87e90f04081343b8c8debecb80a9a6842b76a7aa537dc9fdf651ea698ff4"
OFFICIAL_COMMIT = "3eb6f2c"
OFFICIAL_URL = f"https://raw.githubusercontent.com/snap-research/locomo/{OFFICIAL_COMMIT}/data/locomo10.json"
LICENCE = (
    "LoCoMo (Maharana et al., 2024) is licensed CC BY-NC 4.0: non-commercial use, with attribution; "
    "what is derived from it stays so"
)
UNKNOWN = "unknown"
MOCK = "mock"
MOCK_SHA256 = "328e402d0bb0c437be3568fbab04e7667a091b6e55957caef53b10f0c0ece857"


@dataclass(frozen=True, slots=True)
class KnownVersion:
    """A corpus file that is recognised: its name, where it comes from, and how many questions it holds."""

    name: str
    origin: str
    questions: int


KNOWN: dict[str, KnownVersion] = {
    OFFICIAL_SHA256: KnownVersion("official", f"snap-research/locomo @ {OFFICIAL_COMMIT}", 1986),
    "8f941d1c22ab3dee4cb72521fbccc82d24c30208590a15b0b4005a2f927ff769": KnownVersion("fork", "dial481/locomo @ 82e6cbc", 1985),
    MOCK_SHA256: KnownVersion(MOCK, "written for this project, MIT", 57),
}
