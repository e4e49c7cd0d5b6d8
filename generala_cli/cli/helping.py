import json
import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from msgspec import Struct
from msgspec.structs import replace

from generala_cli.cli.commands import BELOW, COMMANDS, command_words
from generala_cli.cli.first_word import SHORTEST_PREFIX
from generala_cli.cli.helppages import ALL_COMMANDS, COMMANDS_TOPIC, with_other_name, write_rows
from generala_cli.cli.parameters import argument
from generala_cli.cli.session import Answer, Session, chosen_language
from generala_cli.cli.usage import command_named, nearest, nearest_command
from generala_cli.errors import NotFound, UsageError
from generala_cli.messages import LANGUAGES, Message, lazy, words_for
from generala_cli.packages import packages
from generala_cli.render.language import first_word, spoken, translate, translated
from generala_cli.render.screen import ASCII, UNLIMITED, Screen, color_and_origin
from generala_cli.text import choose, find_word, normalize

if TYPE_CHECKING:  # most help topics need none of these
    from rich.console import RenderableType

    from generala_cli.render.documents import (
        EnvironmentDocument,
        ExitCodesDocument,
        SchemaDocument,
        SchemasDocument,
        TextDocument,
    )

GUIDE = Path(__file__).parent.parent / "guide"
"""The core's part of the guide: a folder per language with a file per chapter, such as `en/table.md`."""
_CHAPTERS = ("install", "table", "rules", "money", "files", "sources")
TOPICS: Mapping[str, Message] = {
    "commands": lazy("all commands in groups, and the options"),
    "environment": lazy("settings and where each comes from"),
    "exit-codes": lazy("what the exit codes mean"),
}
TOPIC_WORDS: Mapping[str, Message] = {
    "commands": COMMANDS_TOPIC,
    "environment": words_for("the topic environment", "environment"),
    "exit-codes": words_for("the topic exit-codes", "exit-codes"),
}
EXIT_CODES: Mapping[str, Message] = {
    "0": lazy("done"),
    "1": lazy("not allowed by the rules or the game, or not found"),
    "2": lazy("invalid command line"),
    "3": lazy(
        "a file is damaged, too new, has a conflict copy, or cannot be read or written; lists only skip and"
        " name it, and exit with 0"
    ),
    "130": lazy("interrupted"),
}
_PRECEDENCE = lazy("A flag overrides the environment, which overrides the file, which overrides the default.")
VARIABLES: Mapping[str, Message] = {
    "GENERALA_ROOT": lazy(
        "one folder for everything: games in data, settings and rules in config, cached advice in cache"
    ),
    "GENERALA_HOME": lazy("the folder for games, instead of data in GENERALA_ROOT or the platform's folder"),
    "GENERALA_CACHE": lazy(
        "the folder for cached advice, instead of cache in GENERALA_ROOT or the platform's folder"
    ),
    "GENERALA_GAME": lazy("the game for all commands, like --game; the default is the current game"),
    "GENERALA_LANGUAGE": lazy(
        "the language, like --language; the default comes from config.toml, LC_ALL, LC_MESSAGES or LANG"
    ),
    "NO_COLOR": lazy("no color, unless empty"),
    "FORCE_COLOR": lazy("color even in a pipe, unless empty or 0"),
    "TERM": lazy("no color if it is dumb"),
    "COLUMNS, LINES": lazy("the size of the terminal"),
    "PAGER": lazy("the pager for lists, logs, rules and help longer than the terminal; empty for none"),
    "VISUAL, EDITOR": lazy("the editor for generala rules edit"),
    "XDG_DATA_HOME": lazy("the folder for data, as in the XDG specification (absolute path only)"),
    "XDG_CONFIG_HOME": lazy("the folder for configuration, as in the XDG specification (absolute path only)"),
    "XDG_CACHE_HOME": lazy("the folder for caches, as in the XDG specification (absolute path only)"),
}
_FILE = lazy(
    "config.toml in the configuration folder can set the rules, stake, unit and payout of "
    "new games, the aim of advice, and the language."
)
_SETTINGS: Mapping[str, Message] = {
    "command": lazy("command", context="setting"),
    "games": lazy("games", context="setting"),
    "configuration": lazy("configuration", context="setting"),
    "cache": lazy("cache", context="setting"),
    "game": lazy("game", context="setting"),
    "new games": lazy("new games", context="setting"),
    "color": lazy("color", context="setting"),
}
_DEFAULT = lazy("default")
_WIDE = 52
"""With fewer columns, a meaning is below its name."""


@cache
def chapters() -> Mapping[str, Path]:
    names, folders = list(_CHAPTERS), dict.fromkeys(_CHAPTERS, GUIDE)
    for name, package in packages().items():
        for chapter, before in package.chapters.items():
            names.insert(names.index(before), chapter)
            folders[chapter] = GUIDE.parent / name / "guide"
    return {name: folders[name] for name in names}


def chapter_file(chapter: str, language: str) -> Path:
    return chapters()[chapter] / language / f"{chapter}.md"


def _topics(context: typer.Context) -> Iterable[str]:
    match context.params["topic"]:
        case [_]:
            return dict.fromkeys((*COMMANDS, *chapters(), *TOPICS))
        case [group, _]:
            return BELOW.get(group, ())
        case _:
            return ()


_TOPIC = lazy("A command, a chapter of the guide, or one of: commands, environment, exit-codes.")
Topic = Annotated[list[str] | None, argument("[COMMAND|TOPIC]", _TOPIC, _topics)]


def help_(
    session: Session, topic: Topic = None
) -> "Answer[TextDocument | EnvironmentDocument | ExitCodesDocument]":
    """Explain a command or show a chapter of the guide. Without an argument, list them all."""
    words = list(topic or ())
    if len(words) == 1:
        words = [_named(words[0])]
        if words[0] in chapters():
            return _chapter(words[0])
    elif words:
        words[0] = command_named(words[0]) or choose(words[0], (*COMMANDS, *TOPICS), "command or topic")
    if words[:1] == ["environment"]:
        return _environment(session)
    if words[:1] == ["exit-codes"]:
        rows = [(code, translated(meaning)) for code, meaning in EXIT_CODES.items()]
        codes = {code: str(meaning) for code, meaning in EXIT_CODES.items()}
        return Answer(lambda screen: _columns(rows, screen, right=True), lambda: _exit_codes(codes))
    context: Any = session.context.find_root()
    if words in ([], ["commands"]):
        context.meta[ALL_COMMANDS] = True
        text = f"{context.get_help()}\n" + ("" if words else f"\n{_contents(context)}\n")
        return _text(text).long()
    for word in words:
        name, command, _ = context.command.resolve_command(context, [word])
        context = type(context)(command, info_name=name, parent=context)
        if not hasattr(command, "resolve_command"):
            break
    text = f"{context.get_help()}\n"
    return _text(text).long()


def _text(text: str) -> "Answer[TextDocument]":
    def document() -> "TextDocument":
        from generala_cli.render.documents import TextDocument

        return TextDocument(text=text)

    return Answer.of_text(text, document)


def _exit_codes(codes: Mapping[str, str]) -> "ExitCodesDocument":
    from generala_cli.render.documents import ExitCodesDocument

    return ExitCodesDocument(exit_codes=dict(codes))


def _named(word: str) -> str:
    """Return the chapter, otherwise the command or topic, with this name or prefix."""
    for chapter, folder in chapters().items():
        if normalize(word) in (
            chapter,
            *(normalize(heading(file)[0]) for file in folder.glob(f"*/{chapter}.md")),
        ):
            return chapter
    if named := command_named(word) or find_word(word, TOPIC_WORDS):
        return named
    try:
        return choose(word, dict.fromkeys((*COMMANDS, *chapters(), *TOPICS)), "command or topic")
    except UsageError as error:
        if begun := _begun_in_language(normalize(word)):
            return begun
        from generala_cli.rules.catalog import built_in_names  # slow, and rarely needed

        hint = error.hint
        if isinstance(error.__cause__, NotFound):
            hint = nearest_command(word, COMMANDS) or nearest(word, map(_title, chapters())) or hint
        if word.casefold() in built_in_names():
            hint = lazy("type generala rules show {rules}", rules=word)
        raise UsageError(error.message, hint) from error


def _title(chapter: str) -> str:
    return heading(_file(chapter))[0].lower()


def _begun_in_language(start: str) -> str:
    """Return the only chapter, or else the only command or topic, with this prefix in the user's language."""
    language = LANGUAGES.typed
    if language.code == "en" or len(start) < SHORTEST_PREFIX:
        return ""
    files = {chapter: chapter_file(chapter, language.code) for chapter in chapters()}
    titles = {chapter: [heading(file)[0]] for chapter, file in files.items() if file.exists()}
    words = {**command_words(COMMANDS), **TOPIC_WORDS}
    for table in (titles, {name: language.words(listed) for name, listed in words.items()}):
        found = [name for name in table if any(normalize(each).startswith(start) for each in table[name])]
        if len(found) == 1:
            return found[0]
    return ""


def _file(chapter: str) -> Path:
    file = chapter_file(chapter, spoken())
    return file if file.exists() else chapter_file(chapter, "en")


def heading(file: Path) -> tuple[str, str]:
    """Return the name of a chapter and its summary, from a line such as `# Table: a turn's line, ...`."""
    with file.open(encoding="utf-8") as lines:
        name, _, contents = next(lines).removeprefix("# ").strip().partition(": ")
    return name, contents


def _chapter(name: str) -> "Answer[TextDocument]":
    text = _file(name).read_text(encoding="utf-8")

    def draw(screen: Screen) -> "RenderableType":
        if screen.width == UNLIMITED or screen.marks is ASCII:
            return text
        from generala_cli.render.markdown import MarkdownText  # needed only on a terminal

        return MarkdownText(text)

    return replace(_text(text), draw=draw).long()


def _contents(context: Any) -> str:
    formatter = context.make_formatter()
    with formatter.section(translate("The guide: generala help CHAPTER")):
        headings = {chapter: heading(_file(chapter)) for chapter in chapters()}
        rows = ((with_other_name(key, name.lower()), about) for key, (name, about) in headings.items())
        write_rows(formatter, rows)
    with formatter.section(translate("Topics")):
        topics = {key: with_other_name(key, first_word(words)) for key, words in TOPIC_WORDS.items()}
        write_rows(formatter, ((name, translated(TOPICS[key])) for key, name in topics.items()))
    return str(formatter.getvalue()).strip("\n")


def _environment(session: Session) -> "Answer[EnvironmentDocument]":
    # other help topics do not need these
    from generala_cli.app.defaults import EffectiveSetting, surroundings
    from generala_cli.cli.which import command_on_path
    from generala_cli.render.documents import environment
    from generala_cli.render.drawing import Stack

    choice = session.color or "auto"
    is_colored, origin = color_and_origin(choice, os.environ, is_terminal=sys.stdout.isatty())
    language = chosen_language(session.language)
    rows = (
        command_on_path(),
        *surroundings(),
        EffectiveSetting(
            name="color",
            value=lazy("yes") if is_colored else lazy("no", context="answer"),
            origin=_origin(origin),
        ),
        EffectiveSetting(name="language", value=language.code, origin=_origin(language.origin)),
    )
    settings = [
        (
            translated(_SETTINGS.get(row.name, row.name)),
            f"{translated(row.value)}  ({translated(row.origin)})",
        )
        for row in rows
    ]
    variables = [(name, translated(meaning)) for name, meaning in VARIABLES.items()]
    width = max(len(name) for name, _ in (*settings, *variables))
    settings, variables = (
        [(f"{name:{width}}", meaning) for name, meaning in each] for each in (settings, variables)
    )

    def draw(screen: Screen) -> "RenderableType":
        below = (_columns(variables, screen), "", translated(_FILE))
        return Stack(_columns(settings, screen), "", translated(_PRECEDENCE), "", *below)

    return Answer(draw, lambda: environment(rows=rows)).long()


def _columns(rows: Sequence[tuple[str, str]], screen: Screen, *, right: bool = False) -> "RenderableType":
    from generala_cli.render.drawing import Column, GivesWay, Hanging, Stack, table

    if screen.width < _WIDE:
        return Stack(*(part for name, meaning in rows for part in (name.strip(), Hanging(meaning, indent=4))))
    names, meanings = zip(*rows, strict=True)
    return table(
        Column(cells=names, right=right), Column(cells=meanings, gives_way=GivesWay.WRAPS), screen=screen
    )


def _origin(text: str) -> str | Message:
    return _DEFAULT if text == str(_DEFAULT) else text


def _schemas(_: typer.Context) -> Mapping[str, Sequence[type[Struct]]]:
    from generala_cli.cli.schemas import answers, file_formats  # slow, and other help does not need it

    found = {name.replace(" ", "-"): types for name, types in answers().items()}
    files = {name: (file,) for name, file in file_formats().items()}
    return {**found, **files}


_NAME = lazy(
    "A command, or one of: error, file (a game file), payments-file, training-file, tournament-file."
)
SchemaName = Annotated[str | None, argument("[COMMAND]", _NAME, _schemas)]


def schema(session: Session, name: SchemaName = None) -> "Answer[SchemasDocument | SchemaDocument]":
    """Print the JSON Schema of a command's output, of an error, or of a file.

    Without COMMAND, list all schemas. Type a subcommand with a hyphen: rules-show.
    """
    from generala_cli.cli import schemas
    from generala_cli.render.documents import SchemaDocument, SchemasDocument

    types = _schemas(session.context)
    if name is None:
        listed = "".join(f"{each}\n" for each in types)
        return Answer.of_text(listed, lambda: SchemasDocument(schemas=tuple(types)))
    chosen = choose(name, types, "schema")
    found = schemas.schema(types[chosen], chosen)
    text = json.dumps(found, indent=2, ensure_ascii=False) + "\n"
    return Answer.of_text(text, lambda: SchemaDocument(name=chosen, schema=found))
