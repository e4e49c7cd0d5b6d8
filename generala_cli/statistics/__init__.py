"""How everyone plays, the records, and who is ahead of whom, over all finished games."""
