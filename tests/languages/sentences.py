"""Collect every sentence of the program from the code: the template of the catalogues.

In the code, a sentence is a text argument of one of the functions below, or the docstring of a command. It
must be a literal there, because a text assembled from parts cannot be translated. The sources of the built-in
games are sentences, too.
"""

import ast
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from inspect import cleandoc
from pathlib import Path

from babel.messages.catalog import Catalog
from msgspec import Struct

from generala_cli.cli.commands import BELOW, COMMANDS, ROOT, command_words
from generala_cli.messages import WORDS
from generala_cli.rules.catalog import SOURCE, built_in, built_in_names
from tests.trees import tree_of

PACKAGE = Path(__file__).parents[2] / "generala_cli"
_TAKE_SENTENCES: Mapping[str, tuple[int, ...]] = {
    "lazy": (0,),
    "translate": (0,),
    "lazy_count": (0, 1),
    "translate_count": (0, 1),
    "argument": (1,),
    "option": (1,),
    "Command": (1,),
}
"""Functions, and which of their arguments are sentences; errors take two: a message and a hint."""
_COUNT = frozenset({"lazy_count", "translate_count"})


class Sentence(Struct, frozen=True):
    """A message: its English text, its plural if it has one, and its context."""

    place: str
    one: str
    several: str = ""
    context: str = ""


class Glued(Struct, frozen=True):
    """A message that is not a literal at the call."""

    place: str
    code: str


@cache
def found() -> Sequence[Sentence | Glued]:
    """Return all messages and typed words, and all untranslatable texts that look like them, by file."""
    return tuple(_found())


def _found() -> Iterator[Sentence | Glued]:
    trees = {path: _nodes(path) for path in sorted(PACKAGE.rglob("*.py"))}
    errors = _errors(node for nodes in trees.values() for node in nodes)
    takers = {**_TAKE_SENTENCES, **dict.fromkeys(errors, (0, 1))}
    for table in (COMMANDS, *BELOW.values()):
        for words in command_words(table).values():
            yield Sentence("generala_cli/cli/commands.py", words.template, context=words.context)
    for name in built_in_names():
        yield Sentence(f"generala_cli/rules/catalog/{name}.toml", built_in(name).source, context=SOURCE)
    for path, nodes in trees.items():
        place = path.relative_to(PACKAGE.parent).as_posix()
        for node in nodes:
            if isinstance(node, ast.Call):
                yield from _found_in(node, takers, place)
            elif isinstance(node, ast.FunctionDef) and (*path.parts[-2:], node.name) in _COMMAND_FUNCTIONS:
                yield Sentence(place, cleandoc(ast.get_docstring(node) or ""))


def _nodes(path: Path) -> Sequence[ast.AST]:
    tree = tree_of(path)
    return [node for node in ast.walk(tree) if isinstance(node, ast.Call | ast.FunctionDef | ast.ClassDef)]


def template() -> Catalog:
    """Return the catalogue of all sentences without translations."""
    catalog = Catalog(project="generala", charset="utf-8", fuzzy=False)
    for sentence in found():
        if isinstance(sentence, Sentence) and sentence.one:
            key = (sentence.one, sentence.several) if sentence.several else sentence.one
            catalog.add(key, locations=[(sentence.place, 0)], context=sentence.context or None)
    return catalog


def _function_of(place: str) -> tuple[str, str, str]:
    """Return the folder, the file and the name of a command's function, whose docstring is the help."""
    module, _, function = place.partition(":")
    room, _, file = module.rpartition(".")
    return room, f"{file}.py", function


_COMMAND_FUNCTIONS = {
    _function_of(command.place)
    for table in (COMMANDS, *BELOW.values(), {"": ROOT})
    for command in table.values()
}


def _errors(nodes: Iterable[ast.AST]) -> set[str]:
    """Return the names of all error classes with user-visible messages."""
    bases: dict[str, set[str]] = {}
    for node in nodes:
        if isinstance(node, ast.ClassDef):
            bases.setdefault(node.name, set()).update(map(ast.unparse, node.bases))
    known = {"GeneralaError"}
    while more := {name for name, parents in bases.items() if parents & known} - known:
        known |= more
    return known


def _found_in(
    call: ast.Call, takers: Mapping[str, tuple[int, ...]], place: str
) -> Iterator[Sentence | Glued]:
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    if name == "words_for":
        meaning, words = map(_text, call.args)
        if meaning and words:  # the names of commands come from their table
            yield Sentence(place, words, context=WORDS + meaning)
        return
    if name not in takers or (name in _TAKE_SENTENCES and not isinstance(call.func, ast.Name)):
        return
    named = {keyword.arg: keyword.value for keyword in call.keywords}
    context = getattr(named.get("context"), "value", "")
    given = [call.args[at] for at in takers[name] if at < len(call.args)]
    if name not in _TAKE_SENTENCES:
        given += [named[hint] for hint in ("hint",) if hint in named]
    if name in _COUNT:
        one, several = (_text(argument) for argument in given)
        if one is None or several is None:
            yield Glued(place, ast.unparse(call))
        else:
            yield Sentence(place, one, several, context)
        return
    for argument in given:
        for branch in _branches(argument):
            text = _text(branch)
            if text is not None:
                yield Sentence(place, text, context=context)
            elif isinstance(branch, ast.JoinedStr | ast.BinOp):
                yield Glued(f"{place}:{branch.lineno}", ast.unparse(branch))


def _branches(argument: ast.expr) -> Iterator[ast.expr]:
    """Return the possible values of a conditional argument."""
    if isinstance(argument, ast.IfExp):
        yield from _branches(argument.body)
        yield from _branches(argument.orelse)
    elif isinstance(argument, ast.BoolOp):
        for value in argument.values:
            yield from _branches(value)
    else:
        yield argument


def _text(argument: ast.expr) -> str | None:
    is_text = isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    return argument.value if is_text else None  # type: ignore[attr-defined]
