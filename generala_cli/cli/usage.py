"""A command line that typer cannot read, as one sentence of ours: by what its error holds."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from generala_cli.cli.commands import COMMANDS, Command, command_words
from generala_cli.errors import Mistyped
from generala_cli.messages import LANGUAGES, Message, tell, tell_count, words_for
from generala_cli.text import find_word

_OPTION_WORDS: Mapping[str, Message] = {
    "--as": words_for("the option --as", "as, category"),
    "--game": words_for("the option --game", "game"),
    "--method": words_for("the option --method", "method, payout"),
    "--name": words_for("the option --name", "name, label"),
    "--payout": words_for("the option --payout", "payout, method"),
    "--player": words_for("the option --player", "player"),
    "--roll": words_for("the option --roll", "roll, throw"),
    "--rules": words_for("the option --rules", "rules"),
    "--stake": words_for("the option --stake", "stake"),
    "--team": words_for("the option --team", "team, side"),
    "--unit": words_for("the option --unit", "unit, currency"),
}
"""Names of options in other commands, in other programs and, by the catalogues, in other languages."""


def nearest(word: str, names: Iterable[str]) -> Message:
    """Return a hint at the name that was perhaps meant, or nothing."""
    near = get_close_matches(word, names, n=1)
    return tell("did you mean {names}?", names=near[0]) if near else tell("")


def nearest_command(word: str, table: Mapping[str, Command]) -> Message:
    """Return a hint at the command whose name, in any language, is the nearest, or nothing."""
    for at_hand in (True, False):
        names = [
            name
            for language in LANGUAGES.understood(at_hand=at_hand)
            for words in command_words(table).values()
            for name in language.words(words)
        ]
        if hint := nearest(word, names):
            return hint
    return tell("")


def see_help(hint: Message, command: str) -> Message:
    """Return the hint with a reference to the help of the command."""
    if not hint:
        return tell("see {command} -h", command=command)
    if str(hint).endswith("?"):
        return tell("{hint} see {command} -h", hint=hint, command=command)
    return tell("{hint}; see {command} -h", hint=hint, command=command)


def command_named(word: str, table: Mapping[str, Command] = COMMANDS) -> str | None:
    """Return the command that a word is the whole name of, in any language, in any case."""
    if word in table:
        return word
    return find_word(word, command_words(table)) if word[:1].isalpha() else None


def mistyped(error: Exception) -> Mistyped:
    """Return a usage error of typer's as one sentence of ours."""
    if hasattr(error, "possibilities"):
        return _no_such_option(error)
    if hasattr(error, "param_type"):
        return _missing(error)
    if hasattr(error, "option_name"):
        return _wrong_value(error)
    parameter: Any = getattr(error, "param", None)
    if parameter is not None and getattr(parameter.type, "func", None) is int:
        name = parameter.get_error_hint(getattr(error, "ctx", None))
        # Where a function of ours does not take a value, the value is all of typer's message.
        value = getattr(error, "message", "")
        return Mistyped("invalid value for {name}: {value!r} is not a whole number", name=name, value=value)
    sentence = getattr(error, "format_message", lambda: str(error))()
    return Mistyped(Message("{trouble}", {"trouble": sentence[:1].lower() + sentence[1:].rstrip(".")}))


def _no_such_option(error: Any) -> Mistyped:
    option, command = error.option_name, error.ctx.command
    names = [name for parameter in command.params for name in parameter.opts]
    word = option.lstrip("-").casefold()
    meant = find_word(word, {name: words for name, words in _OPTION_WORDS.items() if name in names})
    if meant is None and (named := command_named(word)):
        what = tell("{word} is a command, not an option", word=word)
        return Mistyped(what, tell("type generala {command}", command=named))
    hint = see_help(nearest(meant or option, names), error.ctx.command_path)
    return Mistyped(tell("there is no option {option}", option=option), hint)


def _missing(error: Any) -> Mistyped:
    name = error.param.get_error_hint(error.ctx)
    if error.param.param_type_name == "argument":
        return Mistyped("missing argument {name}", name=name)
    return Mistyped("missing option {name}", name=name)


def _wrong_value(error: Any) -> Mistyped:
    """An option without its value, or a flag with one."""
    option = error.option_name
    parameters = error.ctx.command.get_params(error.ctx)
    values = next(0 if each.is_flag else each.nargs for each in parameters if option in each.opts)
    if not values:
        return Mistyped("option {option!r} does not take a value", option=option)
    what = tell_count(
        "option {option!r} requires an argument",
        "option {option!r} requires {count} arguments",
        values,
        option=option,
    )
    return Mistyped(what)
