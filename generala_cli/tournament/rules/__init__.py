"""The rules of tournaments and leagues. They know no clock, disk, terminal or randomness."""
