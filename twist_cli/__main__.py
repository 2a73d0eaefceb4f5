"""`python -m twist_cli` is `twist`."""

from twist_cli.main import run

run()
