"""Reading YAML data files: libyaml where it is built in, which is ten times faster, else the same loader in Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from twistcore.errors import FrameError

_LOADER: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Unique(_LOADER):  # type: ignore[misc]
    """Refuses a key that stands twice in one mapping: YAML would silently take the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[tuple[str, str]] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if (key.tag, key.value) in seen:
                    raise yaml.constructor.ConstructorError(None, None, "a key stands twice", key.start_mark)
                seen.add((key.tag, key.value))
        found: dict[Any, Any] = super().construct_mapping(node, deep=deep)
        return found


def read_yaml(path: Path) -> Any:
    """A YAML file's value, safely loaded; raises FrameError with the line of a syntax fault or of a key that stands
    twice, or when the file cannot be read."""
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=_Unique)  # noqa: S506 - a safe loader
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1}" if mark else None
        said = getattr(error, "problem", None)
        raise FrameError(
            f"is no valid YAML ({said})" if said else "is no valid YAML", file=path, place=place, remedy="fix the syntax there"
        ) from error
    except (OSError, ValueError) as error:
        raise FrameError(f"cannot be read ({error})", file=path) from error
