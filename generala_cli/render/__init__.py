"""Drawing and writing answers: text, tables, HTML pages and JSON documents."""
