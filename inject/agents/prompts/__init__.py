"""The agents' prompt files, as they ship; `--prompts DIR` reads others in their place."""
