"""How text is written inside a file: as it is, as JSON writes it in ASCII, or as our HTML pages do.

Matching works on the characters that are meant, rebuilding on the bytes that stand there. So a run counts as a quotation only
where writing it again gives the same characters; anything else is covered by a character that no source can hold.
"""

from __future__ import annotations

import html
import json
import re
import sys
from dataclasses import dataclass
from enum import StrEnum

# Halves of surrogate pairs: the corpus reader refuses them, so they are free to mark what can match nothing.
UNMATCHED = "\udfff"

_JSON = re.compile(r'\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|\\u[0-9a-fA-F]{4}|\\["\\/bfnrt]|[^ -~]|["\\]')
_HTML = re.compile(r"&(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});|[^\x00-\x7f]|[&<>'\"]")
_HTML_SIGNS = {"&": "&amp;", "<": "&lt;", ">": "&gt;", "'": "&#39;", '"': "&#34;"}


class Form(StrEnum):
    """Ways in which a file writes a string's characters. Patches store positions in this list: only ever add to its end."""

    PLAIN = "plain"
    JSON = "json"
    HTML = "html"


FORMS: tuple[Form, ...] = tuple(Form)


@dataclass(frozen=True)
class Unescaped:
    """The characters that a text means. Character i is written as `raw[starts[i]:starts[i + 1]]`."""

    text: str
    starts: list[int]


def form_of(path: str) -> Form:
    """The form of a file, by its name."""
    if path.endswith((".json", ".jsonl")):
        return Form.JSON
    return Form.HTML if path.endswith((".html", ".htm")) else Form.PLAIN


def escape(text: str, form: Form) -> str:
    """Write characters in a form. What is written for a text is what is written for its characters, one after the other."""
    if form is Form.JSON:
        return json.dumps(text, ensure_ascii=True)[1:-1]
    if form is Form.HTML:
        signs = "".join(_HTML_SIGNS.get(char, char) for char in text)
        return signs.encode("ascii", "xmlcharrefreplace").decode("ascii")
    return text


def unescape(raw: str, form: Form) -> Unescaped:
    """Read what a text means; whatever `escape` would write otherwise becomes UNMATCHED."""
    if form is Form.PLAIN:
        return Unescaped(raw, list(range(len(raw) + 1)))
    pieces: list[str] = []
    starts: list[int] = []
    done = 0
    for match in (_JSON if form is Form.JSON else _HTML).finditer(raw):
        pieces += (raw[done : match.start()], _character(match[0], form))
        starts.extend(range(done, match.start() + 1))
        done = match.end()
    pieces.append(raw[done:])
    starts.extend(range(done, len(raw) + 1))
    return Unescaped("".join(pieces), starts)


def _character(written: str, form: Form) -> str:
    if len(written) == 1:
        return UNMATCHED
    meant = str(json.loads(f'"{written}"')) if form is Form.JSON else _entity(written)
    half = len(meant) != 1 or "\ud800" <= meant <= "\udfff"
    return UNMATCHED if half or escape(meant, form) != written else meant


def _entity(written: str) -> str:
    # Browsers read some control characters' numbers as other characters; the writer meant the number.
    number = int(written[2:-1]) if written[2:-1].isdecimal() else 0
    return chr(number) if 0 < number <= sys.maxunicode else html.unescape(written)
