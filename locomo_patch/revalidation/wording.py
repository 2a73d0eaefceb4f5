"""Wordings that colour a sentence: unreal, put off, preferring, changing, correcting, adding. All read the text in lower case."""

from __future__ import annotations

import re


def _any(*parts: str) -> re.Pattern[str]:
    return re.compile(r"\b(?:" + "|".join(parts) + r")\b")


# What makes a sentence no claim at all: a dream, a wish, a case that never was.
UNREAL = _any(
    r"dream(?:t|ed|ing)?(?: (?:of|that|about|i))|daydream\w*|imagin\w+|pretend\w*|wish|some ?day",
    r"in another life|what if",
    r"if (?:i|we|somebody|someone|they|he|she|you) (?:ever|had|was|were|won|gave|could|rang|called)",
    r"(?:haven't|hasn't|didn't) (?:book|pa(?:id|y)|b(?:uy|ought)|sign)\w*|in my (?:cart|basket)|put (?:\w+ ){1,4}back",
    r"bucket list|maybe|i (?:might|may)",
)
# What puts a claim off.
PLAN = _any(
    r"going to (?!the)|gonna|plan(?:s|ned|ning)?|hop(?:e|es|ing)|want(?:s|ed)? to|thinking (?:of|about)|eyeing",
    r"considering",
    r"next (?:week|month|year|summer|spring|fall|autumn|winter|january|february|march|april|may|june|july|august|september)",
    r"next (?:october|november|december)",
    r"in (?:two|three|four|a few) (?:weeks|months|days)|not before|booked for|signed up for",
)
# What ranks one thing above others.
PREFERS = _any(
    r"favou?rite|number one|no(?:thing|body|ne)\b.{0,50}\b(?:beats?|tops?|better|close|compares?|felt|tastes?)",
    r"beats? (?:them|everything|it) all|hands down|no contest|can(?:'t| not)(?: \w+)? (?:get enough|stop|put \w+ down)",
    r"or bust|devoted|obsessed|(?:above|over|than) (?:all|any|every)\w*|dethroned?|best .{0,20}\bever",
    r"lov(?:e|ed) .{0,20}\b(?:most|best|above|forever)|root(?:ed|ing)? for",
    r"unbeatable|top of my list|all[- ]time|go-to|over it any day|any (?:day|night|time)\b",
    r"ranks? first|hooked on|addicted|wins every time|swear by|spellbound",
    r"i could .{0,30}(?:forever|every day|all day|for ever)|for me it's|crazy about|new love|mad about|soft spot",
    r"all about|in love with|(?:love|adore) (?:it|them|him|her|this|that)|live for|partial to",
    r"i(?:'ll| will)? always pick|prefer",
)
# What tells of a change.
CHANGES = _any(
    r"now|anymore|any more|no longer|instead|these days|since (?:then|\w+day)|from now on|for good|officially|finally",
    r"used to|lately|so much for",
    r"(?:switch|swap|trad|replac|scrapp?|ditch|abandon|cancel|dropp?|retir|finish|sell|stopp?|ceas|mov|clos|flipp?|ripp?|dethron|convert)(?:ed|ing)",
    r"sold|gone (?:right )?off|went off|(?:broken?|split|given|gave) up|done with|turned into|became|become|quit|left",
    r"leaving|no more|new number one|over (?:it|them|that|with)|i'm over|behind (?:me|for good)|gave my|gave away",
    r"threw out|talked (?:myself|me) out|made up my mind|changed my mind|passed away|in (?:his|her) sleep|died",
    r"put (?:him|her) (?:to sleep|down)|lost (?:him|her)|is gone|in place of|not even|a new",
)
# What takes an earlier claim back.
CORRECTS = _any(
    r"actually|turns out|turned out|correct\w*|wrong|mistake\w*|mis(?:remembered|counted|spoke|took)|mixed up|oops",
    r"hold on|i(?:'ve| have) been (?:saying|telling)|told everyone|found out|checked|looked (?:it )?up",
    r"really was|in fact|not \w+ (?:like|as) i|come clean|confess\w*|instead of what",
)
# Questions that only announce what follows.
TELLS = _any(
    r"(?:have|did) i (?:tell|told|mention\w*|show\w*)|(?:do )?you know what|guess (?:who|what|where)",
    r"remember (?:the|that|my)",
)
# What makes "would" a memory and no wish.
HABIT = _any(
    r"when (?:i|we) w(?:as|ere)|as a (?:kid|child|boy|girl|teen\w*)|back then|growing up",
    r"every (?:day|week|summer|\w+day)",
)
# What adds to what was there.
MORE = _any(
    r"third|fourth|fifth|sixth|seventh|another|one more|two more|also|joined|joins?|new(?:est)?|added|extra|besides",
    r"as well|too|plus|latest|yet another|number (?:two|three|four|five|six)|again|first (?:ever|try|time)|took up",
    r"taken up|started",
)
