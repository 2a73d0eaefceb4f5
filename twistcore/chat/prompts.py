"""Prompts: Jinja files with a `system` and a `user` block, checked before the first call, corpus text escaped on its way in."""

from __future__ import annotations

import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.resources.abc import Traversable
from typing import Any, Literal

from jinja2 import StrictUndefined, Template, TemplateError, TemplateSyntaxError, meta, nodes
from jinja2.sandbox import ImmutableSandboxedEnvironment

from twistcore.chat.dialect import Message
from twistcore.errors import FrameError
from twistcore.fingerprints import sha256_bytes

# What a template may raise while it is filled: a field that a value lacks, a file that it includes, a sum that cannot be done.
_UNFILLED = (TemplateError, ArithmeticError, AttributeError, LookupError, RuntimeError, TypeError, ValueError)
_BLOCKS: tuple[Literal["system"], Literal["user"]] = ("system", "user")


@dataclass(frozen=True)
class Prompt:
    """A prompt file, read and checked. `sha256` is that of its bytes, for provenance."""

    name: str
    sha256: str
    template: Template = field(repr=False, compare=False)

    def render(self, **values: Any) -> list[Message]:
        """The messages for one call; raises FrameError where the file uses what `values` lack, or cannot be worked out."""
        try:
            return [Message(role, self._block(role, values)) for role in _BLOCKS]
        except _UNFILLED as error:
            raise FrameError(f"cannot be filled ({error})", file=self.name, remedy="correct the variable in the prompt") from error

    def _block(self, role: str, values: dict[str, Any]) -> str:
        return "".join(self.template.blocks[role](self.template.new_context(values))).strip()


def load_prompt(file: Traversable, variables: Collection[str], samples: Sequence[Mapping[str, Any]] = ()) -> Prompt:
    """Read a prompt file that must use exactly these variables, and try it with sample values of each.

    Raises FrameError with the line of a syntax fault or of what stands outside of the blocks and would never be sent, with the name
    of a variable that is unknown or left out or of a block that is missing, and for a file that cannot be filled with a sample or
    then says nothing."""
    name = str(file)
    try:
        source = file.read_text(encoding="utf-8")
        environment = _environment()
        parsed = environment.parse(source)
        used = meta.find_undeclared_variables(parsed)
        template = environment.from_string(source)
    except TemplateSyntaxError as error:
        raise FrameError(f"is no valid prompt ({error.message})", file=name, place=f"line {error.lineno}") from error
    except (OSError, UnicodeDecodeError, TemplateError) as error:
        raise FrameError(f"cannot be read ({error})", file=name) from error
    if unknown := sorted(used - set(variables)):
        raise FrameError(
            f"uses {', '.join(unknown)}, which nobody fills", file=name, remedy=f"it has {', '.join(sorted(variables))}"
        )
    if unused := sorted(set(variables) - used):
        raise FrameError(f"leaves out {', '.join(unused)}", file=name, remedy="a prompt uses every variable that it is given")
    if missing := [block for block in _BLOCKS if block not in template.blocks]:
        raise FrameError(f"has no block {missing[0]}", file=name, remedy="write {% block system %} and {% block user %}")
    if (unsent := next(_outside(parsed), None)) is not None:
        raise FrameError(
            "holds what stands in neither block and is never sent", file=name, place=f"line {unsent}", remedy="move it into a block"
        )
    prompt = Prompt(name, sha256_bytes(source.encode("utf-8")), template)
    for sample in samples:
        if silent := [message.role for message in prompt.render(**sample) if not message.content]:
            raise FrameError(f"says nothing in its block {silent[0]}", file=name, remedy="write what the model is told there")
    return prompt


def _outside(parsed: nodes.Template) -> Iterator[int]:
    """The lines of what a file has beside its two blocks, white space and comments apart."""
    for node in parsed.body:
        if isinstance(node, nodes.Output):
            parts = node.nodes
            yield from (part.lineno for part in parts if not (isinstance(part, nodes.TemplateData) and not part.data.strip()))
        elif not (isinstance(node, nodes.Block) and node.name in _BLOCKS):
            yield node.lineno


def escape_text(text: str) -> str:
    """Text as it stands in a prompt: one line, no control characters, and nothing in it that could open or close a tag."""
    line = " ".join(text.split())
    # Most text is plain, and printable ASCII holds nothing to take out.
    plain = line.isascii() and line.isprintable()
    kept = line if plain else "".join(each for each in line if unicodedata.category(each) not in ("Cc", "Cs"))
    return kept.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def _environment() -> ImmutableSandboxedEnvironment:
    # `finalize` sees every value that a prompt writes, so that no author of a prompt can forget to escape one.
    return ImmutableSandboxedEnvironment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, finalize=lambda value: escape_text(str(value))
    )
