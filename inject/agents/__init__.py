"""Agents: nodes of the loop that ask a language model (scout, writer, reviser, fact auditor, verifier as seen).

What an agent says is a proposal or a verdict. It is checked by the planner or by the gates before anything of it reaches a corpus.
"""
