"""The game at the table: its events, the state they lead to, and what the rules then allow. Pure.

What cannot be is refused with the reason: `UsageError` where something was typed wrong, `NotAllowed` where
the rules or the state of the game forbid it, `NotFound` and `Ambiguous` where a name is none or several.
"""
