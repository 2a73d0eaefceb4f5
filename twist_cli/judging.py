"""How commands come by a judge: a model named on the line, at the endpoint that the environment names, once it has qualified."""

from __future__ import annotations

import os

from locomo_patch.revalidation.asked_judge import AskedJudge
from twist_cli.screen import notices
from twistcore.errors import ModelFailedError


def find_judge(model: str | None) -> AskedJudge | None:
    """The judge to ask, or None where no model is named or it did not qualify (then one line says so).

    Raises UsageError where no endpoint is configured and ModelFailedError where the planted questions could not be asked.
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
    notices.print(found.line, markup=False)
    if found.failed:
        raise ModelFailedError(
            f"the judge failed on {found.failed} planted questions", remedy="see that the endpoint answers, then run again"
        )
    return AskedJudge(judge, lambda: client.usage) if found.qualified else None
