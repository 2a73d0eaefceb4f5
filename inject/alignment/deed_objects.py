"""What a deed is done to, as a friend says it back ("my job at the bank": your job at the bank), and the lemmas that name it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from inject.alignment.deed_forms import DeedForm, Kind, deed_data
from inject.alignment.words import draft_words
from twistcore.text.claims import lemma_of

if TYPE_CHECKING:
    from spacy.tokens import Token


def object_of(verb: Token, form: DeedForm) -> tuple[str, tuple[str, ...]] | None:
    """The object as the friend says it, with the lemmas that name it; None where it does not fit the form."""
    if form.bare:
        loose = [child for child in verb.children if child.dep_ in ("dobj", "prep", "prt", "xcomp", "ccomp")]
        return ("", (form.verb,)) if not loose and verb.tag_ in ("VBG", "VB", "VBP") else None
    if form.link == "+ing":
        return _gone_doing(verb)
    if form.rests:
        rests = [child for child in verb.children if child.dep_ == "dobj" and lemma_of(child) in draft_words("ending_nouns")]
        nouns = [inner for rest in rests for inner in _linked(rest, "from")] + (_linked(verb, "from") if rests else [])
        return next((found for noun in nouns if (found := _phrase(noun, form)) is not None), None)
    nouns = _linked(verb, form.link) if form.link else [child for child in verb.children if child.dep_ == "dobj"]
    if form.verb == "sign" and not any(child.lower_ == "up" for child in verb.children):
        return None
    if not form.link and any(child.dep_ in ("prt", "dative") for child in verb.children):
        return None
    return next((found for noun in nouns if (found := _phrase(noun, form)) is not None), None)


def _gone_doing(verb: Token) -> tuple[str, tuple[str, ...]] | None:
    """What one goes doing ("go horseback riding")."""
    for child in verb.children:
        if (
            child.tag_ in ("VBG", "NN")
            and child.lower_.endswith("ing")
            and child.i > verb.i
            and child.dep_ in ("xcomp", "advcl", "dobj")
        ):
            before = [other.lower_ for other in child.lefts if other.dep_ in ("compound", "npadvmod", "dobj") and other.is_alpha]
            return " ".join([*before, child.lower_]), (lemma_of(child), *before)
    return None


def _linked(verb: Token, link: str) -> list[Token]:
    return [
        inner
        for child in verb.children
        if child.dep_ == "prep" and child.lower_ == link
        for inner in child.children
        if inner.dep_ == "pobj"
    ]


_DETERMINERS = {
    "my": "your",
    "our": "your",
    "a": "a",
    "an": "an",
    "the": "the",
    "any": "",
    "some": "",
    "no": "",
}


def _phrase(noun: Token, form: DeedForm) -> tuple[str, tuple[str, ...]] | None:
    data = deed_data()
    lemma = lemma_of(noun)
    if noun.pos_ not in ("NOUN", "PROPN") or not noun.is_alpha or lemma in data.idle.split():
        return None
    if form.allowed and lemma not in form.allowed:
        return None
    determiner, words, key = "", [], [lemma]
    for child in noun.children:
        if child.i > noun.i:
            if child.dep_ in ("appos", "acl"):
                return None
            continue
        if child.dep_ in ("det", "poss"):
            if child.lower_ not in _DETERMINERS:
                return None
            determiner = _DETERMINERS[child.lower_]
        elif child.dep_ in ("compound", "nmod", "amod", "nummod"):
            if lemma_of(child) in data.evaluative.split() or child.lower_ in data.evaluative.split():
                continue
            if not child.text.replace("-", "").isalpha() or any(grand.dep_ != "punct" for grand in child.children):
                return None
            words.append(child)
            key.append(lemma_of(child))
        elif child.dep_ not in ("punct", "predet", "case"):
            return None
    if set(key) & set(data.grave.split()) or len(words) > 3:
        return None
    if form.kind is Kind.EVENT and not determiner and not words and noun.pos_ != "PROPN" and form.verb != "try":
        return None
    if determiner in ("a", "an") and noun.tag_ == "NNS":
        determiner = ""
    said = " ".join(token.text if token.pos_ == "PROPN" else token.lower_ for token in [*words, noun])
    if determiner in ("a", "an"):
        determiner = "an" if said[0].lower() in "aeiou" else "a"
    where = _employer(noun) if lemma == "job" else None
    if lemma == "job" and where is None:
        return None
    return f"{determiner} {said}{f' {where[0]}' if where else ''}".strip(), (*(where[1:] if where else ()), *key)


def _employer(job: Token) -> tuple[str, ...] | None:
    """Where or as what one has a job, by which it is told from the next one; then the lemmas that name it."""
    for child in (*job.children, *job.head.children):
        if child.dep_ == "prep" and child.lower_ in ("at", "as") and child.i > job.i:
            for inner in child.children:
                if inner.dep_ == "pobj" and len(list(inner.subtree)) <= 4:
                    words = [token for token in inner.subtree if token.pos_ not in ("PRON",)]
                    return (f"{child.lower_} {''.join(t.text_with_ws for t in words).strip()}", lemma_of(inner))
    return None
