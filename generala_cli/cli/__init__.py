"""The command line: one file per command group, bodies of a few lines."""
