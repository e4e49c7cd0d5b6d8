"""The live board: a game on every phone and on the wall, with pads for entering turns."""
