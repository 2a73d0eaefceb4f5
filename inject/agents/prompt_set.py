"""The agents' prompts: read, checked and hashed before the first call, each from the package or from the user's own folder."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from importlib import resources
from pathlib import Path

from pydantic import ValidationError

from arcs.items import ItemPlan, PlannedTurn
from arcs.taxonomy import Family, Role
from inject.agents.samples import SAMPLES
from twistcore.chat.prompts import Prompt, load_prompt
from twistcore.errors import FrameError, UsageError
from twistcore.fingerprints import fingerprint
from twistcore.stored import misfit
from twistcore.verdicts import Stored
from twistcore.yamls import read_yaml

SUFFIX = ".jinja"
# The council's own prompt may lie in the same folder.
COUNCIL = f"council{SUFFIX}"


class Agent(StrEnum):
    """Who asks. The name of its prompt file, and its line in accounts."""

    SCOUT = "scout"
    WRITER = "writer"
    REVISER = "reviser"
    AUDITOR = "auditor"
    VERIFIER = "verifier"


# What each prompt is filled with; a file that uses another variable, or leaves one out, is refused.
VARIABLES: Mapping[Agent, frozenset[str]] = {
    Agent.SCOUT: frozenset({"person", "notes", "topics", "wanted"}),
    Agent.WRITER: frozenset({"holder", "partner", "turns", "parts", "taboo"}),
    Agent.REVISER: frozenset({"holder", "partner", "turns", "written", "findings", "taboo"}),
    Agent.AUDITOR: frozenset({"before", "facts", "text", "reply"}),
    Agent.VERIFIER: frozenset({"lines"}),
}


@dataclass(frozen=True)
class PromptSet:
    """One prompt for each agent."""

    prompts: Mapping[Agent, Prompt]

    def __getitem__(self, agent: Agent) -> Prompt:
        return self.prompts[agent]

    @property
    def hashes(self) -> dict[str, str]:
        """SHA-256 of every prompt file, for configurations; that of the turns' parts among them, since the writer is told them."""
        own = {agent.value: self.prompts[agent].sha256 for agent in Agent}
        return {**own, "parts": fingerprint(load_parts().model_dump(mode="json"))}


def load_prompts(folder: Path | None = None) -> PromptSet:
    """The prompts that ship, those in `folder` in their place; raises FrameError for a faulty file and UsageError for a folder that
    cannot be read or holds a file of no agent's name."""
    if folder is not None:
        _check_folder(folder)
    shipped = resources.files("inject.agents.prompts")
    prompts = {}
    for agent in Agent:
        name = f"{agent.value}{SUFFIX}"
        own = folder / name if folder is not None else None
        prompts[agent] = load_prompt(
            own if own is not None and own.is_file() else shipped / name, VARIABLES[agent], SAMPLES[agent.value]
        )
    return PromptSet(prompts)


def _check_folder(folder: Path) -> None:
    known = {f"{agent.value}{SUFFIX}" for agent in Agent} | {COUNCIL}
    if not folder.is_dir():
        raise UsageError("is no folder of prompts", file=folder, remedy=f"put any of {', '.join(sorted(known))} into it")
    for path in sorted(folder.iterdir()):
        if (path.suffix == SUFFIX and path.name not in known) or (path.name in known and not path.is_file()):
            raise UsageError("is no agent's prompt", file=path, remedy=f"name it as one of {', '.join(sorted(known))}")


class Parts(Stored):
    """What a turn of each kind has to do, in words; `{holder}` and `{topic}` are filled in."""

    anchor: str
    drift: str
    families: dict[Family, str]

    def of(self, turn: PlannedTurn, plan: ItemPlan) -> str:
        """The words for one turn of an item."""
        text = self.anchor if turn.role is Role.ANCHOR else self.drift if turn.role is Role.DRIFT else self.families[plan.family]
        return text.format(holder=plan.holder, topic=plan.topic)


@lru_cache(maxsize=1)
def load_parts() -> Parts:
    """Read and check the parts that ship; raises FrameError."""
    path = Path(str(resources.files("inject.agents") / "parts.yaml"))
    try:
        parts = Parts.model_validate(read_yaml(path))
    except ValidationError as error:
        raise misfit(error, FrameError, path) from error
    missing = [family.value for family in Family.locomo() if family not in parts.families]
    if missing:
        raise FrameError(f"says nothing of {', '.join(missing)}", file=path)
    return parts
