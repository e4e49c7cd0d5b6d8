"""The state of every file, how one is put right, and the versions of a game that went on in two places."""
