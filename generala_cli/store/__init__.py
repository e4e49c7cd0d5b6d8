"""The only code that touches a player's files.

Glossary:

* subject: a game, a tournament, the payments, the training, or the current game. Each has one file.
* seal: the checksum and exact layout that the program gives a file. An edited file is not sealed.
* mark: the state of a file when it was last saved. It shows if the file is missing or has been replaced.
* put back: a sealed file that is older than its mark, because another program replaced it.
* history: the events of a game. The file of a game has one history.
* version: another history of a game, set aside or next to its file (a conflict copy).
* choice: the event that ends the history of the version that the players chose.
* log file: the file of a game or a package. Its kind (`FileKind`) is a row in the table of files.
* facts: events with ids, such as payments. Files of facts are merged, and never conflict.
* set aside: moved to `aside/`, which no command reads by itself.
"""
