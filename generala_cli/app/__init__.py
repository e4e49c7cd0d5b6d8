"""What a player can do: load, decide, save, and answer with a frozen result. Nothing is printed.

What cannot be done is refused with a GeneralaError, and nothing was changed.
"""
