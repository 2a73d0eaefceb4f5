"""How commands come by a judge: a model named on the line, at the endpoint that the environment names, once it has qualified."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager

from locomo_patch.revalidation.asked_judge import AskedJudge
from twist_cli.screen import notices
from twistcore.errors import ModelFailedError
from twistcore.text.parses import cache_folder

# All answers of all models, whichever command asked.
JOURNAL = "journal.sqlite"


@contextmanager
def find_judge(model: str | None) -> Iterator[AskedJudge | None]:
    """The judge to ask, or None where no model is named.

    What a model answered stands in a journal in the cache folder, the planted questions too: nothing that was answered is asked
    again. Raises UsageError where no endpoint is configured, StorageError where the journal cannot be used, and ModelFailedError
    where the planted questions could not be asked or the model did not qualify: a judge was asked for, so that a policy for what no
    model was asked must not stand in for it.
    """
    if model is None:
        yield None
        return
    # The SDK takes long to load, and most runs ask no model.
    from locomo_patch.revalidation.judge import ChatJudge
    from locomo_patch.revalidation.planted import qualify
    from twistcore.chat.client import ChatClient
    from twistcore.chat.dialect import Sampling
    from twistcore.chat.endpoint import read_endpoint
    from twistcore.chat.journal import Journal

    endpoint = read_endpoint(os.environ)
    with (
        Journal(cache_folder() / JOURNAL, run="judge") as journal,
        # What got no usable reply is asked again by the next run: a failure is to be mended, not kept.
        ChatClient(endpoint, Sampling(model), journal=journal, insist=True) as client,
    ):
        judge = ChatJudge(client)
        found = qualify(judge)
        if found.failed:
            raise ModelFailedError(
                f"the judge failed on {found.failed} planted questions", remedy="see that the endpoint answers, then run again"
            )
        if not found.qualified:
            raise ModelFailedError(found.line, remedy="nothing was written; name another --judge-model, or leave it out")
        notices.print(found.line, markup=False)
        yield AskedJudge(judge, lambda: client.usage)
