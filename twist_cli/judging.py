"""How commands come by a judge: a model named on the line, at the endpoint that the environment names, once it has qualified."""

from __future__ import annotations

import os

from locomo_patch.revalidation.asked_judge import AskedJudge
from twist_cli.screen import notices
from twistcore.errors import ModelFailedError


def find_judge(model: str | None) -> AskedJudge | None:
    """The judge to ask, or None where no model is named.

    Raises UsageError where no endpoint is configured, and ModelFailedError where the planted questions could not be asked or the
    model did not qualify: a judge was asked for, so that a policy for what no model was asked must not stand in for it.
    """
    if model is None:
        return None
    # The SDK takes long to load, and most runs ask no model.
    from locomo_patch.revalidation.judge import ChatJudge
    from locomo_patch.revalidation.planted import qualify
    from twistcore.chat.client import ChatClient
    from twistcore.chat.dialect import Sampling
    from twistcore.chat.endpoint import read_endpoint

    client = ChatClient(read_endpoint(os.environ), Sampling(model))
    judge = ChatJudge(client)
    found = qualify(judge)
    if found.failed:
        raise ModelFailedError(
            f"the judge failed on {found.failed} planted questions", remedy="see that the endpoint answers, then run again"
        )
    if not found.qualified:
        raise ModelFailedError(found.line, remedy="nothing was written; name another --judge-model, or leave it out")
    notices.print(found.line, markup=False)
    return AskedJudge(judge, lambda: client.usage)
