"""The table as a dialogue of lines, for screen readers, `TERM=dumb` and slow connections.

A line is a turn, a letter key of the full screen, or any command without `generala`.
"""

import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from textwrap import wrap

from generala_cli.app.programs import words_of
from generala_cli.app.rule_sets import load_rules
from generala_cli.cli.first_word import line_at_table, writes
from generala_cli.cli.output import columns, fitted, fitted_rows
from generala_cli.cli.prompts import INTERJECTION
from generala_cli.cli.session import open_house_rules
from generala_cli.cli.usage import command_named
from generala_cli.errors import GeneralaError
from generala_cli.messages import LEAVING, Message, clauses, lazy
from generala_cli.play.keys import DIALOGUE, KEYS
from generala_cli.render.hints import SCREEN, full_message
from generala_cli.render.language import translate, translated
from generala_cli.render.lines import latest
from generala_cli.store.store import Store
from generala_cli.text import NO_BREAK, find_word, safe

Run = Callable[[Sequence[str]], int]
"""Run a command line, print its answer, and return the exit code."""

_NOBODY = lazy("no game")
_HELP = lazy(
    """\
55533            enter a hand for the next player: last throw, best-paying box
55533 1 full     first throw, full house; you can add a player's name
x ones           scratch the ones
a 44126 1        advice for a hand on the first throw
amend 3 55533    correct turn 3
use 2            switch to game 2
"""
)
_WIDTH = 80


def converse(run: Run, store: Store) -> int:
    """Run lines until the player leaves, and return the exit code: 130 after Ctrl-C."""
    _with_history()
    try:
        sys.stdout.write(f"{translate('Type ? for help, q to quit; every turn is saved.')}\n")
        if _whose_turn(store) is _NOBODY:
            _begin(run)
        else:
            run([])
        INTERJECTION.is_one = _interrupts
        seen = _state(store)
        while (line := INTERJECTION.take() or _asked(f"{translated(_whose_turn(store))}> ")) is not None:
            if find_word(line, {True: LEAVING}):
                break
            if _state(store) != seen and any(map(writes, _commands(line))):
                _warn(store)
            else:
                _follow(line, run)
            seen = _state(store)
    except KeyboardInterrupt:
        sys.stdout.write("\n")
        return 130
    return 0


def _interrupts(reply: str) -> bool:
    """Return whether a reply to a question leaves the table or undoes the last entry instead."""
    return reply.casefold() == "u" or find_word(reply, {True: LEAVING}) is not None


def _state(store: Store) -> tuple[int, int] | None:
    with suppress(GeneralaError):
        number = store.find(None)
        if (file := store.glance(number)) is not None:
            return number, len(file.events)
    return None


def _warn(store: Store) -> None:
    news = lazy("the game moved on while you were typing")
    with suppress(GeneralaError):
        news = lazy("{trouble}: {news}", trouble=news, news=latest(store.open(None)))
    hint = lazy("type the line again to do this anyway")
    _write(clauses((news, hint)))


def _write(message: Message) -> None:
    sys.stdout.write(fitted(f"{safe(translated(message))}\n"))


def _commands(line: str) -> Sequence[Sequence[str]]:
    first, *rest = _words(line) or [""]
    letter = "" if rest else first.casefold()
    return [[command, *rest] for command in DIALOGUE.get(letter, [first])]


def _follow(line: str, run: Run) -> None:
    first, *rest = _words(line) or [""]
    match first:
        case "?":
            sys.stdout.write(_help())
        case "":
            run([])
        case "n" if not rest:
            _begin(run)
        case _:
            for words in _commands(line):
                run(words)


def _help() -> str:
    letters = "  ".join(key.shown.replace(" ", NO_BREAK) for key in KEYS if key.runs)
    others = translate("Any other generala command works, too, for example rules show general.")
    below = [line for text in (letters, others) for line in wrap(text, min(_WIDTH, columns()))]
    return fitted_rows(translated(_HELP)) + "".join(f"{line.replace(NO_BREAK, ' ')}\n" for line in below)


def _begin(run: Run) -> None:
    names = _answer(translate("Who plays? Type names, separated by spaces or commas:"))
    if not names:
        return
    first, *rest = words = _words(names)
    is_command = first.islower() and command_named(first) == "new"
    if is_command or any(word.startswith("--") for word in words):
        run(["new", *(rest if is_command else words)])
        return
    rules = _rules(run)
    if rules is not None:
        together = [names] if "," in names else names.split()
        run(["new", *(["--rules", rules] if rules else []), "--", *together])


def _rules(run: Run) -> str | None:
    """Ask until the answer names a rule set; "" is the default one, and None leaves the question."""
    question = translate("Which rules? Press Enter for generala, or ? for a list:")
    while rules := _answer(question):
        if rules == "?":
            run(["rules", "list"])
            continue
        try:
            load_rules(rules, open_house_rules(), bytes)
        except GeneralaError as error:
            _write(full_message(error, SCREEN))
        else:
            break
    return rules


def _words(line: str) -> list[str]:
    """Split a line as a shell does, without `generala`. A single quote, as in O'Brien, is a letter."""
    try:
        words = words_of(line)
    except ValueError:
        words = line.split()
    return line_at_table(words)


def _whose_turn(store: Store) -> str | Message:
    try:
        glance = store.glance(store.find(None))
    except GeneralaError:
        return _NOBODY
    if glance is None:
        return lazy("damaged")
    return safe(glance.result.next) if glance.result.next else lazy("the game is over")


def _answer(question: str) -> str | None:
    reply = _asked(f"{question} ")
    if reply and _interrupts(reply):
        INTERJECTION.typed = reply
        return None
    return reply


def _asked(question: str) -> str | None:
    try:
        return input(fitted(question)).strip()
    except EOFError:
        sys.stdout.write("\n")
        return None


def _with_history() -> None:
    try:
        import readline  # noqa: F401 - importing it is enough
    except ImportError:
        return
