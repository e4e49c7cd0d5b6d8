"""The meaning of a line by its first word, for the shell, the dialogue and the screen. Needs no Typer.

1. A whole command in English or the user's language, or one of `x u r a o q ?`, is that command.
2. Otherwise, a line with a hand is a turn, or a name and `x`: `s 12345`, `full 55533`, `full x`.
3. Otherwise, a letter of the table that stands alone is its command: `s` shows the sheet.
4. Otherwise, a unique prefix of a command is that command.
"""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from itertools import pairwise, takewhile

from generala_cli.app.programs import PROGRAM, without_program
from generala_cli.cli.commands import COMMANDS, LETTERS, SCREEN_LETTERS, command_words
from generala_cli.cli.session import open_house_rules, open_store, option_value
from generala_cli.cli.spoken_commands import plain_arguments, said_command
from generala_cli.errors import Ambiguous, GeneralaError, UsageError
from generala_cli.messages import LANGUAGES, CommandLine, FirstWord, Message, command_line, lazy, listing
from generala_cli.packages import OPTIONAL, Command, check_installed
from generala_cli.text import normalize

_FEWEST_DICE = 3  # fewer digits after a word are the number of a game or a turn, not a hand
_MOST_DICE = 6
SHORTEST_PREFIX = 3
_LIKE_A_COMMAND = 0.76
"""Minimum similarity for a typo of a command: `scroe` is one, but the name `Cora` is not."""
_FOR_SCRIPTS = ("score", "scratch")
"""Commands that mean the same at every table, even if a player has that name."""


def read_line(words: Sequence[str], named_game: str | None = None) -> tuple[str, ...]:
    """Return the command that a line means, and its words. A turn is the command `score`.

    `words` are as the shell splits them, without `generala`. UsageError if the line means nothing or
    is a prefix of several commands, Ambiguous if a hand follows a command that is also a player or open box.
    """
    first, *rest = words
    if first[:1].isdecimal() and _is_dice(first):
        return "score", *words
    game = option_value(words, "--game") or named_game
    if first not in COMMANDS and _has_cards(words, game) and not _asks_about_cards(first, rest, game):
        return "score", *words
    if command := _whole_command(first):
        if command not in _FOR_SCRIPTS and _has_digits_of_hand(rest):
            _check_no_name(words, game)
        named = words[1] if command == "new" and words[1:] else ""
        is_newcomer = named[:1].isalpha() and (named.islower() or len(words) == 3)
        if is_newcomer and _means_more(words):  # `new player Eva`, in German `neu Spieler Eva`
            _refuse(words)
        return command, *plain_arguments(command, rest)
    if _has_digits_of_hand(words) or _has_spoken_hand(words) or _scratches(words, game):
        return "score", *_turn(words, game)
    if not rest and (command := _command_of_letter(first.casefold())):
        return (command,)
    said = said_command(words) or (not _means_more(words) and command_with_prefix(words, COMMANDS))
    command, *rest = said or _refuse(words)
    return command, *plain_arguments(command, rest)


def line_at_table(words: list[str], named_game: str | None = None) -> list[str]:
    """Return a line typed at the table without the name of the program, which may also be a box."""
    if words[:1] == [PROGRAM] and _has_digits_of_hand(words):
        from generala_cli.game.turnline import is_in_named_box

        with suppress(GeneralaError):
            if is_in_named_box(words, open_store(named_game).open(None).game):
                return words
    return without_program(words)


def writes(words: Sequence[str]) -> bool:
    """Return whether a line changes something. A line that will be refused does not."""
    with suppress(GeneralaError):
        return COMMANDS[read_line(words)[0]].writes
    return False


def command_with_prefix(words: Sequence[str], table: Mapping[str, Command]) -> tuple[str, ...]:
    """Return the only command with this prefix (`delete` has none) or name, and its words; otherwise ()."""
    from generala_cli.cli.usage import command_named, is_no_prefix, means_elsewhere  # only unusual lines

    first, *rest = words
    if first in table:
        return first, *rest
    is_prefix = table is not COMMANDS or not is_no_prefix(first)
    found = [name for name in table if is_prefix and name.startswith(first) and name != "delete"]
    if len(found) == 1:
        return found[0], *rest
    if name := command_named(first, table):
        return name, *rest
    begun = {} if found or means_elsewhere([first]) else _begun_in_language(first, table)
    if len(begun) == 1:
        return *begun, *rest
    if found or begun:
        several = begun.values() or [FirstWord(command_words(table)[name]) for name in found]
        what = lazy("{word!r} is a prefix of several commands", word=first)
        raise UsageError(what, lazy("type {commands}", commands=listing(several)))
    return ()


def _means_more(words: Sequence[str]) -> bool:
    """Return whether a line begins with several words that mean one command, such as `new player`."""
    from generala_cli.cli.usage import means_elsewhere, scratch_elsewhere  # only unusual lines need it

    return len(words) > 1 and (means_elsewhere(words, least=2) or bool(scratch_elsewhere(words)))


def _begun_in_language(word: str, table: Mapping[str, Command]) -> Mapping[str, str]:
    """Return the commands with this prefix in the user's language. Words such as `sí` are too short."""
    start = normalize(word)
    if len(start) < SHORTEST_PREFIX:
        return {}
    return {
        name: each
        for name, words in command_words(table).items()
        for each in reversed(LANGUAGES.typed.words(words))  # the first word is the one shown
        if name != "delete" and normalize(each).startswith(start)
    }


def _scratches(words: Sequence[str], named_game: str | None) -> bool:
    """Return whether a scratch word follows the name of a box or a player, as in `twos x`."""
    from generala_cli.cli.usage import begins_with_name, command_named  # only unusual lines need it

    is_said = any(word.casefold() == "x" or command_named(word) == "scratch" for word in words[1:])
    return is_said and begins_with_name(words, named_game)


def _has_digits_of_hand(words: Sequence[str]) -> bool:
    """Return whether a line contains dice. Values of options such as `--since 2026-11-20` do not count."""
    hands = (
        word
        for before, word in pairwise(("", *takewhile(lambda word: word != "--", words)))
        if word.isdecimal() or (_is_dice(word) and not before.startswith("-"))
    )
    digits = [letter for hand in hands for letter in hand if letter.isdecimal()]
    return len(digits) >= _FEWEST_DICE and "0" not in digits


def _has_spoken_hand(words: Sequence[str]) -> bool:
    if len(words) < _FEWEST_DICE - 1:  # `five threes`
        return False
    from generala_cli.rules.spoken_dice import in_digits  # only unusual lines need it

    text = " ".join(words)
    counts = range(_FEWEST_DICE, _MOST_DICE + 1)
    return any(any(in_digits(text, count, loaded_languages_only=False)) for count in counts)


def _has_cards(words: Sequence[str], named_game: str | None) -> bool:
    """Return whether a line contains a hand of poker dice, in a game that is played with them."""
    if sum(map(len, words)) < _FEWEST_DICE:
        return False
    from generala_cli.rules.poker_dice import may_have_cards  # only unusual lines need it

    if not may_have_cards(words):
        return False
    from generala_cli.game.turnline import with_cards

    text = " ".join(words)
    with suppress(GeneralaError):
        game = open_store(named_game).open(None).game
        return with_cards(text, game.rules, game) != text
    return False


def _asks_about_cards(first: str, rest: Sequence[str], named_game: str | None) -> bool:
    """Return whether `a` is the command, not an ace: the other words are a whole hand."""
    from generala_cli.rules.notation import VERBS

    return VERBS.get(first) == "advise" and _has_cards(rest, named_game)


def _is_dice(word: str) -> bool:
    from generala_cli.rules.notation import begins_with_dice  # most commands have no dice

    return word[:1].isdecimal() and begins_with_dice(word)


def _turn(words: Sequence[str], named_game: str | None) -> Sequence[str]:
    from generala_cli.cli.usage import begins_with_name, command_elsewhere, command_named, is_like_a_box

    first, *rest = words
    if command_named(first) == "score":  # in a different language
        return rest
    is_for_command = command_elsewhere(words) or (_is_slip(first) and not is_like_a_box(first, named_game))
    if is_for_command and not begins_with_name(words, named_game):
        _refuse(words)
    return words


def _is_slip(word: str) -> bool:
    names = [
        name
        for language in LANGUAGES.understood(loaded_languages_only=True)
        for words in command_words(COMMANDS).values()
        for name in language.words(words)
    ]
    return bool(get_close_matches(normalize(word), map(normalize, names), cutoff=_LIKE_A_COMMAND))


def _whole_command(word: str) -> str | None:
    if word in COMMANDS:
        return word
    if word in OPTIONAL:
        check_installed(word)
    if len(word) == 1:
        return _verb(word)
    wanted = normalize(word)
    for language in LANGUAGES.understood(loaded_languages_only=True):
        for name, words in command_words(COMMANDS).items():
            if wanted in map(normalize, language.words(words)):
                return name
    return None


def _verb(letter: str) -> str | None:
    from generala_cli.rules.notation import VERBS  # most commands are words

    verb = VERBS.get(letter.casefold())
    if verb == "quit":
        raise UsageError("{word!r} quits generala play, which is not running", word=letter)
    return verb


def _command_of_letter(letter: str) -> str | None:
    command = LETTERS.get(letter)
    if letter in SCREEN_LETTERS:
        what = lazy("the letter {letter!r} works only on the screen", letter=letter)
        line = CommandLine(f"generala {SCREEN_LETTERS[letter]}")
        raise UsageError(what, lazy("type {command}", command=line))
    return command if command in COMMANDS else None


def _check_no_name(words: Sequence[str], named_game: str | None) -> None:
    """Raise Ambiguous if a line starts with the whole name of a player or an open box."""
    before = [*takewhile(lambda word: not _is_dice(word), words)]
    named: Mapping[str, object] = {}
    with suppress(GeneralaError):
        game = open_store(named_game).open(None).game
        boxes = game.fillable_categories(game.to_move) if game.to_move else ()
        named = {normalize(name): box for box in boxes for name in box.answers_to}
        named |= {normalize(player): player for player in game.seats}
    for count in range(len(before), 0, -1):
        if (name := named.get(normalize(" ".join(before[:count])))) is not None:
            turn = command_line([*words[count:], *words[:count]])
            command = command_line([words[0], "--", *words[1:]])
            raise Ambiguous(
                lazy("{word!r} is a command and also names {name}", word=words[0], name=name),
                lazy("type {lines}", lines=listing((turn, command))),
            )


def _refuse(words: Sequence[str]) -> tuple[str, ...]:
    from generala_cli.cli.usage import (
        begins_with_name,
        command_elsewhere,
        dice_and_more,
        nearest_command,
        words_without_dice,
    )

    first = words[0]
    hint = command_elsewhere(words) or dice_and_more(words) or words_without_dice(words)
    if not hint and first.casefold() in rule_set_names():
        line = CommandLine(f"generala new NAME NAME --rules {first.casefold()}")
        hint = lazy("type {command}", command=line)
    if not hint and not begins_with_name(words):
        hint = nearest_command(first, COMMANDS)
    raise no_command_error(first, hint)


def no_command_error(word: str, hint: Message) -> UsageError:
    return UsageError(lazy("there is no command {word!r}", word=word), hint)


def rule_set_names() -> Sequence[str]:
    from generala_cli.rules.catalog import built_in_names  # needed only for an unknown command

    return (*built_in_names(), *open_house_rules().readable_names())
