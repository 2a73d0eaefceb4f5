"""Finding a contradicted quote in a turn: verbatim, case, final punctuation and quote style aside (issue of Track B)."""

from __future__ import annotations

import re

_QUOTES = str.maketrans(dict.fromkeys('’‘‛`´“”„«»"', "'"))
_ENDS = " \t\n.!?,;:…-–—'"


def find_quote(quote: str, text: str) -> tuple[int, int] | None:
    """The span of `quote` in `text` in characters, or None where it does not stand there or says nothing."""
    wanted = quote.translate(_QUOTES).strip().strip(_ENDS)
    if not any(character.isalnum() for character in wanted):
        return None
    shape = r"\s+".join(re.escape(word) for word in wanted.split())
    found = re.search(rf"(?<!\w){shape}(?!\w)", text.translate(_QUOTES), re.IGNORECASE)
    return None if found is None else found.span()
