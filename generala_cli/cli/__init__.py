"""The command line: Typer commands, their help, completion and output."""
