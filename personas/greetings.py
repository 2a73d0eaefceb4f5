"""Openers and farewells: how a speaker begins and ends a session. Forms are kept as said, with `{name}` for the partner."""

from __future__ import annotations

import re
from collections.abc import Iterator

from personas.vocatives import could_be_form

_GREETING = re.compile(
    r"(?P<lead>hey+(?: hey| there)?|hi+(?: there)?|hiya|heya|hello(?: there)?|yo|howdy|sup|good (?:morning|afternoon|evening)"
    r"|morning|evening|greetings|welcome back)\b",
    re.IGNORECASE,
)
_EXCLAMATION = re.compile(
    r"(?P<lead>(?:oh |aw+ )?(?:wow|woo+hoo|woah|whoa|yay|oh|guess what|happy [\w ]+|so|man|dude|thanks|congrats))\b", re.IGNORECASE
)
_NAME = re.compile(r"[,!.]?\s*(?P<name>[^\W\d_]+)")
_MARK = re.compile(r"\s?[!.,?…-]*")
_FOLLOW_UPS = (
    ("long time no see", r"long time,? no see"),
    ("long time no talk", r"long time,? no (?:talk|chat|speak)"),
    (
        "been a while",
        r"(?:it's |it has )?been (?:a |quite a |such a )?(?:while|minute|bit|long time|few (?:days|weeks)|ages|some time|forever)",
    ),
    ("how are you", r"how(?: are|'re|’re) (?:you|ya)(?: doing| holding up)?"),
    ("how have you been", r"(?:how|what)(?:'ve|’ve| have) you been(?: up to| doing)?|how you been"),
    ("how's it going", r"how(?:'s|’s| is| are) (?:it|everything|things|life|your day)(?: going| been)?"),
    ("what's up", r"what(?:'s|’s| is) (?:up|new|going on|happening|been going on)|wassup"),
    ("good to hear from you", r"(?:good|great|nice|awesome|lovely|so good|glad) to (?:hear from|see|talk to|chat with) (?:you|ya)"),
    (
        "since we last talked",
        r"since (?:we last|the last time we|last time we|we|our last|last) ?(?:talked|spoke|chatted|chat|met|caught up|time)?",
    ),
    ("guess what", r"guess what"),
    ("hope you're well", r"hope (?:you're|you’re|you are|all's|everything's|you had|you've been|you have|all is|things are)"),
    ("got news", r"(?:big|great|exciting|some|good|awesome) (?:\w+ )?news|got news"),
)
_FOLLOW_UP_RULES = tuple((label, re.compile(rf"\b(?:{pattern})", re.IGNORECASE)) for label, pattern in _FOLLOW_UPS)
_FAREWELLS = (
    r"bye+(?: for now| bye)?|good ?bye|farewell|cya|ttyl|good ?night",
    r"see (?:you|ya|u)(?: (?:soon|later|around|then|there|next time|tomorrow))?",
    r"(?:talk|chat|speak|catch up)(?: to| with)?(?: you| ya)? (?:soon|later)|catch (?:you|ya|up) (?:soon|later|around)",
    r"take (?:good )?care(?: of yourself)?|keep in touch|keep it up|you got this|keep me (?:posted|updated)",
    r"stay (?:safe|positive|strong|warm|well|in touch|awesome|focused|tuned|healthy|motivated)",
    r"until next time|till next time|so long|all the best|best of luck|good luck|safe travels|have fun|cheers|later",
    r"have (?:a|an) (?:\w+ ){1,2}(?:day|night|one|weekend|time|week|evening|trip)|enjoy (?:your|the|it|yourself)(?: \w+)?",
    r"let me know how \w+ \w+|gotta (?:go|run|bounce)|(?:have|got) to (?:go|run)(?= now|[.!,])|i'?m off",
)
_FAREWELL = re.compile(rf"\b(?:{'|'.join(_FAREWELLS)})(?=\W|$)", re.IGNORECASE)


def find_opener(text: str, partner: str) -> str | None:
    """The opener of a session's first words ("Hey {name}!"), or None when the text starts with its matter."""
    text = text.lstrip()
    lead = _GREETING.match(text)
    start = lead.end() if lead else 0
    name = _NAME.match(text, start)
    named = name is not None and could_be_form(name["name"], partner)
    if lead is None and not named:
        lead = _EXCLAMATION.match(text)
        name = _NAME.match(text, lead.end()) if lead else None
        named = name is not None and could_be_form(name["name"], partner)
        if not named:
            return None
    end = name.end() if named and name is not None else start
    words = text[:end] if not named or name is None else text[: name.start("name")] + "{name}"
    mark = _MARK.match(text, end)
    return words + (mark.group().strip()[:1] if mark else "")


def find_follow_ups(text: str) -> Iterator[str]:
    """Set phrases that follow a greeting, by label ("long time no see")."""
    for label, rule in _FOLLOW_UP_RULES:
        if rule.search(text):
            yield label


def find_farewells(text: str) -> Iterator[str]:
    """Farewell phrases of a closing turn, in lower case as said."""
    for match in _FAREWELL.finditer(text):
        yield " ".join(match.group().lower().split())
