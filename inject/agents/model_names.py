"""Families of models, told by their names: a verifier of the writer's own family may share its blind spots."""

from __future__ import annotations

import re

# Names of one maker's models that do not begin alike.
_SAME = {
    "o": "gpt",
    "chatgpt": "gpt",
    "davinci": "gpt",
    "codestral": "mistral",
    "ministral": "mistral",
    "mixtral": "mistral",
    "gemma": "gemini",
}


def family_of(model: str) -> str:
    """The family of a model: the first word of its own name, without owner, size and version. `Qwen/Qwen2.5-7B` is `qwen`."""
    name = model.rsplit("/", 1)[-1].lower()
    found = re.match(r"[a-z]+", name)
    word = found.group() if found else name
    return _SAME.get(word, word)


def same_family(first: str, second: str) -> bool:
    """Whether two models are of one family, as far as their names tell."""
    return family_of(first) == family_of(second)
