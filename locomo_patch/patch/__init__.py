"""A release as a patch: its own text, and references into a corpus that is not ours to hand out (docs/patch.md)."""
