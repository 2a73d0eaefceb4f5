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
    r"bucket list|maybe|i (?:might|may)|pric(?:ing|ed)|window[- ]shopping|tempted|fantasi[sz]\w+|if i had",
    r"talk(?:s|ing|ed)? about|toy(?:ing)? with",
    r"nobody has|almost|nearly (?:bought|got|signed|went|said)|beg(?:ged|ging)|never so much as|suppos\w+|rumou?r",
    r"in theory|one day",
)
# What undoes the sentence before it: it was only talk.
TAKES_BACK = _any(
    r"never (?:did|do|have|had|happened|will|got|went|been|so much|once|even|bought|tried|actually|really)",
    r"no way|not a chance|nobody (?:has|ever)|not yet|haven't (?:yet|actually|booked|bought|signed|decided|told)",
    r"only talk|just talk",
    r"stays in my head|all in my head|woke up|in my dreams|then i (?:said no|passed|walked away|put it back)",
    r"didn't (?:happen|last|buy)",
    r"(?:i|we) (?:passed|declined|said no|chickened out|backed out|left without|left it there|walked away)",
    r"turned (?:it|them|her|him) down",
    r"begged off|(?:i|we) (?:said|told them) no|skipped (?:it|both|that)|didn't (?:go|get|buy|join|sign|try|stay|play|touch)",
    r"changed (?:my|our) mind|fell through|came to nothing|if only|just kidding|only joking",
    r"just a (?:dream|thought|daydream|fantasy)",
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
    r"i(?:'ll| will)? always pick|prefer|crown\w*|throne|right up there|the one i(?:'d| would)? \w+|i'd pick|reign\w*",
    r"to bits|my jam",
    r"nothing (?:since|else|on|in)\b.{0,40}\b(?:near|close|better|like)|above (?:all|everything)",
    r"top (?:spot|slot|pick|five|three|ten)",
    r"heart belongs|always come back to|can't resist|never (?:tire|get tired) of|take .{0,20} over",
)
# What tells of a change.
CHANGES = _any(
    r"now|anymore|any more|no longer|instead|these days|since (?:then|\w+day)|from now on|for good|officially|finally",
    r"used to|lately|so much for",
    r"(?:switch|swap|trad|replac|scrapp?|ditch|abandon|cancel|dropp?|retir|finish|sell|stopp?|ceas|mov|clos|flipp?"
    r"|ripp?|dethron|convert)(?:ed|ing)",
    r"sold|gone (?:right )?off|went off|(?:broken?|split|given|gave) up|done with|turned into|became|become|quit|left",
    r"leaving|no more|new number one|over (?:it|them|that|with)|i'm over|behind (?:me|for good)|gave my|gave away",
    r"shelv(?:e|ed|ing)|pivot\w*|all in on|handed in|lost (?:its|their)|knocked .{0,20}off|pushed .{0,20}off|empty now|overtak\w+",
    r"(?:traded|swapped) (?:in|out)|moved on|no longer|hung up|hang up|packed in|put away|left behind|outgrown|swore off|cut out",
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
    r"taken up|started|second|round two|came home with|along with|on the list|picked up|brand[- ]new|for the first time",
    r"just (?:got|finished)",
)
