"""The languages: what there is to say, and whether each of them says all of it."""
