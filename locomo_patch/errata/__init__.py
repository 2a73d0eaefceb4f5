"""Errata: faults of the answer key that others reported, and accepted disputes about a release (PRECEDENTS.md, part A)."""
