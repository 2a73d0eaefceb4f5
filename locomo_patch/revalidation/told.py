"""What an injected turn does to times and numbers: whether it revises something told before, tells of a thing done once more,
moves a
plan, gives a reason; and which days it names. Worked out once a turn."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date

from locomo_patch.revalidation.spans import Length, ages, contrasted, days_of_month, frequencies, lengths, number_of, ordinals
from locomo_patch.revalidation.turns import TurnReading, span_of
from twistcore.text.calendars import NUMBERS, Range

_ADMITS = re.compile(
    r"\b(?:actually|wait|hold on|oops|turn(?:s|ed) out|in fact|truth is|to be (?:fair|honest)|come clean|confess(?:ion)?"
    r"|i should (?:be honest|come clean|correct|admit|confess)|correct(?:ed)? (?:me|myself|that)|(?:did|got|had|get) .{0,22}wrong"
    r"|mixed .{0,12}up|misremember\w*|mis(?:counted|spoke|took)|(?:can't|cannot|lose|lost) count|could(?:'ve| have) sworn"
    r"|begs? to differ|(?:proved|proven) (?:me|us) wrong|set me straight|undersell\w*|shav(?:ed|ing) .{0,20}off|my mistake"
    r"|all along"
    r"|(?:longer|shorter|earlier|later|older|younger|sooner) than (?:i|we|they|he|she|the)\b|than (?:i|we) (?:thought|told|said"
    r"|remember\w*|usually|claim\w*)"
    r"|(?:told|tell|telling) (?:you|everyone|everybody|people|anyone|anybody)|(?:keep|kept|been|always|usually) (?:telling"
    r"|saying|say|tell)"
    r"|not .{0,14}(?:like|as) i|how did i|math|the story every time|so much for|i (?:was|were) off by|sharper memory"
    r"|turns me into a liar|apparently|who knew|memory|fooled|proof|proves?|clearly|all this time|in reality|really (?:was|were)"
    r"|(?:date|year|month|number|story) (?:off|wrong)|(?:days?|weeks?|months?|years?) off|never mind what|forget what|scratch that"
    r"|(?:i|we) (?:thought|believed|figured|assumed|claimed|swore|bragged)|kidding|nonsense)\b"
)
_PAPER = re.compile(
    r"\b(?:papers?|paperwork|slip|receipt|invoice|stamp(?:s|ed)?|dated|diary|journal|album|folders?|records?|ticket|passport"
    r"|booklet"
    r"|certificate|snapshot|log(?:book)?|history|calendar|contract|bracelet|on the back|the back|handwriting|printed|engraved"
    r"|timestamp|very first file|membership card|\w* pass\b|dug (?:up|out)|turned (?:it|the picture|the photo) over"
    r"|looked (?:it )?up"
    r"|checked|found|ledger|register|signature|form|forms|statement|bill|logs?|logged|clip|print|yearbook|planner|archives?|files?"
    r"|mail|e-?mail|letter|scrolled|screenshot|inbox|backup|minutes|deed|lease|contract|copy|copied|stub|tag|label|plaque"
    r"|inscription|caption|(?:says|said|shows?|proves?|swears?|reminded|corrected|insists?))\b"
)
_MOVES = re.compile(
    r"\b(?:bumped|postpone\w*|delay\w*|push(?:ed)? (?:it )?(?:back|to)|reschedul\w*|won't be|until|stays? shut|stay closed"
    r"|change of plans"
    r"|after all|no longer|instead|mov(?:ed|ing) (?:it|everything|to)|shuffle\w*|cancel\w*|fell through|off the table"
    r"|called (?:it )?off"
    r"|brought forward|it's .{0,20}now)\b"
)
_ANEW = re.compile(
    r"\b(?:again|another|one more|once more|yet another|do-over|redo|repeat\w*|more time|back (?:at|in|to|on|up|for)|went back"
    r"|as well"
    r"|too\b|two more|latest|newest|next one|fresh|new|more|also|joined|rejoin\w*)\b"
)
_REASON = re.compile(
    r"\b(?:because|since|so that|that's why|reason|helps?|keeps me|the only thing|stops|otherwise|in order|thanks to|to (?:keep"
    r"|help|show"
    r"|make|give|save|stop|feel)|the point is|figured|which is why|for the sake)\b"
)
_CALENDAR = re.compile(
    r"\b(?:(?:19|20)\d\d|\d{1,2}(?:st|nd|rd|th)|january|february|march|april|may|june|july|august|september|october|november"
    r"|december"
    r"|first|second|third|fourth|fifth|thanksgiving|christmas|easter|halloween|valentine\W?s? day|memorial day|labor day"
    r"|new year)\b"
)
_UNSURE = re.compile(
    r"\b(?:(?:i|we|he|she|it|they|that|and|or) (?:might|may)(?: well| just)?|might|haven't (?:\w+ )?(?:paid|booked"
    r"|signed|bought|entered|decided|typed|started|written)"
    r"|hop(?:e|ing) to"
    r"|think(?:ing)? (?:of|about)|thought about|price list|consider(?:ing)?|eye(?:d|ing)|tempted|someday|one day|maybe (?:i|we"
    r"|next)"
    r"|dream(?:t|ed|ing)?|i'd (?:love|like|rather|want|give|be|need|do|go|take|buy|get|try|say|pick|choose|sell|trade)\b"
    r"|if (?:i|we) (?:ever|could|had|were|get)|wish|begged off|turned (?:it|them) down|put it back"
    r"|never (?:will|again)|almost (?:bought|got|signed|went))\b"
)
_ARRIVES = re.compile(
    r"\b(?:adopt\w*|bought|got (?:a|an|another|us|myself|ourselves)|picked (?:up|out)|brought (?:him|her|it|one|them) home"
    r"|c(?:a|o)me home with"
    r"|took (?:him|her|it|one) (?:in|home)|rode home|followed|call(?:ing|ed)? (?:him|her|it|them)|(?:we|i) call|named?|joined"
    r"|arriv\w+|born"
    r"|new(?:est)? (?:member|addition|arrival|one|pup\w*|kitten|cat|dog|baby)|latest|there's (?:a|an|another)|for good|(?:is"
    r"|are) (?:mine|ours)"
    r"|(?:weeks|days|months) old|delivered|gave birth|welcomed|drove off|signed (?:the|for)|chose (?:me|us)"
    r"|out of the shelter|papers signed|chipped"
    r"|(?:is|are|he's|she's|it's) (?:ours|mine)|ours (?:now|since|for)|mine (?:now|since|for)|came (?:out|back) with"
    r"|took (?:him|her|it|them)"
    r"|moved in|showed up|tagged along|home with (?:me|us)|set for (?:three|four|five|six)|caved|gave in|couldn't (?:resist|leave)"
    r"|has a (?:new )?(?:home|sibling|brother|sister)|joins|added)\b"
)
_NUMBER_WORDS = re.compile(rf"\b(?:\d+|{'|'.join(sorted((w for w in NUMBERS if w.isalpha()), key=len, reverse=True))})\b")
_NUMBER = rf"\d+|{'|'.join(sorted((w for w in NUMBERS if w.isalpha()), key=len, reverse=True))}"
# How many there are now: "that makes four", "the three of them", "we were four", "set for five".
_TALLY = re.compile(
    rf"\b(?:that's|that makes|makes|makes it|making|we're|we are|we were|there are|there's|up to|now|all|set for|total of|counting"
    rf"|a family of|(?:i|we) have|my|our) (?P<a>{_NUMBER})\b(?! (?:hundred|thousand|years?|months?|weeks?|days?|hours?"
    rf"|minutes?|times?))"
    rf"|\b(?P<b>{_NUMBER}) (?:of (?:them|us|mine|ours)|now|in (?:all|total)|altogether)\b"
)
_YEAR = re.compile(r"(?<![\d$-])((?:19|20)\d\d)(?![\d-])")
DATED_ALONE = 0.4
_RECENT_DAYS = 45
_PAST_DAYS = 24


@dataclass(frozen=True, slots=True)
class Told:
    """A turn's dealings with time and number. Scores go from 0 to 1."""

    admits: float
    paper: float
    revises: float
    moves: float
    anew: float
    reason: float
    lengths: tuple[Length, ...]
    denied: tuple[float, ...]
    ages: tuple[float, ...]
    ordinals: tuple[int, ...]
    often: tuple[str, ...]
    past: tuple[Range, ...]
    recent: tuple[Range, ...]
    coming: tuple[Range, ...]
    days: tuple[int, ...]
    unsure: float
    arrives: float
    numbers: tuple[int, ...]
    tally: tuple[int, ...]


def told_of(reading: TurnReading) -> Told:
    """What a turn does to times and numbers; kept with the reading."""
    found: Told | None = reading.kept.get("told")
    if found is None:
        found = reading.kept["told"] = _read(reading)
    return found


def _read(reading: TurnReading) -> Told:
    text = reading.turn.text
    lowered = text.lower().replace("’", "'")
    day = reading.turn.day
    named: list[Range] = []
    ago: list[Range] = []
    recent: list[Range] = []
    coming: list[Range] = []
    for time in reading.times:
        if not time.dated or time.first is None or time.last is None:
            continue
        first, last = span_of(time, day)
        if _explicit(time.text):
            named.append((first, last))
        elif (day - last).days > _PAST_DAYS:
            ago.append((first, last))
        if first > day or (last > day and first >= day):
            coming.append((first, last))
        elif (day - last).days <= _RECENT_DAYS and (last - first).days <= _RECENT_DAYS:
            recent.append((first, last))
    taken = " ".join(time.text for time in reading.times)
    for year in _YEAR.findall(lowered):
        if year not in taken and int(year) <= day.year:
            named.append((date(int(year), 1, 1), date(int(year), 12, 31)))
    past = named or ago  # What is only "last year" beside a date is what was thought before.
    days = days_of_month(text)
    said = lengths(text)
    denied = contrasted(text) if said else ()
    denied = (*denied, *(length.number for length in said if length.denied))
    admits, paper = float(_ADMITS.search(lowered) is not None), float(_PAPER.search(lowered) is not None)
    valued = bool(past or said or days or ages(text))
    # A calendar date that is told of something past sets it there, whatever else is said.
    pinned = DATED_ALONE * bool(named or days)
    revises = (1 - (1 - 0.6 * admits) * (1 - 0.4 * paper) * (1 - 0.7 * bool(denied)) * (1 - pinned)) if valued else 0.2 * admits
    return Told(
        admits=admits,
        paper=paper,
        revises=revises,
        moves=float(_MOVES.search(lowered) is not None),
        anew=float(_ANEW.search(lowered) is not None or bool(ordinals(text))),
        reason=float(_REASON.search(lowered) is not None),
        lengths=said,
        denied=denied,
        ages=ages(text),
        ordinals=ordinals(text),
        often=frequencies(text),
        past=tuple(past),
        recent=tuple(recent),
        coming=tuple(coming),
        days=days,
        unsure=float(_UNSURE.search(lowered) is not None),
        arrives=float(_ARRIVES.search(lowered) is not None),
        numbers=_numbers(lowered),
        tally=tuple(int(n) for match in _TALLY.finditer(lowered) if (n := number_of(match["a"] or match["b"])) is not None),
    )


def _numbers(lowered: str) -> tuple[int, ...]:
    found = [number_of(match.group()) for match in _NUMBER_WORDS.finditer(lowered)]
    return tuple(int(number) for number in found if number is not None)


def _explicit(text: str) -> bool:
    """Whether an expression names a calendar day, month or year and not only how long ago."""
    return _CALENDAR.search(text.lower()) is not None
