"""Data Designer: one text column, as many requests in flight as are asked for. Its tokenizer file is downloaded in real life; here
tokens are counted by length."""

from __future__ import annotations

import json
import os
import sys
import time
from importlib.metadata import version
from types import SimpleNamespace

base_url, calls, in_flight, folder = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
os.environ |= {"NEMO_TELEMETRY_ENABLED": "false", "HOME": folder, "DATA_DESIGNER_HOME": folder}

import tiktoken  # noqa: E402 - the settings come first

tiktoken.get_encoding = lambda _: SimpleNamespace(encode=lambda text, **_: [0] * (len(text) // 4))

import data_designer.config as dd  # noqa: E402 - after the tokenizer was replaced
from data_designer.interface import DataDesigner  # noqa: E402 - after the tokenizer was replaced

designer = DataDesigner(
    artifact_path=folder, model_providers=[dd.ModelProvider(name="local", endpoint=base_url, api_key="no-key-is-needed")]
)
model = dd.ModelConfig(
    alias="tiny",
    model="tiny",
    provider="local",
    skip_health_check=True,
    inference_parameters=dd.ChatCompletionInferenceParams(max_parallel_requests=in_flight, temperature=0.0, max_tokens=1024),
)
builder = dd.DataDesignerConfigBuilder(model_configs=[model])
builder.add_column(dd.SamplerColumnConfig(name="number", sampler_type=dd.SamplerType.UUID, params=dd.UUIDSamplerParams(prefix="q")))
question = "{{ number }} " + "What colour is it, and how many are there? " * 20
builder.add_column(dd.LLMTextColumnConfig(name="answer", model_alias="tiny", prompt=question))
wall, cpu = time.perf_counter(), time.process_time()
found = designer.create(builder, num_records=calls)
rows_back = len(found.load_dataset())
print(
    json.dumps(
        {
            "wall": time.perf_counter() - wall,
            "cpu": time.process_time() - cpu,
            "rows": rows_back,
            "version": version("data-designer"),
        }
    )
)
