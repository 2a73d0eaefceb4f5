"""The model council: several language models judge a key blind, item by item, before any person does (TWIST paper section 5).

A triage layer, no validation: it says which items people should look at first.
"""
