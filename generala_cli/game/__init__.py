"""The rules at the table: the events, the state after them, and the next legal moves. No input or output.

Errors have a reason: `UsageError` for a typing mistake, `NotAllowed` if the rules or the state of the game
forbid it, `NotFound` and `Ambiguous` for a name that fits nothing or several things.
"""
