"""The rules at the table: events, the state that they lead to, and what is allowed next. No input or output.

Errors say why: `UsageError` for a typing mistake, `NotAllowed` if the rules or the state of the game forbid
it, `NotFound` and `Ambiguous` for a name that fits nothing or several things.
"""
