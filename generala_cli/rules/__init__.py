"""The rules of the games: dice, requirements and points of categories. Pure functions and data.

Glossary:

* throw: one cast of the dice. `roll` is the number of the throw that finished a hand; the first is *served*.
* hand: all dice at the end of a turn, sorted.
* category: a line of the sheet, such as full house. A box is this line in the column of one player; a few
  categories have a row of several boxes.
* pattern: a requirement on the dice of a category, such as five alike. A category may have several patterns.
* scratch: to give up a box for 0 points.
* instant win: a hand that ends the game at once, whatever the totals.
* joker: five alike that may fill a different box, because their own box is filled.
* rule set: all rules of a game. A rule file holds one; a house rule is a rule file of the user.
* option: a rule that `--set` can change, such as the number of throws.
* lex: to split a typed line into dice and normalized words.
"""
