"""The live board: a game on every phone of the table and on the wall, and pads that enter turns."""
