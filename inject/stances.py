"""What a proposal is about and which way its stance points, read off its topic and belief sentences.

Gates ask it: which words of a turn are on the topic, and does a clause state the contrary of the anchor's stance as a fact?
Sources: TWIST paper section 4.3 (reversal arcs and their hard negatives), DESIGN.md rules 5 and 6.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import TYPE_CHECKING

from inject.proposals import Proposal
from twistcore.text.classes import is_a, known, related, same_theme, same_word
from twistcore.text.claims import (
    Clause,
    Modality,
    Subject,
    Tense,
    clauses,
    is_ceasing,
    is_negator,
    lemma_of,
    plain,
    words,
)
from twistcore.text.parses import Parser

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

NOMINAL = frozenset({"NOUN", "PROPN"})
LIGHT_VERBS = frozenset(
    "have own get do be go use take make live keep give let try want start stop quit like love hate watch eat drink buy wear play "
    "ride learn join switch sell move pay put stay come see need think say tell consider prefer refuse drop plan believe read write "
    "run work share listen enjoy find bring add become turn set look show host spend call leave visit hold meet".split()
)
LIGHT_NOUNS = frozenset(
    "thing time day week month year way life lot kind sort morning evening night home house place people person friend family "
    "part bit stuff idea anything something everything regularly show work one hour minute world".split()
)
VAGUE = frozenset(
    "never always ever again longer often regularly every daily weekly monthly now anymore once own his her their new old "
    "really also only much more most very all no not would will set firmly happy good great favorite big little long first last "
    "several many different whole else still instead dropped firm certain sure way against".split()
)
REFERRING = frozenset({"it", "them", "one", "her", "him", "she", "he", "this", "these", "those", "that", "ones", "its", "mine", "both", "any", "some"})


class Direction(StrEnum):
    """Which way the anchor points: refusing the topic, holding on to it, or holding one of two views."""

    AVOID = "avoid"
    KEEP = "keep"


@dataclass(frozen=True)
class Word:
    """A content word with its tokens; hyphenated compounds are one word."""

    lemma: str
    pos: str
    token: Token


def content_words(doc: Doc) -> list[Word]:
    """Content words of a text in order, compounds joined by a hyphen taken as one."""
    out: list[Word] = []
    skip = -1
    for token in doc:
        if token.i <= skip or token.is_punct or token.is_space:
            continue
        end = token.i
        while end + 2 < len(doc) and doc[end + 1].text == "-" and not doc[end].whitespace_ and not doc[end + 1].whitespace_:
            end += 2
        if end > token.i:
            last = doc[end]
            out.append(Word("".join(part.lower_ for part in doc[token.i : end]) + lemma_of(last), last.pos_, last))
            skip = end
            continue
        if token.pos_ in ("NOUN", "PROPN", "VERB", "ADJ", "NUM", "ADV") and not token.is_stop and token.is_alpha:
            out.append(Word(_lemma(token), token.pos_, token))
    return out


@lru_cache(maxsize=8192)
def _singular(lower: str) -> str:
    if len(lower) > 4 and lower.endswith("ies"):
        return lower[:-3] + "y"
    if len(lower) > 3 and lower.endswith("s") and not lower.endswith(("ss", "us", "is")):
        return lower[:-1]
    return lower


def _lemma(token: Token) -> str:
    lemma = lemma_of(token)
    if token.pos_ in NOMINAL and lemma == token.lower_ and not known(lemma, "n"):
        return _singular(lemma)
    return lemma


@dataclass(frozen=True)
class Topic:
    """Words of the matter: `heads` name it, `verbs` do it, `beliefs` come with it in the belief sentences."""

    heads: frozenset[str]
    cores: frozenset[str]
    verbs: frozenset[str]
    beliefs: frozenset[str]
    new_only: frozenset[str]
    acts: frozenset[str]
    direction: Direction

    @property
    def all(self) -> frozenset[str]:
        """Every topic word."""
        return self.heads | self.verbs | self.beliefs | self.new_only

    @lru_cache(maxsize=4096)  # noqa: B019
    def strength(self, lemma: str) -> int:
        """3 for a topic word itself, 2 for its kind or class or a belief word, 1 for a word of the same matter, else 0."""
        if any(_same(lemma, head) for head in self.heads):
            return 3 if any(_same(lemma, head) for head in self.cores) else 2
        if any(_same(lemma, other) for other in self.new_only | self.beliefs | self.verbs):
            return 2
        if any(related(lemma, head) for head in self.cores):
            return 2
        if any(related(lemma, other) for other in self.beliefs | self.heads | self.new_only):
            return 1
        if any(same_theme(lemma, head) for head in self.heads | self.new_only | self.verbs):
            return 1
        return 0

    def named_by(self, lemma: str) -> bool:
        """Whether a word names the matter itself: its head, a kind of its head, or what is done with it."""
        if any(_same(lemma, core) or is_a(lemma, core) for core in self.cores | self.verbs):
            return True
        return len(self.heads) > len(self.cores) and any(_same(lemma, head) for head in self.heads)

    def mentions(self, tokens: Iterable[Token], least: int = 2) -> list[Token]:
        """Tokens that are on the topic."""
        return [token for token in tokens if _may_mention(token) and self.strength(_lemma(token)) >= least]


def _same(a: str, b: str) -> bool:
    if same_word(a, b):
        return True
    if "-" in a or "-" in b:
        return a.replace("-", "") == b.replace("-", "") or (len(a) > 3 and a in b.split("-")) or (len(b) > 3 and b in a.split("-"))
    return False


def _may_mention(token: Token) -> bool:
    return token.pos_ in ("NOUN", "PROPN", "VERB", "ADJ", "ADV", "X") and not token.is_stop and token.is_alpha


def topic_of(proposal: Proposal, parser: Parser) -> Topic:
    """The topic of a proposal."""
    names = {part.lower() for turn in proposal.turns for part in turn.speaker.split()} | set(proposal.holder.lower().split())
    return topic_from(proposal.topic, proposal.old_belief, proposal.new_belief, frozenset(names), parser)


@lru_cache(maxsize=512)
def topic_from(topic_text: str, old_text: str, new_text: str | None, names: frozenset[str], parser: Parser) -> Topic:
    """A topic from its name and belief sentences; `names` are the speakers', in lower case."""
    topic = _chosen(parser.parse(topic_text), names)
    old = _chosen(parser.parse(old_text), names)
    new = _chosen(parser.parse(new_text), names) if new_text else []
    heads = {word.lemma for word in topic if word.pos in NOMINAL and word.lemma not in LIGHT_NOUNS}
    verbs = {word.lemma for word in topic if word.pos == "VERB" and word.lemma not in LIGHT_VERBS}
    adjectives = {word.lemma for word in topic if word.pos in ("ADJ", "ADV") and word.lemma not in VAGUE}
    if not heads and not verbs:
        heads = {word.lemma for word in topic if word.lemma not in VAGUE and word.lemma not in LIGHT_VERBS} or {
            word.lemma for word in topic if word.lemma not in VAGUE
        }
    if not heads and not verbs:
        heads = {word.lemma for word in old if word.pos in NOMINAL}
    if not heads:
        heads = set(verbs)
    cores = {word.lemma for word in topic if word.lemma in heads and word.token.dep_ not in ("compound", "amod", "nmod")} or heads
    usable = lambda found: {  # noqa: E731
        word.lemma
        for word in found
        if word.lemma not in VAGUE and word.lemma not in LIGHT_VERBS and word.lemma not in LIGHT_NOUNS and word.pos not in ("NUM", "ADV")
    }
    olds, news = usable(old), usable(new)
    return Topic(
        heads=frozenset(heads),
        cores=frozenset(cores),
        verbs=frozenset(verbs),
        beliefs=frozenset((olds | adjectives) - heads),
        new_only=frozenset(news - olds - heads),
        acts=frozenset(word.lemma for word in (*topic, *old, *new) if word.pos == "VERB"),
        direction=direction_of(old_text),
    )


def _chosen(doc: Doc, names: frozenset[str]) -> list[Word]:
    return [word for word in content_words(doc) if word.lemma not in names and _singular(word.token.lower_) not in names]


CEASED_STATE = re.compile(
    r"\b(?:dropped|quit|sold|gave up|given up|no longer|stopped|cancel\w*|abandon\w*|left|ended|gave away|given away|got rid|let (?:\w+ ){1,3}(?:lapse|go)|"
    r"moved out|doesn't|does not|do not|don't|without|ditched|broke|called off|retired|has left|swapped|replaced|switched (?:from|away)|"
    r"out of|unsubscribed|deleted|closed|divorc\w*|threw|scrapped|walked away|traded|hates?|avoids?)\b"
)
HELD = re.compile(
    r"\b(?:never|not|n't|won't|refuses? to|no) (?:\w+ ){0,2}?(?:give|giving|gives|stop|quit|sell|leave|cancel|part with|let go|trade|drop|miss|skip|abandon|replace|"
    r"swap|change|switch (?:from|away)|move away|move out|get rid|throw|ditch|be without|go without|live without|lose|break|stray|part|retire|unsubscribe|delete|back out|use anything (?:but|other)|(?:\w+ )?anything (?:but|other|else)|(?:\w+ )?without)\b"
)
DENIED = re.compile(
    r"\b(?:never|not|no|n't|won't|doesn't|isn't|can't|cannot|refuses?|hates?|avoids?|against|dislikes?|loathes?|despises?|detests?|swore off|sworn off|"
    r"gave up|given up|quit|nothing|without|rejects?|opposed|uninterested|anti|scared|afraid|terrified|allergic|done with|skips?|bans?|"
    r"stays? away|keeps? away|out of|can not|rather not|no interest|unwilling|impossible|waste|overrated|boring|pointless|neither|distrusts?|declines?)\b"
)


@lru_cache(maxsize=1024)
def direction_of(old: str) -> Direction:
    """Which way the stance points. A denied cessation ("will never give up") holds on; any other denial refuses."""
    text = plain(old)
    if HELD.search(text):
        return Direction.KEEP
    if DENIED.search(text):
        return Direction.AVOID
    return Direction.KEEP


GONE = re.compile(
    r"\b(?:(?:is|are|'s|'re|was|were|been|all|long) (?:\w+ )?(?:gone|over|history|sold|cancel\w+|closed|off|empty|finished|through|done)\b|no more\b|instead of|"
    r"found (?:it |them |her |him )?(?:a |its )?new (?:home|owner)|(?:a )?new owner|in the (?:trash|bin|donation|recycling|dumpster)|to (?:goodwill|charity|the (?:thrift|library|dump|donation))|"
    r"swapp?ed|replac\w+|switch(?:ed|ing)|trad(?:ed|ing) (?:in|it|my|the)|laps(?:e|ed)|expire[ds]?|moved (?:out|to|into|away|over)|took (?:over|the place)|without (?:a|an|any|my|the)\b|"
    r"(?:no|zero) \w+ (?:in|at|on|for)\b|broke up|split up|free of|ended|took down|(?:is|are) out\b|by the curb|on the curb|on ebay|signed the|never looked back|"
    r"last (?:one|of|bottle|box|day)|took .{1,30} off|handed (?:in|over|back|my|the)|gave (?:my|the|it|them|all|away|up)|took my name off|turned in|stays? (?:in the|off)|hasn't been|haven't)"
)
NEAR_MISS = re.compile(
    r"\b(?:(?:almost|nearly|just about) (?:\w+ed\b|bought|got|had|went|gave|said|took|ate|quit|sold|did|made|signed|caved|joined|bit|put|let|hit|wore|drank|broke|tried|sent|pulled|"
    r"walked|became|came|threw|tempted|talked|clicked|ordered|paid|there|ready|enough|convinced|a )|came (?:so |this |very |really |pretty )?close|(?:so|this|that|very|really|sorely|half|a bit|kind of|pretty|a little|super) tempted|was tempted|i'm tempted|"
    r"(?:think|thinking|thought|dream|dreaming|toy(?:ed|ing)|play(?:ed|ing)|flirt(?:ed|ing)|mulling|mull) (?:hard |seriously |long |a lot |more and more |a bit )?(?:about|of|over|with the idea|around with)|"
    r"consider(?:ed|ing)?\b|might (?:\w+ )?\w+|maybe (?:i|we|one|some|next|it)|on the fence|half a mind|haven't (?:decided|made up|signed|bought|pulled|committed)|"
    r"chickened out|backed out|changed my mind at|put (?:it|them) back|walked (?:out|away) without|window.?shopp|brows(?:ed|ing)|researching|"
    r"(?:plan|planning|plans|hope|hoping|want|wants|wanting|intend|intending|going|gonna|ready|about|looking forward|saving up|tempted|would love|'d love|would like|'d like|wish|itching|dying) to\b|"
    r"someday|one day i|some day|down the road|in the future|next (?:year|spring|summer|fall|month)|saving (?:up )?for|on my (?:wish ?list|bucket list)|wait ?list|"
    r"close to (?:\w+ing)|on the verge|about to|trying to decide|debating|weighing|wondering (?:if|whether)|could see myself|looking into|getting closer to)"
)
ONE_OFF = re.compile(
    r"\b(?:test (?:ride|rode|drive|drove)|test-(?:ride|rode|drive|drove)|free trial|trial (?:week|month|run|class|period|membership)|on trial|sample|demo|taster|rented|borrow(?:ed|ing)|rental|loaner|on loan|(?:just |only )?for (?:one|the|a single) (?:night|evening|afternoon|day|weekend|photo|picture|party|shoot|play|show|scene|video|ceremony|event)|stays? with (?:us|me) (?:until|till|for|while)|just (?:this|that|the) once|only (?:this|that|the) once|just once|only once|one[- ]time|one[- ]off|(?:that|this) one time|as a favou?r|"
    r"(?:for|doing) (?:a|my|his|her|their|our) (?:\w+ ){0,3}(?:costume|prank|bet|dare|photo shoot|movie role|role|part in a play|experiment|school project|skit|charity stunt)|"
    r"lost a bet|on a dare|to settle a bet|on (?:his|her|their) behalf|(?:dog|cat|pet|house|baby)[- ]?s(?:at|it|itting)\b|looking after|watching (?:it|her|him|them|\w+) for|"
    r"fill(?:ed|ing) in for|stand(?:ing)? in for|(?:was|were|is|are|'s) (?:only |just )?(?:borrowed|rented|on loan|a loaner)|to please|out of politeness|to be polite|"
    r"back to (?:normal|usual) (?:tomorrow|today|now)|never again|won't (?:happen|do (?:it|that)) again|(?:first|one) and (?:only|last)|goes (?:back|home) (?:on|to|tomorrow|next)|until (?:she|he|they) (?:get|come|return|is|are)|"
    r"while (?:she|he|they|my \w+|the \w+|\w+)(?:'s|'re| is| are| was| were) (?:away|out of town|on vacation|in the hospital|abroad|traveling|travelling|recovering|on (?:his|her|their))|by (?:accident|mistake)|accidentally|by the time i (?:noticed|realized)|mistook|"
    r"pick(?:ed|ing) (?:it |them |some |one )?up for (?:my|a|the)|(?:bought|got|ordered|made|baked|cooked|grabbed|picked up|wrapped) .{0,40}\bfor (?:my (?:sister|brother|mom|mother|dad|father|neighbor|neighbour|cousin|niece|nephew|aunt|uncle|grandma|grandpa|grandmother|grandfather|boss|coworker|colleague|roommate|friend|buddy|husband|wife|partner|girlfriend|boyfriend|kids?|son|daughter|client|teammate|parents|in-laws|guests?)|a (?:friend|neighbor|coworker|client|customer|guest))\b)"
)
PAUSED = re.compile(
    r"\b(?:on (?:hold|pause|ice|a break)|(?:taking|took|having|had|need|needed) (?:a|an|some|a little|a short|a quick|a small) (?:\w+ )?(?:break|pause|breather|time off|week off|day off|rest)|froze (?:my|the)|frozen|"
    r"skip(?:ped|ping) (?:\w+ ){0,4}(?:once|twice|this week|today|last night|one|a)|missed (?:one|a|last|two|this|yesterday's)|(?:back|return) (?:at it|on it|next|in (?:a|two|three)|on monday|on tuesday|tomorrow|by)|(?:be|am|'ll be) back\b|just for (?:now|this|a)|for (?:the time being|now)\b|"
    r"until (?:spring|summer|fall|winter|my|the|i'm|it|next|after)|listed (?:it|the|my|our)|(?:we|i) listed|(?:up )?for sale\b|on the market|asking price|lent|loaned|cancellation form|sabbatical|temporarily|short break)\b"
)
SUBSTITUTE = re.compile(
    r"\b(?:toy|plush\w*|stuffed|virtual\w*|vr|simulat\w+|avatar|animated|cartoon|plastic|faux|fake|artificial|imitation|mock|replica|"
    r"vegan|plant[- ]based|veggie|meatless|meat-free|soy|tofu|tempeh|seitan|beyond burgers?|impossible burgers?|mushrooms?|jackfruit|decaf\w*|caffeine[- ]free|chicory|non-?alcoholic|alcohol[- ]free|zero[- ]proof|mocktails?|dealcoholi[sz]ed|"
    r"sugar[- ]free|gluten[- ]free|dairy[- ]free|lactose[- ]free|cruelty[- ]free|herbal|temporary|henna|stick[- ]on|clip[- ]on|wash[- ]out|washable|peel[- ]off|press[- ]on|removable|sticker|decal|inflatable|you'd (?:swear|think) (?:it|they|he|she) (?:was|were)|made (?:out )?of (?:bronze|stone|clay|metal|concrete|porcelain|wax|chocolate|sugar|fondant|marzipan|glass|wood|felt|yarn|wool|paper)|(?:washes|peels|wears|rubs|fades|comes) (?:right |straight )?off|filled with herbs|\w+-(?:shaped|scented|flavou?red|themed|patterned|free)|cardboard|papier|paper|lego|"
    r"miniature|mini|model|robot\w*|electronic|ceramic|wooden|clockwork|battery[- ]powered|tamagotchi|hologram|costume|props?|dummy|rubber|knitted|crochet(?:ed)?|embroidered|painted|drawing|poster|statue|figurine|ornament|wallpaper|screensaver|"
    r"graphics|headset|joystick|this game|the game|in (?:every|a|the|one) scene|from (?:the|my) (?:\w+ )?(?:couch|sofa|armchair|chair|living room|recliner)\b|in (?:a|the|my) (?:\w+ )?(?:video ?game|dream|game|simulator|app|movie|painting|novel|story)|pretend|make[- ]believe|air guitar|look-?alike|knock-?off|stunt double|body double|wig|green screen|stock photos?|body doubles?)\b"
)
BALKED = re.compile(
    r"\b(?:as far as (?:my|the)|put (?:it|the \w+|them|mine|my \w+) (?:back|down)\b|pushed (?:it|the \w+|them|mine) (?:away|across|aside)|slid (?:it|the \w+|them) (?:back|away|across|over)|couldn't (?:do it|go through|bring myself|make myself|get (?:it|one|them) (?:down|past)|swallow|click|press|sign)|"
    r"(?:lost|losing) my nerve|chickened|bailed|got cold feet|at the last (?:minute|second|moment)|sp(?:a|i)t (?:it|them|one) (?:out|back)|turned (?:around|back)\b|walked (?:away|back out|right out|right past)|never (?:actually |even )?(?:went|got|took|made|did|tried|touched|left the|pressed|clicked)|"
    r"didn't (?:actually |even )?(?:go through|buy|take|get|touch|eat|do it|sign|press|click|finish|make it|end up)|closed the (?:tab|app|browser|laptop|page)|(?:left|leaving) (?:it|them) (?:untouched|unopened|in the (?:box|cart|bag)|there)|still (?:in the|unopened|wrapped|sealed)|"
    r"deleted (?:it|the cart|my cart)|emptied (?:the|my) cart|took (?:it|them) back to the|crossed (?:it|my name|mine) (?:out|off)|scratched (?:it|my name) (?:out|off)|took my name off|and went home\b|went home without|took the (?:bus|train|car) (?:home|back|instead)|returned (?:it|them)|fed (?:it|them) to|gave (?:mine|it|them) to|handed (?:it|them|mine) (?:back|over|off)|ran (?:out(?! of)|off|away)|hid (?:in|behind|under)|ended up (?:with|ordering|having|going|staying) )"
)
UNDERCUT = re.compile(
    r"(?:^|[.!?,;:-]\s*)(?:well|okay|ok|or rather|i mean|to be fair|fine|alright|haha|lol),? (?:(?:technically|actually|really|strictly speaking),? )?(?:(?:my|the|a|his|her|their|our) (?:[\w-]+ ){1,4}(?:did|does|was|is|had|has|were|do|are|have)\b|"
    r"(?:in|on) (?:a|the|my) (?:video ?game|game|dream|simulator|headset|app|screen|tv|cartoon)|not (?:me|really|exactly|the real)|almost|in my (?:dreams|head|imagination)|at least (?:in|on)|on paper|it (?:was|is|'s) (?:my|his|her|their|our|a) (?:\w+ ){0,2}\w+'s\b|(?:it|they|she|he)(?:'s| is|'re| are| belongs?) (?:to )?(?:my (?:sister|brother|mom|dad|neighbor|cousin|roommate|friend|boss|niece|nephew|son|daughter|wife|husband|grandma|grandpa|aunt|uncle)(?:'s)?))|(?:tastes|looks|smells|feels|sounds) (?:just |exactly |almost |nearly )?like (?:the )?real (?:thing|one|deal)|no (?:actual|real) \w+|(?:not|isn't|wasn't|aren't|weren't) (?:actual|real|the real)\b|(?:'s|is|are|was|were) not mine\b|isn't mine\b|belongs? to (?:my|the|a|his|her|our) \w+|"
    r"\b(?:just kidding|kidding|jk|not really|psych|only joking|just joking|gotcha|(?:then|and|until|till|before|when) i woke up|woke up (?:sweating|laughing|in a sweat|right before)|turned out to be (?:a|an|my)|it was (?:all )?(?:a|just a|only a) (?:dream|joke|prank))\b"
)


@dataclass(frozen=True)
class Reading:
    """A turn read against a topic: its clauses, which are on the topic, and how much they say."""

    doc: Doc
    topic: Topic
    found: tuple[Clause, ...]
    named: frozenset[int]

    def on_topic(self, clause: Clause, least: int = 2) -> bool:
        """Whether a clause names the topic, or refers to it by a pronoun after it was named in the turn."""
        if self.topic.mentions(clause.tokens, least):
            return True
        start = min((token.i for token in clause.tokens), default=0)
        if not any(index < start for index in self.named):
            return False
        return any(token.lower_ in REFERRING and token.pos_ in ("PRON", "DET", "NUM", "NOUN") and token.dep_ != "expl" for token in clause.tokens)


@lru_cache(maxsize=1024)
def read_turn(text: str, topic: Topic, parser: Parser) -> Reading:
    """Read one turn against a topic."""
    doc = parser.parse(text)
    return Reading(doc, topic, tuple(clauses(doc)), frozenset(token.i for token in topic.mentions(doc)))


FACT_TENSES = (Tense.NOW, Tense.PAST, Tense.NONE)
WEAK_PREDICATES = frozenset(
    "miss remember recall say tell hear see notice think know guess wish hope imagine dream wonder ask laugh joke smell picture pass believe suppose "
    "decline refuse keep_saying watch_others".split()
)


def flips(reading: Reading) -> list[Clause]:
    """Clauses that state the contrary of the topic's stance as a fact of the speaker's."""
    test = _takes_up if reading.topic.direction is Direction.AVOID else _lets_go
    return [clause for clause in reading.found if _is_fact(clause) and test(clause, reading)]


def _is_fact(clause: Clause) -> bool:
    return clause.modality is Modality.ASSERTED and clause.tense in FACT_TENSES and clause.subject is not Subject.SECOND


def _takes_up(clause: Clause, reading: Reading) -> bool:
    """An affirmed clause on the topic that is the speaker's."""
    if clause.predicates and clause.predicates[0] in WEAK_PREDICATES:
        return False
    if not reading.on_topic(clause) or person_of(clause):
        return False
    text = plain(clause.text)
    if not _participates(clause, reading):
        return False
    affirmed = clause.affirmed or (clause.negated and bool(re.search(r"\bwithout\b|\bn't just\b|\bnot (?:just|only)\b|\bmore\b", text)))
    return affirmed and (clause.own or owned_mention(clause, reading))


def _participates(clause: Clause, reading: Reading) -> bool:
    """Whether the topic takes part in the clause and is not only the name of a place ("the tattoo shop")."""
    found = reading.topic.mentions(clause.tokens)
    if not found:
        return True
    if set(clause.predicates) & BESIDE and not set(clause.predicates) & (reading.topic.verbs | reading.topic.acts):
        return False
    if FOR_OTHERS.search(plain(clause.text)) and not set(clause.predicates) & (reading.topic.verbs | reading.topic.acts):
        return False
    if any(child.dep_ == "poss" and child.lower_ not in words().lists["first"] for token in found for child in token.children):
        return False
    return any(not (token.dep_ in ("compound", "amod", "nmod") and token.head.i not in reading.named and lemma_of(token.head) in PLACES) for token in found)


BESIDE = frozenset(
    "stand hold look pass list price browse research photograph see hear notice clap cheer wave stare dust ask watch read walk visit shuck serve pour draw sketch admire touch smell store pack deliver carry "
    "borrow rent lend guard babysit sit find spot return lose".split()
)
FOR_OTHERS = re.compile(
    r"\bfor (?:my|his|her|their|our|a|the) (?:\w+ ){0,2}(?:sister|brother|mom|mother|dad|father|neighbou?r|cousin|niece|nephew|aunt|uncle|grandma|grandpa|grandmother|grandfather|boss|coworker|colleague|roommate|friend|buddy|husband|wife|partner|girlfriend|"
    r"boyfriend|kids?|son|daughter|client|teammate|parents|in-laws|guests?)\b|\bfor (?:him|her|them)\b"
)
PLACES = frozenset(
    "shop store parlor place studio aisle section counter stand truck car museum booth rack department street club guy lady man woman person show "
    "ad poster sign commercial magazine website catalog catalogue flyer brochure coupon".split()
)


def _takes_the_new(clause: Clause, reading: Reading) -> bool:
    """Whether an own, affirmed clause names what the new belief puts in place of the old."""
    if not reading.topic.new_only or not clause.affirmed or not clause.own or person_of(clause):
        return False
    new = reading.topic.new_only
    return any(_may_mention(token) and any(_same(_lemma(token), word) for word in new) for token in clause.tokens)


def _lets_go(clause: Clause, reading: Reading) -> bool:
    """A clause that tells the end of what the speaker held on to."""
    if _takes_the_new(clause, reading):
        return True
    text = plain(clause.text)
    named = bool(reading.named)
    ended = clause.ceased and not clause.negated
    if clause.subject is Subject.FIRST:
        if (ended or HANDED.search(text)) and not clause.negated:
            return named
        return clause.negated and not clause.ceased and reading.on_topic(clause) and not re.search(r"\bwithout\b|\bmore\b", text)
    if not reading.on_topic(clause) or person_of(clause):
        return False
    return bool(GONE.search(text)) and (clause.own or owned_mention(clause, reading) or clause.subject is Subject.GENERIC)


HANDED = re.compile(
    r"\b(?:left|leave|pulled|withdrew|gave|given|handed|passed|traded|dropped|tossed|threw|took|packed|put|moved|shipped|signed|let|turned|cut|used|returned|donated|sold|swapped|switched|replaced)\b"
    r"(?:.{0,60}\b(?:away|off|out|back|over|up|go|in|down|to|for good|on|for|with|lapse)\b)?|\b(?:done|through|finished) with\b|\b(?:off|out of) (?:it|them|the|my)\b|\bgot rid\b|\bcut out\b|\bbeen off\b"
)


def owned_mention(clause: Clause, reading: Reading) -> bool:
    """Whether the clause names the topic as the speaker's ("my cat", "a kitten of mine"), or tells it of the speaker."""
    first = words().lists["first"]
    for token in reading.topic.mentions(clause.tokens):
        if any(child.dep_ == "poss" and child.lower_ in first for child in token.children):
            return True
    return any(token.lower_ in first and not _kins(token) for token in clause.tokens)


def _kins(token: Token) -> bool:
    return token.dep_ == "poss" and lemma_of(token.head) in words().lists["kin"]


def person_of(clause: Clause) -> str | None:
    """The person other than the speaker, and other than a general `you`, that is the clause's subject."""
    subject = clause.subject_token
    if subject is None:
        return None
    if subject.lower_ in ("he", "she"):
        before = subject.doc[: subject.i]
        human = any(lemma_of(token) in words().lists["kin"] for token in before)
        return str(subject.text) if human else None
    if any(child.dep_ == "conj" and child.lower_ in words().lists["first"] for child in subject.subtree):
        return None
    if lemma_of(subject) in words().lists["kin"] or any(
        lemma_of(child) in words().lists["kin"] and child.dep_ == "pobj" for part in subject.children for child in part.children
    ):
        return str(subject.text)
    return None


__all__ = ["BALKED", "BESIDE", "HANDED", "PAUSED", "Direction", "Reading", "Topic", "content_words", "direction_of", "flips", "is_ceasing", "is_negator", "owned_mention", "person_of", "read_turn", "topic_of", "is_a"]
