"""Lines that people could type in a language, generated from a grammar, always the same."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from generala_cli.cli.commands import COMMANDS, command_words
from generala_cli.messages import ARTICLES, ENGLISH, LANGUAGES, Message
from generala_cli.render.language import speaking
from generala_cli.rules.catalog import built_in
from generala_cli.rules.dice import Dice
from generala_cli.rules.ruleset import Category, RuleSet, qualifies
from generala_cli.rules.throws import ANY_THROW, THROWS

PLAYERS = ("Ana", "Dora", "Jon", "Chanel", "Rene", "Stan", "Card Sharp")
"""Names that resemble commands and boxes of some language, or begin like them."""
TABLES = ("general", "kniffel", "golden-fifty", "yatzy", "maxi-yatzy", "generala", "crag", "yahtzee")


@dataclass(frozen=True, slots=True, kw_only=True)
class TypedLine:
    """The words of a line, and the rules of the game in which it is typed."""

    rules: str
    words: tuple[str, ...]


def typed_lines(language: str, count: int) -> Sequence[TypedLine]:
    """Return the first lines of a language."""
    with speaking(language):
        grammar = _Grammar(language)
        return [grammar.line(TABLES[number % len(TABLES)]) for number in range(count)]


class _Grammar:
    def __init__(self, language: str) -> None:
        self.language = language
        self.random = Random(f"lines in {language}")

    def line(self, name: str) -> TypedLine:
        rules = built_in(name)
        shapes = (self._turn, self._words_first, self._scratch, self._with_options, self._other)
        (shape,) = self.random.choices(shapes, (45, 15, 15, 15, 10))
        words = " ".join(shape(rules)).split()
        return TypedLine(rules=name, words=tuple(words))

    def _turn(self, rules: RuleSet) -> Iterator[str]:
        """`55533 1 full Ana`: a hand, then its details in any order."""
        dice = self._hand(rules)
        yield self._typed_hand(dice)
        said = [self._box(rules, dice)] if self._often() else []
        said += [self._throw()] if self._seldom() else []
        said += [self._player()] if self._seldom() else []
        self.random.shuffle(said)
        yield from said

    def _words_first(self, rules: RuleSet) -> Iterator[str]:
        dice = self._hand(rules)
        yield self._box(rules, dice) if self._often() else self.random.choice((self._player(), self._throw()))
        yield self._typed_hand(dice)
        yield from [self._throw()] if self._seldom() else []

    def _scratch(self, rules: RuleSet) -> Iterator[str]:
        dice = self._hand(rules)
        verb = self.random.choice(("x", "x", self._command("scratch")))
        box = self._box(rules, None)
        hand = self._typed_hand(dice)
        yield self.random.choice((f"{verb} {box}", f"{verb} {box} {hand}", f"{hand} x {box}"))
        yield from [self._player()] if self._seldom() else []

    def _with_options(self, rules: RuleSet) -> Iterator[str]:
        dice = self._hand(rules)
        box = self.random.choice((self._box(rules, dice), str(self.random.randint(1, 6))))
        yield self.random.choice(
            (
                f"{self._command('score')} {self._typed_hand(dice)} --as {box}",
                f"{self._command('score')} {self._typed_hand(dice)} --roll {self.random.randint(1, 3)}",
                f"{self._command('score')} {self._typed_hand(dice)} --player {self._player()}",
                f"{self._command('amend')} 1 {box}",
                f"{self._command('amend')} 1 --as {box}",
                f"{self._command('amend')} 2 {self._typed_hand(dice)} {box}",
            )
        )

    def _other(self, rules: RuleSet) -> Iterator[str]:
        dice = self._hand(rules)
        hand, word = self._typed_hand(dice), self.random.choice([*COMMANDS])
        slip = word[: len(word) // 2] + word[len(word) // 2 + 1 :]
        yield self.random.choice(
            (
                self._command("undo"),
                self.random.choice("ur"),
                f"{self._command('undo')} {self.random.randint(1, 3)}",
                f"{slip} {hand}",
                f"{hand} {slip}",
                f"{hand} {self._box(rules, dice)} {self._box(rules, None)}",
            )
        )

    def _often(self) -> bool:
        return self.random.random() < 0.7

    def _seldom(self) -> bool:
        return self.random.random() < 0.25

    def _hand(self, rules: RuleSet) -> Dice:
        """Return a hand that often makes a box: several equal faces, a straight, or random dice."""
        faces = range(1, rules.faces + 1)
        match self.random.randrange(4):
            case 0:
                start = self.random.randint(1, rules.faces - rules.dice + 1)
                hand = [*range(start, start + rules.dice)]
            case 1 | 2:
                hand = self.random.choices(self.random.sample(faces, 2), (2, 1), k=rules.dice)
            case _:
                hand = self.random.choices(faces, k=rules.dice)
        return tuple(hand)

    def _typed_hand(self, dice: Dice) -> str:
        digits = [*map(str, dice)]
        word = "".join(digits)
        return self.random.choice(
            (word, word, " ".join(digits), "-".join(digits), f"{word[:-2]} {word[-2:]}")
        )

    def _box(self, rules: RuleSet, dice: Dice | None) -> str:
        """Return a box by full name, prefix or number. The hand usually makes it."""
        made = [each for each in rules.categories if dice and self._often() and qualifies(rules, each, dice)]
        category = self.random.choice(made or rules.categories)
        name = self._name(category)
        if self._often():
            name = name[: self.random.randint(1, 5)].rstrip()
        return f"{self._word(ARTICLES)} {name}" if self._seldom() and self._seldom() else name

    def _name(self, category: Category) -> str:
        theirs = (category.name_in(self.language), category.short_in(self.language))
        any_language = self.random.choice(category.answers_to)
        ways = (*theirs, category.id, category.name, any_language, str(category.number or category.id))
        (name,) = self.random.choices(ways, (8, 4, 2, 2, 2, 1))
        return self.random.choice((name, name.casefold()))

    def _throw(self) -> str:
        throw = self.random.randint(1, 3)
        numbered = self._word(ANY_THROW).replace("{number}", str(throw))
        return self.random.choice((str(throw), self._word(THROWS[throw]), numbered))

    def _player(self) -> str:
        name = self.random.choice(PLAYERS)
        return self.random.choice((name, name, name.casefold(), name[:2], name[0].casefold()))

    def _command(self, name: str) -> str:
        return self.random.choice((name, name[:5], self._word(command_words(COMMANDS)[name])))

    def _word(self, words: Message) -> str:
        language = LANGUAGES.typed if self._often() else ENGLISH
        return self.random.choice(language.words(words))
