"""Which models are kin: a model that judges what its own family wrote is no independent voice (TWIST paper section 5)."""

from __future__ import annotations

import re

_WORD = re.compile(r"[a-z]+")
# Makers' names stand before models' names with many hosts, and say less.
_MAKERS = frozenset(
    {"ai", "amazon", "anthropic", "apac", "eu", "ft", "google", "llm", "meta", "microsoft", "mistralai", "nvidia", "openai", "us"}
)
# Names of one maker's models that do not begin alike.
_SAME = {
    "chatgpt": "gpt",
    "codestral": "mistral",
    "davinci": "gpt",
    "gemma": "gemini",
    "ministral": "mistral",
    "mixtral": "mistral",
    "o": "gpt",
    "qwq": "qwen",
}


def model_family(model: str) -> str:
    """A model's family by its name alone: `openai/gpt-4o-mini` is gpt, `o3` too, `Qwen2.5-7B-Instruct:q4` qwen.

    A distilled or renamed model goes by the name that stands first. A name without a letter is its own family.
    """
    name = model.strip().lower().rpartition("/")[2]
    words = [_SAME.get(word, word) for word in _WORD.findall(name)]
    return next((word for word in words if word not in _MAKERS), name)
