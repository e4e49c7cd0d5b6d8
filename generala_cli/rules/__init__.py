"""What a game is: dice, what a category asks of them, what it pays. Pure."""
