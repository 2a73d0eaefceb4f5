"""The verifier as seen: the dated, standalone lines of an item and nothing else (TWIST paper section 4.3, rule 2)."""

from __future__ import annotations

from collections.abc import Sequence

from inject.agents.asking import NO_REPLY, Desk
from inject.agents.prompt_set import Agent
from inject.agents.replies import Told, VerifyReply, verify_reply
from inject.drafts import Opinion, Relation, SeenLine
from twistcore.chat.usage import CallLabel
from twistcore.errors import NoUsableReplyError

VERSION = "1"
_RELATIONS = {Told.YES: Relation.CONTRADICTS, Told.NO: Relation.CONSISTENT, Told.CANNOT_TELL: Relation.CANNOT_TELL}


async def verify(desk: Desk, lines: Sequence[SeenLine], label: CallLabel) -> Opinion:
    """An opinion on the lines; of a line whose claim the model cannot tell, none is stated. No usable reply is "cannot tell"."""
    try:
        found = await desk.ask(Agent.VERIFIER, verify_reply(len(lines)), label, **verifier_values(lines))
    except NoUsableReplyError as error:
        why = f"{NO_REPLY}: {error.message}"
        return Opinion(verifier=Agent.VERIFIER.value, version=VERSION, relation=Relation.CANNOT_TELL, unstated=[], reason=why)
    return opinion_of(found)


def verifier_values(lines: Sequence[SeenLine]) -> dict[str, object]:
    """What the verifier's prompt is filled with."""
    return {"lines": [line.rendered for line in lines]}


def opinion_of(found: VerifyReply) -> Opinion:
    """A reply as an opinion."""
    unstated = [index for index, told in enumerate(found.claim_stated) if told is not Told.YES]
    relation = _RELATIONS[found.contradicts]
    shown = [f"line {index + 1} does not state a claim by itself" for index in unstated]
    reason = "; ".join([f"the last line is {relation.value.replace('_', ' ')} with the first: {found.why}".strip(": "), *shown])
    return Opinion(verifier=Agent.VERIFIER.value, version=VERSION, relation=relation, unstated=unstated, reason=reason)
