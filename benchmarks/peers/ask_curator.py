"""bespokelabs-curator: its OpenAI backend, cache on. Its tokenizer file is downloaded in real life; here tokens are counted by
length."""

from __future__ import annotations

import json
import os
import sys
import time
from importlib.metadata import version
from types import SimpleNamespace

base_url, calls, in_flight, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
os.environ |= {
    "CURATOR_CACHE_DIR": folder,
    "CURATOR_DISABLE_RICH_DISPLAY": "1",
    "CURATOR_VIEWER": "0",
    "HF_HUB_OFFLINE": "1",
    "LITELLM_LOCAL_MODEL_COST_MAP": "True",
    "OPENAI_API_KEY": "no-key-is-needed",
    "TELEMETRY_ENABLED": "false",
}

import tiktoken  # noqa: E402 - the settings come first

tiktoken.get_encoding = lambda _: SimpleNamespace(encode=lambda text, **_: [0] * (len(text) // 4))

from bespokelabs import curator  # noqa: E402 - after the tokenizer was replaced


class Asker(curator.LLM):
    """One question a row."""

    def prompt(self, row: dict[str, str]) -> str:
        return row["question"]

    def parse(self, row: dict[str, str], response: str) -> dict[str, str]:
        return {"question": row["question"], "answer": response}


asker = Asker(
    model_name="gpt-4o-mini",
    backend="openai",
    backend_params={
        "base_url": base_url,
        "max_concurrent_requests": in_flight,
        "max_requests_per_minute": 1_000_000,
        "max_tokens_per_minute": 1_000_000_000,
    },
)
rows = [{"question": f"{number} " + "What colour is it, and how many are there? " * 20} for number in range(calls)]
wall, cpu = time.perf_counter(), time.process_time()
found = asker(rows)
rows_back = len(getattr(found, "dataset", found))
print(
    json.dumps(
        {
            "wall": time.perf_counter() - wall,
            "cpu": time.process_time() - cpu,
            "rows": rows_back,
            "version": version("bespokelabs-curator"),
        }
    )
)
