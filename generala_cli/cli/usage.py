"""Errors of an invalid command line, in our own words instead of Typer's."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from difflib import get_close_matches
from itertools import dropwhile, takewhile
from string import digits
from typing import Any

from generala_cli.cli.commands import COMMANDS, command_words
from generala_cli.cli.session import open_store
from generala_cli.cli.spoken_commands import LAST
from generala_cli.errors import GeneralaError, Retyped, UsageError
from generala_cli.messages import (
    ARTICLES,
    ENGLISH,
    LANGUAGES,
    CommandLine,
    ExampleLine,
    FirstWord,
    Message,
    command_line,
    lazy,
    lazy_count,
    listing,
    shortened,
    words_for,
)
from generala_cli.packages import Command
from generala_cli.remedies import Remedy
from generala_cli.rules.notation import ADVICE, SCRATCH, is_digits
from generala_cli.text import find_same, find_word, normalize

_OPTION_WORDS: Mapping[str, Message] = {
    "--as": words_for("the option --as", "as, category"),
    "--first": words_for("the option --first", "first, begins, starts, starter"),
    "--all": words_for("the option --all", "all, everything"),
    "--game": words_for("the option --game", "game"),
    "--label": words_for("the option --label", "label, name"),
    "--method": words_for("the option --method", "method, payout"),
    "--name": words_for("the option --name", "name, label"),
    "--payout": words_for("the option --payout", "payout, method"),
    "--player": words_for("the option --player", "player"),
    "--players": words_for("the option --players", "players"),
    "--roll": words_for("the option --roll", "roll, throw"),
    "--rules": words_for("the option --rules", "rules"),
    "--set": words_for("the option --set", "set, option"),
    "--since": words_for("the option --since", "since, from"),
    "--stake": words_for("the option --stake", "stake"),
    "--team": words_for("the option --team", "team, side"),
    "--to": words_for("the option --to", "to, for, aim"),
    "--tournament": words_for("the option --tournament", "tournament"),
    "--unit": words_for("the option --unit", "unit, currency"),
    "--until": words_for("the option --until", "until, till"),
    "--with": words_for("the option --with", "with"),
    "--yes": words_for("the option --yes", "yes"),
}
"""Other words for our options: from other commands and programs and, in the catalogues, other languages."""


def option_named(word: str, names: Sequence[str]) -> str | None:
    return find_word(word, {name: _OPTION_WORDS[name] for name in names})


_ELSEWHERE: Mapping[str, Message] = {
    "new NAME NAME": words_for("starting a game elsewhere", "start, begin, create, init"),
    "new NAME NAME --rules yahtzee": words_for("a name of Yahtzee", "yahtze, yatzee"),
    "DICE": words_for("entering dice elsewhere", "add, enter, put, write, roll, throw, dice"),
    "games": words_for("listing games elsewhere", "list, ls"),
    "sheet": words_for("showing a game elsewhere", "status, state, table, show, view, card, next, turn, who"),
    "standings": words_for(
        "showing places elsewhere",
        "winner, points, ranking, rank, scores, scoreboard, leaderboard, totals, result, results",
    ),
    "log": words_for("listing entries elsewhere", "history, last turns, last entries"),
    "amend TURN": words_for("correcting elsewhere", "edit, correct, fix, change"),
    "last": words_for(
        "correcting the last entry elsewhere",
        "last, the last, last was, the last was, last one was, the last one was, last turn was, that was,"
        " no it was, no they were, no that was",
    ),
    "rename OLD NEW": words_for(
        "renaming elsewhere", "is now, is called, is now called, call, should be called, change name"
    ),
    "unstaked": words_for(
        "playing without a stake", "no stake, without stake, without a stake, no money, without money"
    ),
    "use GAME": words_for("choosing a game elsewhere", "game, switch, select, choose, open, load"),
    "pay NAME NAME AMOUNT": words_for("paying elsewhere", "pays, paid, gives, gave"),
    "receive": words_for("being paid", "gets, receives, got, received, is paid"),
    "join NAME": words_for(
        "joining a game elsewhere",
        "arrives, comes, joins, add player, new player, another player, wants to play, wants in",
    ),
    "check DICE": words_for("asking what a hand is worth elsewhere", "worth"),
    "leave NAME": words_for(
        "leaving a game elsewhere", "leaves, left, goes, goes home, went home, quits, is out, drop, kick"
    ),
    "payments": words_for("listing payments elsewhere", "payments, list payments, show payments"),
    "undo": words_for("undoing elsewhere", "back, revert, cancel, oops"),
    "mistaken": words_for("a mistake", "mistake, my mistake, I made a mistake, how do I correct"),
    "lost": words_for(
        "not knowing what to type",
        "I don't know, what now, what do I type, what do I do, how do I enter, how does it work",
    ),
    "rematch": words_for("starting a rematch elsewhere", "again, another, replay"),
    "delete GAME": words_for("deleting elsewhere", "remove, rm"),
    "advise DICE": ADVICE,
    "end": words_for("ending a game elsewhere", "finish, finished, done, stop, game over"),
    "owed": words_for(
        "showing debts elsewhere",
        "money, debt, debts, owe, owes, owed, who owes, settle, settle up, balance, balances",
    ),
    "help environment": words_for("showing settings elsewhere", "config, settings, options, language"),
    "--version": words_for("showing the version elsewhere", "version"),
    "saved": words_for("saving or quitting elsewhere", "save, quit, exit, close, bye"),
}
"""Our commands, with words for them in other programs and at the table. DICE alone is a turn."""
_NO_COMMAND: Mapping[str, Message] = {
    "saved": lazy("every turn is saved at once, and there is nothing to quit"),
    "owed": lazy(
        "{payouts} shows who owes whom in a game, {ledger} across games",
        payouts=CommandLine("generala payouts"),
        ledger=CommandLine("generala ledger"),
    ),
    "payments": lazy("type {command}", command=CommandLine("generala ledger --payments")),
    "unstaked": lazy("generala stake 1 point plays only for points"),
    "mistaken": lazy("type generala undo N, or generala amend TURN to correct an earlier one"),
    "lost": lazy(
        "type the dice, as in {command}; {help} explains more",
        command=CommandLine("generala DICE"),
        help=CommandLine("generala help table"),
    ),
}
"""Hints for words that have no single command here."""
_SCRATCHING = words_for(
    "scratching elsewhere", "0, zero, zero in, cross, cross off, cross out, strike, strike out, scratches"
)
_EVENING = words_for("this evening", "tonight, night, evening, today")
_NAMING_TURN = words_for("a turn by its number", "turn, entry")
NEVER_GUESSED = frozenset({"new", "rematch", "score", "scratch", "undo", "redo", "end", "delete"})
"""Commands that a typo never becomes, because they start, change or remove a game without a question."""
_SHORT = 5  # a typo of so short a word begins with one of its first two letters
_LIKE = 0.75  # minimum similarity for a typo: `udno` is one of `undo`, but `exit` is not one of `export`


def means_elsewhere(words: Sequence[str], *, least: int = 1) -> bool:
    """Return whether the line begins with a phrase for a command, of at least `least` words."""
    phrases = (" ".join(words[:count]) for count in range(least, _LONGEST_PHRASE + 1))
    return any(find_word(phrase, _ELSEWHERE) is not None for phrase in phrases)


def is_no_prefix(word: str) -> bool:
    """Return whether a word of the user's language, such as `en` or `ver`, is no prefix of English."""
    language = LANGUAGES.typed
    if language is ENGLISH:
        return False
    words = (each for row in (*_ELSEWHERE.values(), ARTICLES) for each in language.words(row))
    return normalize(word) in map(normalize, words)


def dice_and_more(words: Sequence[str]) -> Message:
    """Return the line with its dice as one word, first: `55533 full` for `full=55533` and `full (55533)`.

    Empty if no word is a hand and the first one has too few digits.
    """
    for place, word in enumerate(words):
        digits = "".join(filter(str.isdecimal, word))
        if digits != word and _is_one_hand([digits]):
            kept = [*words[:place], *re.findall(r"[^\W\d_]{2,}", word), *words[place + 1 :]]
            return lazy("type dice as in {command}", command=command_line([digits, *kept]))
    few = sum(map(str.isdecimal, words[0])) < _FEW_DICE
    return lazy("") if few else lazy("type each die as a digit")


_FEW_DICE = 2
_SHORTEST_HAND = 4  # in a game with fewer dice, `_is_one_hand` decides


def _is_one_hand(words: Sequence[str]) -> bool:
    """Return whether the words have as many digits as the current game has dice."""
    with suppress(GeneralaError):
        return sum(map(str.isdecimal, "".join(words))) == open_store().open(None).game.rules.dice
    return False


def words_without_dice(words: Sequence[str]) -> Message:
    """Return a hint with a whole turn line if the words lack only the dice, otherwise nothing."""
    words = [bare for word in words if (bare := word.strip("¿?¡!.,;:"))]
    if not begins_with_name(words) or not (_are_of_names(words) or _is_turn(words)):
        return lazy("")
    return lazy("type the dice too, as in {command}", command=command_line(["DICE", *words]))


def command_elsewhere(words: Sequence[str]) -> Message:
    """Return a hint at our command for words of other programs or of the table, or nothing.

    The words may follow a name, or end a line that begins with one: `Beto leaves`. The hint keeps names and
    numbers, but completes no command that starts or removes a game.
    """
    if hint := scratch_elsewhere(words):
        return hint
    is_number = len(words) > 1 and words[1].isdecimal() and not _is_one_hand(words[1:2])
    if is_number and find_word(words[0], {True: _NAMING_TURN}):
        more = words[2:] if any(map(str.isdecimal, words[2:])) else ["DICE"]
        return _elsewhere("amend TURN", [words[1], *more])
    for start in (0, 1) if words[0][:1].isupper() or _is_player(words[0]) else (0,):
        name, line = words[:start], words[start:]
        for count in range(_LONGEST_PHRASE, 0, -1):
            meant = find_word(" ".join(word.strip("¿?¡!,.;:") for word in line[:count]), _ELSEWHERE)
            if meant and (not name or _is_player(*name) or meant in _ABOUT_NEWCOMERS):
                return _elsewhere(meant, [*name, *line[count:]])
        if name and len(line) > 1 and _is_player(*name) and (meant := find_word(line[-1], _ELSEWHERE)):
            return _elsewhere(meant, words[:-1])
        command = command_named(line[0]) if name and len(line) == 1 else None
        if command is not None and command not in NEVER_GUESSED:
            return lazy("type {command}", command=command_line([command, *name]))
    return lazy("")


_LONGEST_PHRASE = 5
_ABOUT_NEWCOMERS = ("join NAME", "pay NAME NAME AMOUNT", "receive")
"""Meanings of a sentence that may begin with a name that is not in the game."""


def scratch_elsewhere(words: Sequence[str]) -> Message:
    """Return `x chance` for `chance 0`, `zero in chance` and `cross off chance`."""
    from generala_cli.game.turnline import parse_box  # not for help

    for count in range(min(len(words) - 1, 2), 0, -1):
        for said, others in ((words[:count], words[count:]), (words[-count:], words[:-count])):
            if find_word(" ".join(said), {True: _SCRATCHING}):
                with suppress(GeneralaError):
                    game = open_store().open(None).game
                    box = parse_box(" ".join(others), game.rules).category
                    if game.to_move and box in game.fillable_categories(game.to_move):
                        return lazy("to scratch it, type generala x {category}", category=box.typed)
    return lazy("")


def _elsewhere(meant: str, rest: Sequence[str]) -> Message:
    if meant in ("owed", "payments") and "ledger" not in COMMANDS:
        meant = "payouts"
    if meant == "receive":
        return payment(rest, is_received=True)
    if meant == "last":
        return _last(rest)
    if meant == "sheet" and rest and (shown := command_named(rest[-1])) and shown not in NEVER_GUESSED:
        meant = shown
    if meant == "use GAME":
        is_new = bool(rest) and command_named(rest[0]) == "new"
        meant = "new NAME NAME" if is_new else meant if rest else "games"
    names = [*filter(_is_payer, rest)]
    if meant == "amend TURN" and len(names) > 1 and not any(map(str.isdecimal, rest)):
        meant = "rename OLD NEW"
    if meant == "delete GAME" and any(find_word(word, {True: _NAMING_TURN}) for word in rest):
        return amend_or_undo(rest)
    if meant in ("delete GAME", "saved") and any(map(_is_player, rest)):
        meant = "leave NAME"
    is_newcomer = bool(rest) and rest[-1][:1].isupper() and not _is_in_game(rest[-1])
    if meant == "DICE" and is_newcomer and not any(map(str.isdecimal, "".join(rest))):
        meant = "join NAME"
    name, *more = meant.split()
    if name == "pay":
        return payment(rest)
    if name == "advise" and name not in COMMANDS:
        return lazy("")
    if not more and all(map(str.isdecimal, rest)) and _is_one_hand(rest):  # `who 55533`
        return lazy("type {command}", command=command_line(rest))
    if name in NEVER_GUESSED and not more:
        return see_help(f"generala {name}")
    is_kept = _is_payer if name in ("rename", "join") else _is_in_game
    kept = [word for word in rest if any(map(str.isdecimal, word)) or is_kept(word) or word == "DICE"]
    if meant.isupper():
        kept = [word for word in rest if word in kept or word.casefold() == SCRATCH]
        line = command_line(kept if _is_one_hand(kept) else ["DICE"])
        return lazy("type {command}", command=line)
    if kept and more and _is_complete(name, kept, len(more)) and name not in NEVER_GUESSED:
        return lazy("type {command}", command=command_line([name, *kept]))
    return _NO_COMMAND.get(meant) or lazy("type {command}", command=ExampleLine(f"generala {meant}"))


def amend_or_undo(typed: Sequence[str]) -> Message:
    """Return the hint for `undo the last payment`, `delete turn 3` and the like, without the verb."""
    if any(map(str.isdecimal, "".join(typed))) or "pay" not in COMMANDS:
        return _NO_COMMAND["mistaken"]
    of_turn, of_payment = CommandLine("generala undo -h"), CommandLine("generala pay -h")
    return lazy("for a turn see {undo}, for a payment {pay}", undo=of_turn, pay=of_payment)


def _last(rest: Sequence[str]) -> Message:
    hand = "".join(word for word in rest if word.isdecimal())
    if any(map(_is_player, rest)):
        return lazy("type {command}", command=CommandLine("generala amend TURN DICE"))
    if not _is_one_hand([hand]):
        return lazy("type {command}", command=CommandLine("generala log"))
    return lazy(
        "to correct the last turn, type generala amend {last} {hand}", last=FirstWord(LAST), hand=hand
    )


def payment(rest: Sequence[str], *, is_received: bool = False) -> Message:
    """Return the payment in a sentence such as `Beto paid 5 euros to Ana` or `Ana gets 5 from Beto`."""
    from generala_cli.game.currencies import currencies_called  # not for help

    options = [*dropwhile(lambda word: not word.startswith("-"), rest)]
    said = [*takewhile(lambda word: not word.startswith("-"), rest)]
    place = next((at for at, word in enumerate(said) if any(map(str.isdecimal, word))), len(said))
    paid = [*said[place : place + 1]]
    paid += [word for word in said[place + 1 : place + 2] if currencies_called(word)]
    names = [word for word in said if word not in paid and _is_payer(word)]
    if not paid or len(names) != 2:
        return lazy("type {command}", command=CommandLine("generala pay NAME NAME AMOUNT"))
    payer, payee = reversed(names) if is_received else names
    return lazy("type {command}", command=command_line(["pay", payer, payee, *paid, *options]))


def _is_in_game(word: str) -> bool:
    return begins_with_name([word])


def _is_payer(word: str) -> bool:
    """Return whether a word may be a name, which may be new in the current game."""
    return _is_player(word) or word[:1].isupper()


def _is_complete(command: str, kept: Sequence[str], count: int) -> bool:
    match command:
        case "rename":
            return len(kept) == count
        case "join":
            return not any(map(_is_playing, kept))
        case "check":
            return _is_one_hand(kept) and all(map(str.isdecimal, kept))
        case "use":
            return len(kept) == count and kept[0].isdecimal()
        case "amend":
            return kept[0].isdecimal() and not _is_one_hand(kept[:1])
        case _:
            return True


def nearest(word: str, names: Iterable[str]) -> Message:
    """Return a "did you mean" hint, or nothing. Dashes at the start of options do not count."""
    bare = {normalize(name).lstrip(): name for name in names}
    start = normalize(word).lstrip()
    prefixed = [name for name in bare if len(start) > 2 and name.startswith(start)]
    close = get_close_matches(start, bare, n=1, cutoff=_LIKE) if len(start) > 2 else []
    if len(start) <= _SHORT:
        close = [name for name in close if name[:1] in start[:2]]
    near = prefixed if len(prefixed) == 1 else close
    return lazy("did you mean {names}?", names=bare[near[0]]) if near else lazy("")


def extra_arguments(context: Any, extra: Sequence[str]) -> UsageError:
    words, hint, command = " ".join(extra), lazy(""), context.command.name
    dice, game = [word for word in extra if word.isdecimal()], context.params.get("game") or ""
    if command == "odds" and words.isdecimal() and len(words) < _SHORTEST_HAND and not _is_one_hand(extra):
        hint = lazy("type {command}", command=command_line(["odds", "--game", words]))
    elif (
        command == "odds" and words == shortened(words) and (len(dice) == len(extra) or _is_one_hand(dice))
    ):  # `o` is a word in Portuguese
        hint = lazy("type {command}", command=CommandLine(f"generala advise {' '.join(dice)}"))
    elif command == "ledger" and len(extra) == 1 and begins_with_name(extra):
        options = _options_typed(context)
        hint = lazy("type {command}", command=command_line(["ledger", *options, "--with", *extra]))
    elif command == "rematch":
        hint = _who_begins([game, *extra])
    elif command == "ledger" and find_word(extra[-1], {True: _EVENING}):
        since = CommandLine("generala ledger --since tonight")
        hint = lazy("for this evening only, type {command}", command=since)
    elif command == "games" and words.isdecimal():
        hint = lazy("{command} switches to a game", command=command_line(["use", *extra]))
    elif command == "games" and len(extra) == 1 and begins_with_name(extra):
        options = _options_typed(context)
        hint = lazy("type {command}", command=command_line(["games", *options, "--with", *extra]))
    elif command == "delete" and game and not "".join((game, *extra)).isdecimal():
        hint = amend_or_undo((game, *extra))
    what = lazy(
        "{command} does not take {arguments}",
        command=CommandLine(context.command_path, is_whole=False),
        arguments=shortened(words),
    )
    return UsageError(what, hint or _usage(context))


def _options_typed(context: Any) -> Iterator[str]:
    """Yield the options of a line with their values; those of all commands excepted."""
    for parameter in context.command.params:
        value, name = context.params.get(parameter.name), max(parameter.opts, key=len)
        is_typed = context.get_parameter_source(parameter.name).name == "COMMANDLINE"
        if parameter.param_type_name != "option" or not is_typed or name in _ALWAYS:
            continue
        values = value if parameter.multiple else [value]
        yield from [name] if parameter.is_flag else (word for each in values for word in (name, str(each)))


def _who_begins(words: Sequence[str]) -> Message:
    """Return `rematch --first Ana` for `rematch Ana begins`, or nothing."""
    players = [word for word in words if _is_player(word)]
    if len(players) != 1 or not any(find_word(word, {True: _OPTION_WORDS["--first"]}) for word in words):
        return lazy("")
    games = [word for word in words if word.isdecimal()]
    return lazy("type {command}", command=command_line(["rematch", *games, "--first", *players]))


def _usage(context: Any) -> Message:
    _, *pieces = context.command.collect_usage_pieces(context)
    line = " ".join((context.command_path, *(piece.strip("[]{}.") for piece in pieces)))
    if not pieces and context.command.name in NEVER_GUESSED:
        return see_help(line)
    return lazy("type {command}", command=CommandLine(line))


def nearest_command(word: str, table: Mapping[str, Command]) -> Message:
    """Return a hint at the command with the nearest name, first in English and the answer's language."""
    for languages in ((ENGLISH, LANGUAGES.spoken), LANGUAGES.understood()):
        names = {
            name: command
            for language in languages
            for command, words in command_words(table).items()
            for name in language.words(words)
        }
        if hint := nearest(word, names):
            near = names[str(hint.values["names"])]
            if near not in NEVER_GUESSED:
                return hint
            command = CommandLine(f"generala {near} -h")
            return lazy(
                "perhaps {word}, which {command} explains", word=hint.values["names"], command=command
            )
    return lazy("")


def see_help(path: str) -> Message:
    return lazy("see {command} -h", command=CommandLine(path, is_whole=False))


def command_named(word: str, table: Mapping[str, Command] = COMMANDS) -> str | None:
    if word in table:
        return word
    return find_word(word, command_words(table)) if word[:1].isalpha() else None


def mistyped(error: Any) -> UsageError:
    from generala_cli.cli.parameters import NotWhole  # not for a line without Typer

    if hasattr(error, "possibilities"):
        return _no_such_option(error)
    if hasattr(error, "param_type"):
        if str(_name(error.param)) == "DICE" and error.ctx.command.name in _OF_HANDS:
            line = CommandLine(f"{error.ctx.command_path} {_example()}")
            hint = lazy("type them, as in {command}", command=line)
            if error.ctx.command.row.writes:  # nobody threw the example
                hint = _usage(error.ctx)
            return UsageError("the dice are missing", hint)
        return UsageError(lazy("{name} is missing", name=_name(error.param)), _usage(error.ctx))
    if hasattr(error, "option_name"):
        return _wrong_value(error)
    if isinstance(error, NotWhole):
        parameter: Any = error.param
        name, value = _name(parameter), error.message
        what = not_whole(name, value)
        if parameter.param_type_name == "option":
            return UsageError(what, _with_value(parameter, max(parameter.opts, key=len)))
        return UsageError(what, _usage(error.ctx))
    sentence = getattr(error, "format_message", lambda: str(error))()
    return UsageError(Message("{trouble}", {"trouble": sentence[:1].lower() + sentence[1:].rstrip(".")}))


def _example() -> str:
    """Return a hand of the current game, otherwise of five dice."""
    with suppress(GeneralaError):
        return open_store().open(None).game.rules.example
    return "55533"


def not_whole(name: object, typed: str) -> Message:
    if is_digits(typed):  # Python converts only 4,300 digits
        return lazy("{name} is too large", name=name)
    return lazy("{name} must be a whole number, not {value!r}", name=name, value=typed)


def _no_such_option(error: Any) -> UsageError:
    option, command = error.option_name, error.ctx.command
    names = [name for parameter in command.params for name in parameter.opts if name.startswith("-")]
    word = option.lstrip("-").casefold()
    meant = find_word(word, {name: words for name, words in _OPTION_WORDS.items() if name in names})
    elsewhere = find_word(word, _OPTION_WORDS) if error.ctx.parent else None
    if not meant and not elsewhere and (named := command_named(word)):
        what = lazy("{word} is a command, not an option", word=word)
        line = f"generala {named}"
        return UsageError(
            what,
            see_help(line) if named in NEVER_GUESSED else lazy("type {command}", command=CommandLine(line)),
        )
    hint = nearest(meant or option, names) if word != "player" else lazy("")
    takes_hands = command.name in _OF_HANDS or error.ctx.parent is None
    if not hint and takes_hands and begins_with_name([word]):
        hint = lazy("type it without dashes: {word}", word=word)
    if f"--{word}" not in _OPTION_WORDS:
        hint = hint or command_elsewhere([word])
    own = [name for name in names if name not in _ALWAYS]
    if own and not hint and error.ctx.parent is not None:
        hint = lazy("choose from {names}", names=listing(own))
    return UsageError(
        lazy("there is no option {option}", option=shortened(option)), hint or lazy("remove it")
    )


_ALWAYS = frozenset("--json --quiet -q --no-pager --color --language --dry-run -n --game --help -h".split())
"""Options of all or most commands, which no hint lists."""


_OF_HANDS = ("score", "scratch", "check", "advise")


def _is_playing(name: str) -> bool:
    with suppress(GeneralaError):
        return find_same(name, open_store().open(None).game.playing) is not None
    return False


def _is_player(word: str) -> bool:
    with suppress(GeneralaError):
        return find_same(word, open_store().open(None).game.seats) is not None
    return False


def is_like_a_box(word: str, named_game: str | None = None) -> bool:
    """Return whether a word is nearly the name of a category, such as `chanse`."""
    with suppress(GeneralaError):
        categories = open_store(named_game).open(None).game.rules.categories
        return bool(nearest(word, (name for category in categories for name in category.answers_to)))
    return False


def begins_with_name(words: Sequence[str], named_game: str | None = None) -> bool:
    """Return whether the words before any dice start with the whole name of a category, throw or player."""
    from generala_cli.rules.notation import begins_with_dice  # most errors are not about turns

    before = [*takewhile(lambda word: len(word) == 1 or not begins_with_dice(word), words)]
    phrases = [" ".join(before[:count]).rstrip(":,.") for count in range(1, len(before) + 1)]
    with suppress(GeneralaError):
        game = open_store(named_game).open(None).game
        categories = (name for category in game.rules.categories for name in category.answers_to)
        names = {*map(normalize, (*categories, *game.seats)), *game.rules.instant_win_names()}
        return any(normalize(each) in names or game.rules.find_throw(each) is not None for each in phrases)
    return False


def _is_turn(words: Sequence[str]) -> bool:
    """Return whether the words are a turn without its dice, such as `full de seises y treses`."""
    from generala_cli.game.turnline import TurnLine, parse  # not for help

    with suppress(GeneralaError):
        game = open_store().open(None).game
        return not parse(TurnLine(words=words), game.rules, game).is_scratch
    return False


def _are_of_names(words: Iterable[str]) -> bool:
    """Return whether each word is one of the name of a category, a throw or a player."""
    game = open_store().open(None).game
    categories = (name for category in game.rules.categories for name in category.answers_to)
    throws = game.rules.throws_by_name(loaded_languages_only=True)
    names = (*categories, *game.seats, *throws, *game.rules.instant_win_names())
    parts = {part for name in names for part in normalize(name).split()}
    return all(part in parts for word in words for part in normalize(word.rstrip(".,:;!")).split())


def _name(parameter: Any) -> CommandLine:
    is_option = parameter.param_type_name == "option"
    shown = " / ".join(parameter.opts) if is_option else parameter.metavar or parameter.name
    return CommandLine("".join(letter for letter in shown if letter not in "[]."))


def _wrong_value(error: Any) -> UsageError:
    option = error.option_name
    parameters = error.ctx.command.get_params(error.ctx)
    parameter = next(each for each in parameters if option in each.opts)
    if parameter.is_flag:
        what = lazy("option {option!r} does not take a value", option=option)
        return UsageError(what, lazy("type only {option}", option=option))
    what = lazy_count(
        "option {option!r} requires an argument",
        "option {option!r} requires {count} arguments",
        parameter.nargs,
        option=option,
    )
    return UsageError(what, _with_value(parameter, option))


def _with_value(parameter: Any, option: str) -> Message:
    return lazy("type {command}", command=CommandLine(f"{option} {parameter.metavar}"))


def with_whole_lines(error: Retyped, arguments: Sequence[str]) -> GeneralaError:
    """Return the error with the corrected line in its hint, once for each possible meaning of a word."""
    indices = [index for index, typed in enumerate(arguments) if _value(typed) == error.word]
    if not indices:  # `55533full`, or a whole line in quotes
        ends = tuple(f"{last}{error.word}" for last in f" {digits}")
        indices = [index for index, typed in enumerate(arguments) if typed.endswith(ends)]
    if isinstance(error.hint, Remedy) and error.hint.code == "take-name":  # a name is no value of an option
        indices = [index for index in indices if not arguments[index - 1].startswith("-")]
    if len(indices) != 1 or not error.meant:
        return error
    lines = [_with_words(arguments, indices[0], error.word, meant) for meant in error.meant]
    if any(len(line.line) > _LONGEST_LINE for line in lines):
        return error
    hint = lazy("type {lines}", lines=listing(lines))
    if len(lines) > _MOST_LINES:
        hint = lazy("type the one you mean, as in {line}", line=lines[0])
    match error.hint:
        case Remedy("did-you-mean", {"names": names}):
            hint = lazy("{names}? Type {lines}", names=names, lines=listing(lines))
        case Remedy("take-name"):
            line = _with_words(arguments, indices[0], error.word, ("--player", error.word))
            hint = lazy("{meant}, or {line} if a player has that name", meant=hint, line=line)
        case _:
            pass
    return UsageError(error.message, hint, error.details)


def _with_words(arguments: Sequence[str], index: int, word: str, new: Sequence[str]) -> CommandLine:
    option = arguments[index].removesuffix(word)
    words = [*takewhile(lambda each: not (each.startswith("--") and each in arguments), new)]
    replaced = [f"{option}{words[0]}", *words[1:]] if words else []
    return command_line([*arguments[:index], *replaced, *arguments[index + 1 :]])


_MOST_LINES = 3
_LONGEST_LINE = 500  # a longer line, such as one with a pasted text, is not repeated


def _value(argument: str) -> str:
    return argument.partition("=")[2] if argument.startswith("--") and "=" in argument else argument
