"""The game as its rules have it: dice, what a category asks of them, what it pays. Pure."""
