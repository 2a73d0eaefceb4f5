"""Language-model clients: one OpenAI-compatible endpoint, asked for JSON of a given shape.

Only `client` sends anything. What a request looks like (`dialect`), what a reply means (`replies`), what an error means (`faults`)
and how prompts are filled (`prompts`) are pure, so that a concurrent client can share them. Importing them sends nothing and
loads no SDK.
"""
