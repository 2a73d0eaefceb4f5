"""Opens a conversation for injection: its record, its speakers, and everything that plans and judges its items."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from arcs.frames import Frame, fill, load_frames
from arcs.lines import SAMPLE_TIMES
from inject.brief import FactReader
from inject.config import InjectConfig
from inject.connectives import load_connectives
from inject.conversation import OpenConversation, ReleaseMemory, Tools
from inject.facts import atomic_facts, claim_facts_of
from inject.gates.case import Record
from inject.gates.registry import verdict
from inject.prevention import Prevention
from inject.reviews import NO_REVIEWS, Reviews
from inject.smalltalk import load_scripts
from inject.splice import HostTexts
from inject.style import Style, measure_style
from inject.surface import word_similarity
from inject.topics import TopicCheck, persona_fit, touched_by_words
from inject.verifiers.offline import OfflineVerifier
from inject.writers.habits import from_voice
from inject.writers.offline import OfflineWriter
from locomo_patch.reader import LoadedCorpus
from locomo_patch.revalidation.questions import ConversationQuestions
from personas.persona import Persona, read_personas
from twistcore.corpus import Corpus
from twistcore.errors import CorpusError
from twistcore.text.model import load_model
from twistcore.text.parses import Parser

# How near a frame's matter is to what a speaker talks about, by speaker.
Fits = Mapping[str, Callable[[Frame], float]]


@dataclass(frozen=True)
class Hosted:
    """One conversation of the source with its speakers, read once for whatever is done to it."""

    record: Record
    personas: Mapping[str, Persona]
    summaries: Mapping[int, str]

    @cached_property
    def fits(self) -> Fits:
        """Each speaker's own topics."""
        return {name: persona_fit(persona) for name, persona in self.personas.items()}


def read_host(loaded: LoadedCorpus, sample_id: str, parser: Parser) -> Hosted:
    """Read a conversation and its speakers; raises CorpusError where a session has no summary."""
    conversation = loaded.corpus.conversation(sample_id)
    blocks = loaded.document.blocks(sample_id)
    missing = [session.number for session in conversation.sessions if f"session_{session.number}_summary" not in blocks.summary]
    if missing:
        raise CorpusError("has no summary", file=loaded.path, place=f"{sample_id} session_{missing[0]}")
    summaries = {session.number: blocks.summary[f"session_{session.number}_summary"] for session in conversation.sessions}
    personas = {persona.name: persona for persona in read_personas(conversation, parser)}
    return Hosted(Record(conversation, parser), personas, summaries)


def open_conversation(
    host: Hosted,
    config: InjectConfig,
    memory: ReleaseMemory,
    styles: Styles,
    questions: ConversationQuestions | None,
    fits: Fits | None = None,
    reviews: Reviews = NO_REVIEWS,
) -> OpenConversation:
    """A conversation, ready for its items. With `questions` the re-validator is asked about every item before it is taken; `fits`
    stand in for the speakers' own topics, and `reviews` are what people decided about rejects."""
    record, parser = host.record, host.record.parser
    conversation = record.conversation
    habits = {name: from_voice(persona.voice) for name, persona in host.personas.items()}
    called = {speaker: habits[conversation.partner_of(speaker)].main_name or speaker for speaker in conversation.speakers}
    asked = tuple(dict.fromkeys(question for persona in host.personas.values() for question in persona.questions))
    check = TopicCheck(record, touched_by_words(asked))
    fitting = fits or host.fits
    tools = Tools(
        writer=OfflineWriter(habits),
        verifier=OfflineVerifier(parser),
        judge=verdict,
        read_facts=fact_reader(),
        objections=check.objections,
        fit=lambda frame, holder: fitting[holder](frame),
        similarity=word_similarity,
        foreignness=styles.statements.foreignness,
        reply_foreignness=styles.replies.foreignness,
        perturbs=Prevention(questions, parser) if questions is not None else lambda _: (),
    )
    return OpenConversation(
        record,
        HostTexts(host.summaries, called),
        load_frames(),
        load_scripts(),
        load_connectives(),
        config.pairs_per_conversation,
        config.seed,
        memory,
        tools,
        reviews,
    )


@dataclass(frozen=True)
class Styles:
    """How holders' statements and partners' replies sound in the record, each against our lines of its kind."""

    statements: Style
    replies: Style


def measure_styles(corpus: Corpus) -> Styles:
    """Both styles. A statement says "I" and asks nothing; a reply answers a statement and asks nothing."""
    statements, replies = [], []
    for conversation in corpus.conversations:
        for session in conversation.sessions:
            for before, turn in pairwise(session.turns):
                if "?" in turn.text:
                    continue
                if re.search(r"\bI\b", turn.text):
                    statements.append(turn.text)
                if "?" not in before.text:
                    replies.append(turn.text)
    gold, reactions = [], []
    for frame in load_frames():
        item = frame.objects[0]
        values = {**item.slots, "head": item.head, **SAMPLE_TIMES}
        gold += [fill(line, values) for _, line in frame.gold_lines()]
        reactions += [fill(line, values) for _, line in frame.reaction_lines()]
    connectives = load_connectives()
    return Styles(
        measure_style(statements, [*gold, *connectives.acks.texts()]),
        measure_style(replies, [*reactions, *connectives.handbacks.texts()]),
    )


def fact_reader() -> FactReader:
    """Reads a scene's facts from its words, split into what makes up the claim (clauses that name a term) and the rest."""

    def read(text: str, terms: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
        # Facts are read off the evened-out sentences; the turn itself need not be parsed for them.
        doc = load_model().make_doc(text)
        claim = claim_facts_of(doc, terms) if terms else ()
        return claim, tuple(fact for fact in atomic_facts(doc) if fact not in claim)

    return read
