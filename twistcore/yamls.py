"""Reading YAML data files: libyaml where it is built in, which is ten times faster, else the same loader in Python."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from twistcore.errors import FrameError

_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(path: Path) -> Any:
    """A YAML file's value, safely loaded; raises FrameError with the line of a syntax fault, or when the file cannot be read."""
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)  # noqa: S506 - both loaders are safe ones
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"line {mark.line + 1}" if mark else None
        raise FrameError("is no valid YAML", file=path, place=place, remedy="fix the syntax there") from error
    except (OSError, ValueError) as error:
        raise FrameError(f"cannot be read ({error})", file=path) from error
