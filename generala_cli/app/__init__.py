"""Functions shared by commands: settings, rule sets by name, names that are probably mistakes, long work."""
