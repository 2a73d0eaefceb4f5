"""distilabel: one text-generation step, its batch as large as the number of requests in flight."""

from __future__ import annotations

import json
import os
import sys
import time
from importlib.metadata import version

base_url, calls, in_flight, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
os.environ |= {"HF_HUB_OFFLINE": "1", "HF_HOME": folder}


def main() -> None:
    """Its steps are processes of their own, so that importing this file must do nothing."""
    from distilabel.models import OpenAILLM
    from distilabel.pipeline import Pipeline
    from distilabel.steps import LoadDataFromDicts
    from distilabel.steps.tasks import TextGeneration

    rows = [{"instruction": f"{number} " + "What colour is it, and how many are there? " * 20} for number in range(calls)]
    with Pipeline(name="calls", cache_dir=folder) as pipeline:
        load = LoadDataFromDicts(data=rows, batch_size=in_flight)
        model = OpenAILLM(model="tiny", base_url=base_url, api_key="no-key-is-needed", generation_kwargs={"max_new_tokens": 1024})
        load >> TextGeneration(llm=model, input_batch_size=in_flight)
    wall, before = time.perf_counter(), sum(os.times()[:4])
    found = pipeline.run(use_cache=False)
    rows_back = len(found["default"]["train"])
    print(
        json.dumps(
            {
                "wall": time.perf_counter() - wall,
                "cpu": sum(os.times()[:4]) - before,
                "rows": rows_back,
                "version": version("distilabel"),
            }
        )
    )


if __name__ == "__main__":
    main()
