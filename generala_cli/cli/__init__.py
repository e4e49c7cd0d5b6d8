"""The command line: Typer commands, their help, completion and output.

Glossary:

* row: a command in the table of commands: its function, summary, and the combinations of its options.
* session: the options of one command line, and the store that it opens.
* answer: the result of a command: a drawing, a document, notes and an exit code.
* first word: decides whether a line is a command, a turn, a letter or a prefix.
* completer: a function that lists values for TAB.
* dry run: a command with `-n`, which reports its changes and saves nothing.
* usage error: a line that the program cannot read, exit code 2.
"""
