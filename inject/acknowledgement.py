"""Does a turn acknowledge that the speaker's stance changed? Wordings of an acknowledged revision (TWIST paper section 4.3).

`strong` wordings name the change outright; `weak` ones only hint at surprise. Arcs must have neither; HN-A2 must have one, or tell
the old stance as past beside the new one.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from inject.stances import Topic, read_turn
from twistcore.text.claims import Subject, Tense, plain
from twistcore.text.parses import Parser

SELF = r"(?:i|me|i've|i'd|i'm|we)"
SAYING = r"(?:said|swore|sworn|told|vowed|promised|insisted|claimed|preached|declared|announced|ranted|argued|complained|bragged|joked|mocked|talked|was saying|kept saying|always say|always said|ever said|made fun|laughed at|rolled my eyes|turned my nose|trash(?:ed|-talked)|sw[eo]aring|teased|lectured|went on and on|dissed|knocked|bashed|judged|scoffed|groaned|grumbled|shouted|yelled|wrote off|sneered|doubted|hated on)"

STRONG = re.compile(
    "|".join(
        (
            rf"\b{SELF} (?:\w+ ){{0,4}}(?:said|swore|vowed|promised|insisted|claimed|declared|announced|told (?:you|everyone|everybody|people|them|anyone|the|my)|preached|ranted|argued|bragged|went on (?:and on )?about)(?: \w+){{0,12}} (?:never|not|n't|wouldn't|won't|ever|couldn't|can't|no|die|always|forever|life|hate\w*|stand|would|i'd|was too|were too|too)\b",
            rf"\b(?:after|despite|given|considering|in spite of) (?:all|everything|every word|the way|how (?:much|long|often|hard)|years of|my (?:big|many|long|own|grand|years of))(?: \w+){{0,6}} (?:{SAYING}|rants?|speech\w*|talk|complain\w*|never|protests?|refus\w*|words?|hat(?:e|ed|ing)|fought|resist\w*|was against|felt)\b",
            rf"\b(?:for|with) (?:all|everything|how much|all the (?:times|things|grief|fuss)) (?:\w+ ){{0,4}}(?:i|my) (?:\w+ )?(?:{SAYING}|rants?|ranting|talk|talking|complain\w*|protests?|refus\w*|hated|fought|resisted|words)\b",
            r"\beat(?:ing)? (?:my|those|every one of my|all my|all those|all of my) (?:own )?words\b|\beat(?:ing)? (?:some |a little |a (?:big )?(?:slice|helping|plate|piece|serving) of )?(?:humble pie|crow)\b|\beat my (?:own )?hat\b",
            r"\b(?:take|taking|took) (?:it |that |them |this |everything |every \w+ |all (?:of )?(?:it|that)? ?|my \w+ )?(?:\w+ ){0,3}back (?:what|everything|every|all|my|the|that|anything)\b|\bi take (?:it|that|everything|all of it|every word)(?: all)?(?: \w+){0,8} back\b",
            r"\b(?:i|i've) (?:\w+ ){0,3}(?:change[ds]?|changing|flipp?(?:ed|ing)|reversed) (?:my|on|course) ?(?:\w+ )?(?:mind|tune|view|stance|opinion|heart|position|ways|thinking)?\b|\bchange(?:d)? of (?:heart|mind|tune)\b|\bmy (?:\w+ )?(?:view|mind|opinion|stance|thinking|feelings?|attitude|position|tune|heart)(?:s)?(?:'s| has| have|'ve)? (?:\w+ ){0,2}(?:changed|flipped|shifted|turned|softened|come around|done a|evolved|swung)",
            r"\b(?:did|done|do|doing|pulled|made|made a|a) (?:\w+ )?(?:complete |total |full |huge |big )?(?:180|one[- ]eighty|about[- ]face|u-turn|u turn|flip[- ]flop|turnaround|reversal|backflip)\b",
            r"\b(?:i|i've|i'm) (?:\w+ ){0,2}(?:came|come|coming) (?:all the way |right |totally |completely |fully )?(?:around|round)\b",
            r"\b(?:i|i've|i'm|who) (?:\w+ ){0,3}(?:swore|sworn) (?:off|i'd|i would|never|up and down|by|that|to|on)\b",
            r"\b(?:i|we|i've) (?:was|were|have been|been|stand|got|had it|had this|had them|had that|had \w+) (?:\w+ ){0,4}(?:wrong|mistaken|corrected)\b|\bproved? me wrong\b|\bproven wrong\b|\bi stand corrected\b|\bjoke's on me\b|\bhow wrong\b|\bso wrong about\b|\bwrong about\b|\bwas dead wrong\b|\bmisjudged\b",
            r"\b(?:you|he|she|they|everyone|mom|dad|\w+) (?:was|were|had been) (?:\w+ )?right (?:about|all along|after all|that|when|and i)\b|\byou called it\b|\byou win\b|\byou get to (?:laugh|tease|say|gloat)|\b(?:go ahead and|you can|you may|feel free to|don't|please don't|allowed to|let you|no) (?:all )?(?:laugh|tease|gloat|say (?:it|i told)|mock|make fun|rub it|i[- ]told[- ]you)",
            r"\btold (?:you|me) so\b|\bi hear you laughing\b|\bi know,? i know\b",
            r"\b(?:i )?never (?:in a million years )?(?:\w+ )?(?:thought|imagined|expected|dreamed|dreamt|guessed|believed|would have (?:thought|guessed|believed|imagined|expected)|would've (?:thought|guessed|believed)|figured|saw (?:it|this|that|myself)|pictured)\b",
            r"\b(?:who|whoever) (?:would have|would've|woulda|would of|could have|could've|'d have|'d've|knew|would|had)(?: ever)? ?(?:thought|guessed|known|predicted|believed|imagined|i)?\b(?=.{0,60}[?!.])(?<!who would )(?<!who had )(?<!who could )",
            r"\b(?:younger|old|past|former|previous|last year's|teenage|earlier|january|spring|summer|\w+-ago|pre-\w+) (?:me|self|myself|version of me|version of myself)\b|\b(?:the )?me (?:from|of) (?:\w+ ){0,3}(?:ago|year|spring|summer|winter|fall|january|february|march|april|may|june|july|august|september|october|november|december)\b|\bif you(?:'d| had) told me\b|\bthe (?:old|same|very|me|woman|man|girl|guy|person|one|gal|lady|dude|kid) (?:\w+ )?(?:me|who|that) (?:\w+ ){0,3}(?:swore|said|hated|refused|never|couldn't|wouldn't|didn't|laughed|mocked|vowed|once|used to|couldn't stand|claimed|told|wrote off|rolled|always|ranted)\b",
            r"\bused to (?:\w+ )?(?:hand back|give back|send back|throw away|hate|dislike|despise|detest|loathe|refuse|avoid|say|swear|think|believe|tell|mock|laugh|roll|make fun|be (?:so |very |dead |totally |really |a |the )?(?:against|anti|sure|scared|afraid|terrified|convinced|\w+ (?:hater|skeptic|person|guy|girl))|call|claim|insist|complain|cringe|run|turn|rant|preach|scoff|judge|tease|dread|skip|argue|love|adore|live|need|do|have|go|never|not)\b",
            r"\bremember (?:when|how|that|my|all|me) (?:\w+ ){0,3}(?:i|me|my|speech|rant|vow|promise|rule|saying|big|swearing|refus\w+)\b|\byou(?:'ll| may| might| probably| must| do)? remember (?:me|my|how|that|when|the)\b|\byou (?:heard|know|knew|saw|watched) (?:me|how|what|my) (?:\w+ ){0,5}(?:say\w*|said|swear\w*|rant\w*|hat\w+|stood|felt|feel|stubborn|against|refus\w+|go on|promise|speech|swore|complain\w*)\b|\byou've heard me\b",
            r"\b(?:a|total|full|complete|officially|now a|full-blown|big) (?:\w+ )?converts?\b|\bconverted\b|\bi'm (?:now )?(?:a )?(?:fully )?converted\b|\b(?:won|sold|talked|brought|reeled|roped) me (?:over|around|round|on it|in)\b|\bwore me down\b|\bgave in\b|\bcaved\b|\bgiven in\b|\bi (?:finally )?folded\b|\bi surrender\w*\b|\bconquered my\b|\bgot over my\b|\bovercame my\b|\bi (?:finally )?cracked\b",
            r"\bturns out (?:i|that i|my|it's|it was|they|he|she|\w+)\b|\bit turns out\b|\bas it turns out\b|\bturned out i\b",
            r"\blook (?:who|at (?:me|us|this guy|this girl|the guy)(?: now)?)\b|\bhere (?:i am|we are),? (?:\w+ )?(?:with|\w+ing|now|years|months|weeks|on|at|in|and|a|of|who)\b|\b(?:yet|and yet|but|and now|so|well) here (?:i am|we are)\b|\bguess who\b|\bi know,? (?:right|shocking|it's (?:\w+ )?(?:shocking|crazy|funny|strange|weird|rich))\b|\bcoming from me\b|\bof all people\b|\bme,? of all\b",
            r"(?<!done )(?<!do )(?<!does )(?<!doing )\bso much for\b",
            r"\b(?:broke|breaking|dropped|ditched|threw out|gave up|abandoned|tore up|retired|loosened|lifted|bent|scrapped|let go of) my (?:own )?(?:\w+ ){0,3}(?:rule|vow|promise|ban|streak|pledge|oath|boycott|principles?|stance|word|resolution|policy|no-\w+|grudge|prejudice)\b|\b(?:my|that|the) (?:\w+[ -]){0,5}(?:rule|vow|promise|pledge|boycott|stance|speech\w*|rants?|oath|resistance|grudge|big talk|big words?|no-\w+ \w+|days of \w+ing)(?: \w+){0,8} (?:is|are|was|were|didn't|did not|lasted|has|have|had|went|got|fell|ended|held|crumbled|melted|flew|died|expired|hold|stuck|collapsed|out|over|gone|history)\b",
            r"\bgo back on (?:my|what)\b|\bwent back on (?:my|what)\b|\bhypocrit\w*\b|\bmy (?:own )?words\b|\bcontradict\w*\b|\bbackpedal\w*\b|\bbacktrack\w*\b|\bflip-flopp\w*\b|\breformed\b|\bex-\w*(?:hater|skeptic|snob)\b|\bformer(?:ly)? (?:\w+ ){0,2}(?:hater|skeptic|snob|critic|doubter|holdout|refuser|anti-?\w*|self|me|opponent|purist)\b|\brecovering (?:\w+ )?(?:hater|skeptic|snob|purist|cynic)\b",
            r"\b(?:i was|i'd been|i've been|i had been|was) (?:so |always |dead |totally |completely |really |very |pretty |firmly |always so |the one |such a |a |the biggest |one of (?:those|the) )?(?:sure|set|certain|against|convinced|adamant|stubborn|determined|opposed|anti|skeptical|a skeptic|dead set|positive|loudest|first to|one (?:who|saying)|hater|snob|holdout|skeptic|doubter|vocal|firm|closed[- ]minded|quick to|too proud|picky about)\b",
            r"\bi (?:always |once |really |honestly |truly |genuinely |first |totally )?(?:thought|figured|assumed|believed|was convinced|felt) (?:\w+ ){0,8}(?:never|not|weren't|wasn't|n't|silly|gross|dumb|boring|stupid|only for|overrated|waste|too|hate|wouldn't|couldn't|ridiculous|pointless|weird|lame|awful|forever|for life|always|cheesy)\b",
            r"\bi (?:once|always) (?:\w+ )?(?:hated|despised|refused|couldn't stand|said|swore|made fun|avoided|dreaded|called|turned down|vowed|dismissed|mocked|disliked)\b|\bonce (?:called|thought|swore|said|hated|refused|vowed|made|told|laughed)\b|\bi (?:hated|dreaded|couldn't stand|refused|avoided) (?:\w+ ){1,6}(?:before|until|till|back|at first|for years|all my life|my whole life|once)\b",
            r"\b(?:no longer|not anymore|don't (?:\w+ ){1,4}anymore|doesn't (?:\w+ ){1,6}anymore)\b(?=.{0,80}\b(?:anti|hate|against|scared|afraid|refuse|mind|feel that way|think so|think that|believe that|say no|that (?:person|guy|girl|woman|man))\b)",
            r"\b(?:i )?(?:know|realize|admit|confess)(?: that| how)? (?:i|this is|it's|what|that|it sounds|this sounds)(?:'ve|'m)?(?: \w+){0,6} (?:said|swore|told|different|opposite|contrary|against|tune|turn|change|never|surprise|funny|crazy|rich|hard to believe|sounds?|always|refused|hated|thought)\b|\bi (?:have to |must |gotta |hate to |'ve got to |will )?(?:admit|confess)\b|\bconfession\b|\bguilty as charged\b|\bi'll own (?:it|up)\b|\bdon't (?:faint|fall off|drop|be shocked|act surprised|quote me|hold (?:it|that|me))|\bbrace yourself\b|\bare you sitting down\b|\byou(?:'ll| will|'re going to|'re not going to| won't| might not| may not) (?:\w+ )?(?:believe|never guess|laugh|faint|fall|be shocked|be surprised|not believe|never believe)\b|\bbelieve it or not\b|\bagainst all odds\b|\bhard to believe\b|\b(?:can't|cannot|can hardly|still can't|could hardly) believe (?:i|myself|it's me|i'm|that i|what i)\b|\bshock(?:ed|ing|er)?\b(?=.{0,40}\b(?:me|i|you|everyone|know)\b)|\bsurpris(?:ed|ing|es|e) (?:even )?(?:myself|me|you|everyone|nobody more)\b|\bto my (?:own |great |complete |total )?(?:surprise|shock|horror|amazement|delight|embarrassment)\b|\bno one (?:is )?more (?:surprised|shocked)\b|\bironic\w*\b|\bhow (?:the )?(?:tables|times|things|tastes|people|life|tables have)(?: \w+)? (?:turn|change|changed|turned|have changed|goes)\b|\b(?:times|tastes|things|people|minds|opinions|feelings) (?:do |can |really |sure |have )?change\b|\bcharacter development\b|\bpeople grow\b|\bfunny how (?:i|things|life|sure|that|my|time|fast|quick)\b",
            r"\b(?:big|dramatic|quite a|some|real|such a|complete|total|huge|major) (?:change|turnaround|turn|shift|reversal|switch|leap|flip|one-eighty|about-face) (?:for|from|of|in|on|since|after)\b|\b(?:different|changed|new) (?:tune|person|man|woman|girl|guy|story) (?:now|these|since|than|from|about)\b|\bsing(?:ing)? a (?:\w+ )?(?:different|new|other) (?:tune|song)\b|\bchanged? (?:my|me|your) (?:tune|mind|completely|my life's)\b|\bit changed me\b|\b(?:that|it|this|which|she|he|they|\w+) (?:has |have |totally |completely |really |finally |pretty much )?changed my (?:mind|view|tune|opinion|heart|thinking)\b",
            r"\b(?:it took me|took me) (?:\w+ ){1,8}(?:to (?:admit|come|realize|see|understand|get|learn|change))\b|\bopened my (?:eyes|mind)\b|\b(?:better|earlier|sooner) late than never\b|\blate to the party\b|\bwhat was i (?:thinking|so|even|ever)\b|\bwhy (?:did|was|was i|had) i (?:ever |so |even )?(?:wait|resist|refuse|fight|hate|avoid|against|so|hold|scared|afraid|stubborn|say|think|not)\w*\b|\b(?:all that|all those|those|my years of|years of) (?:\w+ )?(?:fuss|talk|grief|complain\w*|rant\w*|protest\w*|refus\w*|resist\w*|years of|nevers?|speeches|jokes|eye[- ]?roll\w*|saying no|mocking|avoiding|swearing)\b",
            # what the speaker felt or said about it, told as past: fuss, complaints, fights, certainty
            r"\b(?:i|i've|i'd) (?:\w+ ){0,2}(?:complain(?:ed)?|made (?:so much |such |endless |constant |a lot of )?(?:fun|a fuss|a big (?:deal|fuss|show|speech)|a huge fuss|a stink|a scene|faces|jokes)|fought (?:against|it|them|\w+ off|the \\w+)|badmouthed|bad-mouthed|talked (?:down|trash|\\w+ down|so (?:much|big))|went on record|put up (?:a|such)|kicked and screamed|held out|dug my heels|dug in|turned up my nose|wrinkled my nose|stuck my nose up|pooh-poohed|poked fun|raised hell|campaigned against|rail(?:ed)? against|called myself|was so proud of)\b",
            r"\bi (?:was|am|'m) (?:such a |the )(?:\w+ ){0,3}(?:baby|snob|chicken|grump|grouch|hater|skeptic|purist|critic|loudest|biggest|stubborn|stick in the mud|scaredy|diva|drama|one (?:who|that) (?:\w+ )?(?:never|swore|said|hated|refused|made|wouldn't|couldn't|laughed|always)|one who'd never)\b|\bi(?:'m| am) the (?:same )?(?:\w+ )?(?:person|one|guy|girl|woman|man|gal) (?:who|that)(?:'d|'ll)? (?:\w+ ){0,2}(?:never|always|left|made|said|swore|laughed|hated|refused|told|couldn't|wouldn't|mocked|called|walked|turned|ran|avoided|quit)\b",
            r"\bmy (?:\w+[ -]){0,3}(?:no|nope|never|nos|vow|ban|fuss|rant|rants|ranting|complaining|complaints|speech|speeches|word|big words|opinion|opinions|view|views|fear|hatred|dislike|grudge|fight|war|feud|protest|excuses|forever \w+|promise|days without) (?:to|on|of|about|against|for|that|with|at|was|is|are|were|has|have|had|over|didn't|lasted|and|fell|went|turned|really)\b(?=.{0,120}\b(?:is|are|over|gone|history|now|didn't|then|until|last\w*|ended|turned|changed|shift\w*|flip\w*|out the window|and i|these days|each|every|ago|melted|collapsed|crumbled|done)\b)",
            r"\b(?:all|forget|ignore|erase|excuse|pardon|scrap|strike) (?:about )?(?:all )?my (?:\w+ ){0,2}(?:talk|words|complain\w*|rants?|ranting|fuss|whining|protests?|grumbling|excuses|speeches|claims|promises|drama)\b",
            r"\byou (?:know|knew|heard|saw|remember) (?:how|that|what) (?:\w+ ){0,2}(?:sure|stubborn|much|i|against|loud|firm|certain|picky|set)\b|\byou (?:were there|were around|were in the room) when\b|\byou should(?:'ve| have) (?:heard|seen) me\b|\byou (?:won't|will never|'ll never) hear me (?:\w+ )?(?:make|complain|say|mock|laugh|knock|bash|rant|trash|again)\b|\b(?:friends|everyone|coworkers|they|everybody|people|family|sister|brother|husband|wife|mom|dad) (?:\w+ ){0,2}(?:keep|keeps|won't let me|never let me|love|loves|still|can't stop) (?:\w+ )?(?:teasing|forget|live|laughing|reminding|tease|remind|laugh|ribbing|mocking)\b(?=.{0,60}\b(?:i|my|me)\b)|\bgo (?:on|ahead) and (?:laugh|tease|gloat|say)\b|\btease me\b|\blaugh at me\b|\b(?:you|they)(?:'re| are| were) right\b(?=.{0,60}\b(?:took|tried|i |to laugh|about|all)\b)",
            r"\bi(?:'ve| have) (?:really |totally |completely |so |clearly )?(?:changed|turned (?:a corner|around)|gone back on)\b|\bturned (?:me )?into (?:a|an|the) (?:\w+ ){0,3}(?:fan|believer|yes|person|lover|regular|addict|fanatic|enthusiast|devotee)\b|\bthings (?:are|look|feel) (?:so |very |really )?different (?:now|these|today)\b|\bthat was the old me\b|\bi'm a (?:new|changed|different|whole new) (?:person|man|woman|guy|girl)\b|\bforever (?:was|is|had|turned out|lasted|didn't|wasn't|only|came|hobby|ended)\b|\b(?:for life|forever|never) (?:\w+ )?(?:turned out|lasted|didn't last|meant|was (?:\w+ ){0,2}shorter|ended|came|apparently)\b|\bbehind me\b|\bi see (?:that|it|them) (?:differently )?now\b|\bwas just talk\b|\bdidn't (?:\w+ ){0,2}(?:last|hold up|stick|survive|go as|age well)\b|\bi'm sorry(?: for)? (?:now|what i said|about what|i said|i ever)\b|\bit(?:'s| is) (?:kind of |a bit |a little |so )?(?:embarrassing|funny|silly|wild|crazy|hilarious)(?: \w+){0,3} (?:how|that|now|because|since|to think|considering)(?: \w+){0,2} (?:i|me|my|much i)\b|\bit's funny,? i (?:told|said|was|used|always)\b|\bmakes me laugh now\b",
            r"\bi (?:know |knew |get it,? )?i (?:was|told|called|said|made|thought|acted|talked|looked|walked|turned|ran|went|laughed|complained) (?:\w+ ){1,10}(?:but|well|and now|yet|then|until)\b|\bi know i was all about\b|\bi know how (?:i|much i|loud|sure|often i|many times i)\b|\b(?:said|told \w+) (?:\w+ ){0,8}(?:wasn't|weren't|isn't|aren't|not|never) (?:\w+ )?(?:for me|my thing|happening|me)\b|\btold (?:everyone|everybody|anyone|people|all my friends|my friends|you)\b(?=.{0,100}\b(?:but|now|then|yet|well|until|these days|for \w+ weeks)\b)",
            r"\b(?:i|i'd|i've) (?:\w+ )?(?:kept|keep) (?:saying|telling|insisting|swearing|complaining|turning|refusing|laughing|joking|repeating)\b|\bheard me (?:say|swear|complain|rant|go|promise|insist)\w*\b|\bused to (?:\w+ ){1,6}and (?:say|tell|turn|laugh|refuse|roll|walk) \w+\b",
            r"\b(?:owe|owed|owing) (?:\w+ ){1,5}(?:an |a (?:big |huge )?)?apolog\w+\b|\bi (?:\w+ )?(?:apologi[sz]e|apologi[sz]ed) (?:to|for)\b|\b(?:trashed|hated|mocked|avoided|dodged|dissed|refused|cursed|fought|resisted|snubbed|skipped|ignored|knocked|bashed|dreaded|feared|complained about|made fun of|turned down|said no to) (?:\w+ ){1,4}(?:for|all) (?:\w+ )?(?:years|months|weeks|ages|my life|so long|decades|that time)\b",
            r"\bmy (?:\w+[ -]){0,4}(?:speech|speeches|rants?|lectures?|sermon|tirades?|monologue|vows?|pledge|boycott|crusade|manifesto|grumbling|whining|protests?|big talk|tough talk|trash talk|stubbornness|excuses|objections|nevers|claims)\b",
            r"\bmy (?!own |usual |best |happy |whole |better |true |real |normal |full |sweet |tired |lazy |poor |entire |authentic |creative |inner )(?:[\w'-]+ ){1,3}self\b|\b(?:\w+'s|last \w+'s) (?:me|version of me)\b",
            r"\bturned out to be (?:no|not|nothing)\b|\b(?:no|not|isn't|aren't|wasn't) .{0,30}\bafter all\b|\b(?:quote|throw|read|play) .{0,40}\bback (?:at|to) me\b|\b(?:feel free|go ahead|you're free|you're welcome|permission) (?:to|and) (?:quote|remind|throw|frame|print|screenshot|gloat|laugh|tease)\w*\b",
            r"\bnever say never\b|\b(?:famous|my) last words\b|\bmark (?:it on|the calendar)\b|\bhell (?:has )?(?:froze|frozen)|\bpigs (?:\w+ )?(?:fly|flying|flew)\b|\bwonders never\b|\bthe impossible happened\b|\bdid i (?:really |just |once |actually )?(?:say|swear|tell|promise)\b|\bscratch (?:that|what)\b|\bforget (?:what|everything|all|my) (?:i|that|\w+)? ?(?:i )?(?:said|told|ever|rants?|big)\b|\bignore (?:what|everything) i\b|\bstrike (?:that|what)\b|\brevis(?:e|ed|ing) my\b|\brethought\b|\breconsider(?:ed)?\b|\bsecond thoughts\b|\bchange my mind\b|\bsoftened\b|\bi (?:did )?a complete\b|\bi'll (?:be the first to )?admit\b|\bcrow\b(?= (?:pie|for))",
            r"\b(?:said|swore|told|preached|insisted|claimed|vowed) (?:i'd|i would|i'll|i wouldn't|i'd never|no|never|they|it|that)\b(?=.{0,90}\b(?:but|yet|and now|now|well|then|until|except|still)\b)",
            r"\b(?:years|months|weeks|ages|a lifetime|decades) of (?:saying|swearing|refus\w+|avoid\w+|hat\w+|mock\w+|being|telling|insist\w+|turning|laughing|resist\w+|complain\w+|dodg\w+|making fun)\b|\bfrom (?:\w+ ){0,3}(?:hat\w+|refus\w+|never|running away|swearing|avoid\w+|being|mock\w+|saying no|can't stand|skeptic|hater|a person who|someone who|fear\w*) (?:.{0,60})\bto\b",
        )
    )
)

WEAK = re.compile(
    r"\b(?:after all|surprisingly|anymore|any more|who knew|funny enough|oddly enough|strangely enough|weirdly enough|"
    r"despite my|in spite of my|contrary to|to be fair|i guess|not so bad|isn't so bad|aren't so bad|not as bad as|better than i (?:thought|expected|remembered|feared)|"
    r"(?:much|way|far|so much) (?:better|nicer|easier|calmer|tastier|more fun) than i (?:\w+ )?(?:thought|expected|feared|imagined|gave)|gave (?:it|them|\w+) a (?:fair |second |another |real )?(?:chance|shot)|grew on me|grown on me|learned to (?:love|like)|warmed (?:up )?to|"
    r"finally (?:see|get|understand|understood|got it|came)|at first|in the end|eventually|i'll never (?:say|doubt|judge|mock)|what i'd been missing|what i was missing|missing out|been missing|"
    r"made peace with|buried the hatchet|see the light|saw the light|seen the light|other side now|crossed over|switched (?:sides|teams|camps)|joined the (?:dark side|club|other side|cult)|dark side|guilty pleasure|secretly|"
    r"no more (?:\w+ )?(?:excuses|fear|hiding|saying)|(?:don't|doesn't|didn't) (?:bug|bother|scare|annoy|gross|faze) me (?:anymore|now|at all|one bit|like)|is behind me|are behind me|"
    r"once upon a time|in a past life|another life|ancient history|my old (?:view|opinion|self|rule|stance|fear|grudge|line|speech|attitude))\b"
)


@dataclass(frozen=True)
class Acknowledgement:
    """What shows that a change is acknowledged; `strong` is enough by itself."""

    words: str
    strong: bool


def acknowledgement(text: str, topic: Topic, parser: Parser) -> Acknowledgement | None:
    """The first wording of a turn that acknowledges a change of stance."""
    lowered = plain(text)
    found = STRONG.search(lowered)
    if found:
        return Acknowledgement(found.group().strip(), strong=True)
    old = old_stance_as_past(text, topic, parser)
    if old:
        return Acknowledgement(old, strong=True)
    weak = WEAK.search(lowered)
    return Acknowledgement(weak.group(), strong=False) if weak else None


def old_stance_as_past(text: str, topic: Topic, parser: Parser) -> str | None:
    """A clause that tells the speaker's own denial of the topic in the past tense ("I couldn't stand cats")."""
    reading = read_turn(text, topic, parser)
    for clause in reading.found:
        if clause.subject is not Subject.FIRST or clause.tense not in (Tense.PAST, Tense.OVER) or clause.affirmed:
            continue
        body = plain(clause.text)
        if re.search(r"\b(?:hated|refused|couldn|couldn't|wouldn|wouldn't|didn't (?:like|want|believe|trust|see)|never (?:wanted|liked|believed|trusted))\b", body) and (
            reading.on_topic(clause)
        ):
            return clause.text
    return None
