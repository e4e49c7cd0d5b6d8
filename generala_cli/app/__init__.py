"""The commands of a player: each loads, decides, saves, and returns a frozen answer. Nothing is printed.

A command that cannot be carried out raises a GeneralaError, and has changed nothing.
"""
