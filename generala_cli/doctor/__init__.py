"""The command `doctor`: the state of every file, repairs, and the versions of a game."""
