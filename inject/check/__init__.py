"""Checks of a finished release (`twist check`)."""

from inject.check.broken import Broken, Rule
from inject.check.run import check_release

__all__ = ["Broken", "Rule", "check_release"]
