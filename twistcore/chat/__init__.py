"""Language-model clients: one OpenAI-compatible endpoint, asked for JSON of a given shape.

`asynchronous` sends, through `sending`; `client` is the same for code that is not asynchronous. What a request looks like
(`dialect`), what a reply means (`replies`), what an error means (`faults`), what an answer is filed under (`questions`) and how
prompts are filled (`prompts`) are pure. `journal` keeps answers and accounts; `limiter`, `breaker` and `budget` say when something
may be sent. Importing them sends nothing and loads no SDK.
"""
