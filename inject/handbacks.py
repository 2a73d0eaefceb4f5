"""Handing back: whether the last turn of a bridge goes back to what the turn before it was about (DESIGN.md rule 3).

Judged from words alone, of whoever wrote them: by the loop before an item is taken, and by `twist check` on a release.
"""

from __future__ import annotations

import re

_THANKS = re.compile(
    r"\b(?:thank|thanks|thx|appreciate|grateful|means (?:a lot|so much|the world)|your support|so sweet|so kind)\b", re.I
)
_CHEERS = re.compile(
    r"\b(?:keep (?:it|going|pushing|at it|up|on|doing|shining|being)|(?:you've )?got this|root(?:ing)? for|cheer(?:ing)?\b|"
    r"proud of|believ\w+ in you|good luck|go for it|can't wait|wish(?:ing)? you|hope (?:it|you|that)|behind you|on your side|"
    r"you can (?:do|make|count)|you'll (?:do|be|get|make|nail|rock|find|always)|by your side|here for you|faith in you|well done|"
    r"don't (?:give up|stop|let|forget)|never (?:give up|stop)|great job|kudos|you deserve|earned it|way to go|all the best|"
    r"you're (?:doing|so|such|going|amazing|awesome|killing|on|an?)|fingers crossed|support(?:ing)? you|excited (?:for|to)|"
    r"here to back you|happy for you|looking forward|stay (?:strong|positive)|inspiring|"
    r"your (?:\w+ ){0,2}(?:is|are) (?:\w+ )?(?:awesome|amazing|great|incredible))",
    re.I,
)
_ADDRESSES = re.compile(r"\b(?:you(?:r|rs|'re|'ve|'ll|rself)?|keep|stay)\b", re.I)
# A turn that goes on so needs the words before it: encouragement of another wording gives its pronoun nothing to stand for.
_POINTS_BACK = re.compile(r"(?:It|That|This) (?:really|gives|helps|is|was|makes|sounds)\b|(?:They|Those|These)\b")
# Words that name no matter: function words, and the praise, thanks and feeling that any two turns may share.
_EMPTY_WORDS = """
a about above absolutely after again ago agree ah all almost along already also although always am amazing an and another any
anyone anything anyway appreciate are around as ask at aw away awesome aww back bad be beat beautiful became because been before
being believe best bet better big bit bring but by bye came can can't care come congrats cool could couldn't cute deal definitely
did didn't different do does doesn't doing don't done down during each easy either else end enjoy enough even ever every everyone
everything exactly excited exciting extra fan fantastic far fascinating favorite feel feeling felt few fill find first for forever
forget found from fun funny gave get getting give glad go goes going gonna good got gotta gotten grateful great guess had haha
hang happen happy hard has have haven't having he he's hear heard hello her here hey hi him his honestly hope hopefully how huge i
i'd i'll i'm i've idea if im important impressed impressive in incredible inspire inspired inspiring interested interesting into
is isn't it it'd it'll it's its just keep kind knew know last lately later least left let let's like listen little lol long look
looking looks lot lots love loved lovely loving lucky made make makes making many matter may maybe me mean means meant mention
might mind mine missed moment more most mr much must my need never new next nice no nope not nothing now of off often oh ok okay
old omg on once one ones only onto open or other our ours out over own perfect person pic point possible pretty proud pumped put
quite rather ready real really reason reckon relate remember remind right said same saw say saying see seeing seem seems seen
sense seriously several shall share shared sharing she she's should since small smile smiling so some someone something sometimes
soon sorry sort sound sounds special start still stoked stuff such super supportive sure sweet take talk talking tell telling
thank thankful thanks that that'd that's the their them then there there's these they they're they've thing things think thinking
this those though thought thoughtful three thrilled through time times to today together told tomorrow tonight too took totally
tough tried true truly try trying turn two under until up upon us use used usually very wait wanna want wanted was wasn't way ways
we we're we've well went were what what's whatever when where which while who whole why will wish with without won't wonderful
worth would wouldn't wow yeah year years yep yes yesterday yet you you'd you'll you're you've your yours yourself yup
"""
_EMPTY = frozenset(_EMPTY_WORDS.split())
# Words that name a matter only as nouns: after an article, a possessive or a preposition, or at the head of a sentence.
_ORDINARY_WORDS = "show shows help support work life day people world heart place chance word words part side news"
_ORDINARY = frozenset(_ORDINARY_WORDS.split())
_BEFORE_NOUN = (
    "the|that|those|this|these|some|any|no|much|more|my|your|our|his|her|their|"
    "about|of|for|with|to|on|without|by|in|like|into|over|from|at|is"
)
_AS_NOUN = re.compile(rf"(?:(?:^|[.!?,;])\W*|\b(?:{_BEFORE_NOUN})\s+)(?:[a-z-]+\s+)?({'|'.join(sorted(_ORDINARY))})\b")


def hands_back(before: str, last: str, following: str, speakers: tuple[str, ...]) -> bool:
    """Whether the last turn names what the turn before was about, or encourages again where thanks for encouragement follow."""
    named = naming_words(before, speakers) & naming_words(last, speakers)
    return bool(named) or _cheers_on(before, last, following)


def naming_words(text: str, speakers: tuple[str, ...] = ()) -> frozenset[str]:
    """The stems of the words of a text that can name what it is about; how the two call each other names nothing."""
    text = text.lower().replace("\u2019", "'")
    nouns = {match[1] for match in _AS_NOUN.finditer(text)}
    words = {word.removesuffix("'s") for word in re.findall(r"[a-z]+(?:'[a-z]+)?", text) if len(word) > 2 and word not in _EMPTY}
    called = {word for word in words if any(name.lower().startswith(word.rstrip("ls")) for name in speakers)}
    return frozenset(_stem(word) for word in words - called if word not in _ORDINARY or word in nouns)


def _stem(word: str) -> str:
    for ending, put in (("ies", "y"), ("sses", "ss"), ("ing", ""), ("ed", ""), ("es", "e"), ("s", "")):
        if word.endswith(ending) and len(word) - len(ending) >= 3 and not word.endswith("ss"):
            word = word[: -len(ending)] + put
            break
    return word.removesuffix("e")


def _cheers_on(before: str, last: str, following: str) -> bool:
    """Whether encouragement is followed by more of it, and then by thanks that answer both; such turns name no matter."""
    closing, answer = _sentences(last)[-1], _sentences(following)[:3]
    points = any(_POINTS_BACK.match(sentence) for sentence in answer)
    return bool(_THANKS.search(" ".join(answer)) and _CHEERS.search(before) and _ADDRESSES.search(closing)) and not points


def _sentences(text: str) -> list[str]:
    return re.split(r"(?<=[.!?])\s+", text.strip())
