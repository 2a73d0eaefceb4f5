"""Word lists, written as text so that a long one stays readable."""

from __future__ import annotations


def word_set(*lines: str) -> frozenset[str]:
    """The words of the lines, parted by blanks."""
    return frozenset(word for line in lines for word in line.split())
