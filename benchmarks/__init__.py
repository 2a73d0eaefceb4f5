"""Benchmarks: the figures that the project promises, measured. The scripted server and author that they use live with the tests."""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1] / "tests"))
