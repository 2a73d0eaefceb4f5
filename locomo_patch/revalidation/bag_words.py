"""Words of a stretch of a turn that its tokens alone do not show: compounds, titles, what a hyphen parts."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.tokens import Token


def compounds(token: Token) -> set[str]:
    """A noun joined with the noun that narrows it: board-game, board_game."""
    parts = [child for child in token.children if child.dep_ == "compound" and child.i == token.i - 1]
    return {f"{part.lemma_.lower()}{joint}{token.lemma_.lower()}" for part in parts for joint in ("-", "_")}


def titles_in(tokens: list[Token]) -> set[str]:
    """Runs of two or more capitalised words, and what stands in quotes: names of works, places and products."""
    found: set[str] = set()
    run: list[Token] = []
    for token in [*tokens, None]:
        capital = token is not None and token.text[:1].isupper() and (token.pos_ != "PRON" or run)
        small = token is not None and run and token.lower_ in {"of", "the", "and", "in", "to", "a"}
        if token is not None and (capital or small) and (not run or token.i == run[-1].i + 1):
            run.append(token)
            continue
        while run and not run[-1].text[:1].isupper():
            run.pop()
        if (len(run) > 1 and not run[0].is_sent_start) or len(run) > 2:
            found.add(" ".join(t.lower_ for t in run))
        run = [token] if token is not None and capital else []
    return found


def hyphenated(tokens: list[Token]) -> set[str]:
    """Compounds that the tokenizer parts at their hyphen (hip-hop)."""
    found = set()
    for left, joint, right in zip(tokens, tokens[1:], tokens[2:], strict=False):
        if joint.text == "-" and right.i == left.i + 2 and left.is_alpha and right.is_alpha:
            found.add(f"{left.lower_}-{right.lower_}")
    return found
