"""Drawing and writing answers: text, tables, HTML pages and JSON documents.

Glossary:

* document: an answer as data. Its fields are the JSON keys.
* drawing: an answer for a terminal, made by `draw`. Every package registers its drawings.
* screen: the width, colors and characters of the terminal to draw for.
* marks: signs such as the cursor and the scratch, in Unicode or ASCII.
* column: a column of a table, and its behavior on a narrow screen.
* line: a sentence about an entry, a change or a place, shared by several answers.
* note: a sentence on stderr next to an answer, for example about a damaged file.
* hint: the line to type instead of a refused one. A surface (shell, screen, phone) words it.
* form: the questions of a command that the screen and the keeper's phone ask.
"""
