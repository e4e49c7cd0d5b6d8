"""Shell completion: the candidates for TAB, and the command that installs the shell files.

The files in completions/ run `generala __complete WORD...`, which prints one raw candidate per line, and
quote the candidates for their shell. `__describe` appends a tab and a description. `completers.FILES` asks
for the shell's own files. Values come from `autocompletion=` on a parameter.
"""

import os
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from generala_cli.cli import app
from generala_cli.cli.commands import command_words
from generala_cli.cli.completers import FILES as SHELL_FILES
from generala_cli.cli.completers import FOLDERS, among, fitting
from generala_cli.cli.helppages import HELP
from generala_cli.cli.output import encoding_of_people
from generala_cli.cli.parameters import argument, option
from generala_cli.cli.session import Answer, Session, chosen_language, option_value
from generala_cli.cli.typer_private import USAGE_ERROR, words_below
from generala_cli.errors import GeneralaError, NotAllowed
from generala_cli.messages import ENGLISH, LANGUAGES, Message, lazy
from generala_cli.packages import Command
from generala_cli.render.language import speak, translate, translated
from generala_cli.text import choose, safe, unprintable

if TYPE_CHECKING:  # at run time, only `generala schema` needs these
    from generala_cli.render.documents import CompletionDocument, TextDocument

FILES = {"bash": "generala.bash", "zsh": "_generala", "fish": "generala.fish", "powershell": "generala.ps1"}
_FOR_SHELLS = {SHELL_FILES, FOLDERS}
_OURS = "# generala completion for"


def candidates(words: Sequence[str]) -> str:
    return "".join(f"{candidate}\n" for candidate in _found(words))


def described_candidates(words: Sequence[str]) -> str:
    found = _found(words)
    return "".join(f"{word}\t{safe(about)}\n" if about else f"{word}\n" for word, about in found.items())


def _found(words: Sequence[str]) -> Mapping[str, str]:
    """Return the candidates, or nothing on any error, because a prompt must never show a traceback."""
    try:
        speak(chosen_language(option_value(words, "--language")).code, encoding_of_people())
        return complete(words)
    except Exception:
        return {}


def complete(words: Sequence[str]) -> Mapping[str, str]:
    """Return the possible last words (whole, unquoted) with descriptions; none if a file is damaged."""
    *before, word = words or [""]
    with suppress(GeneralaError, USAGE_ERROR):
        return {found: about for found, about in _offered(before, word).items() if _is_showable(found)}
    return {}


def _offered(before: list[str], word: str) -> Mapping[str, str]:
    context, rest = _innermost(before)
    command = context.command
    options = [parameter for parameter in command.params if parameter.param_type_name == "option"]
    valued = {name: option for option in options if not option.is_flag for name in option.opts}
    name, equals, value = word.partition("=")
    if "--" not in rest:
        if rest and rest[-1] in valued:
            return _fitting(_values(context, valued[rest[-1]], [*rest, word], word), word)
        if equals and name in valued:  # --player=An
            found = _fitting(_values(context, valued[name], [*rest, word], value), value)
            return {f"{name}={each}": about for each, about in found.items() if each not in _FOR_SHELLS}
        if word.startswith("-"):
            parsed = _parsed(context, rest, "")
            left = [option for option in options if option.multiple or not _is_typed(option, parsed)]
            named = {name: translate(option.help) for option in left for name in option.opts}
            return _fitting(named | dict.fromkeys(context.help_option_names, translated(HELP)), word)
    if isinstance(command, app.LazyGroup):  # a word that is not a command has no candidates
        return {} if words_below(context) else _commands(command.table, word)
    return _fitting(_argument_values(context, [*rest, word], word), word)


def _commands(table: Mapping[str, Command], start: str) -> Mapping[str, str]:
    for language in LANGUAGES.understood(loaded_languages_only=True):
        named = {
            word: translate(table[name].summary)
            for name, words in command_words(table).items()
            for word in ((name,) if language is ENGLISH else language.words(words))
        }
        if found := _fitting(named, start):
            return found
    return {}


def _fitting(found: Mapping[str, str], start: str) -> Mapping[str, str]:
    fit = [each for each in fitting(found, start) if each not in _FOR_SHELLS]
    return {each: found[each] for each in fit or _FOR_SHELLS & found.keys()}


def _innermost(words: list[str]) -> tuple[Any, list[str]]:
    context = app.root().make_context("generala", list(words), resilient_parsing=True)
    rest = words
    while isinstance(context.command, app.LazyGroup):
        below = words_below(context)
        if not below:
            return context, rest
        name, *rest = context.command.named_command(below)
        command = context.command.get_command(context, name)
        context = command.make_context(name, list(rest), parent=context, resilient_parsing=True)
    return context, rest


def _is_typed(parameter: Any, parsed: typer.Context) -> bool:
    return getattr(parsed.get_parameter_source(parameter.name), "name", "") == "COMMANDLINE"


def _parsed(context: Any, words: list[str], word: str) -> Any:
    return context.command.make_context(
        context.info_name, list(words), parent=context.parent, obj=word, resilient_parsing=True
    )


def _values(context: Any, parameter: Any, words: list[str], word: str) -> Mapping[str, str]:
    found = parameter.shell_complete(_parsed(context, words, word), "")
    return {item.value: item.help or "" for item in found}


def _argument_values(context: Any, words: list[str], word: str) -> Mapping[str, str]:
    parsed = _parsed(context, words, word)
    arguments = (each for each in context.command.params if each.param_type_name == "argument")
    given = [
        argument
        for argument in arguments
        # Typer before 0.26.8 reports an empty list as typed.
        if _is_typed(argument, parsed) and not (argument.nargs < 0 and not parsed.params[argument.name])
    ]
    if parsed.args or not given:  # more words than the command takes
        return {}
    return _values(context, given[-1], words, word)


def _is_showable(text: str) -> bool:
    """Return whether a shell can show the text: one line, printable, in the shell's encoding."""
    try:
        text.encode(sys.stdout.encoding)
    except UnicodeEncodeError:
        return False
    return text in _FOR_SHELLS or (bool(text) and not unprintable(text))


Shell = Annotated[str, argument("SHELL", "bash, zsh, fish or powershell.", among(*FILES))]
Install = Annotated[bool, option("--install", "Install the file where the shell looks for it.")]


def completion(
    session: Session, shell: Shell, install: Install = False
) -> "Answer[TextDocument | CompletionDocument]":
    """Print the completion file for a shell or, with --install, install it.

    For bash, type generala completion bash --install, and likewise for zsh, fish and powershell. An
    existing file that generala did not write stays as it is. If you use an alias of generala in bash, add a
    line below it in ~/.bashrc: source and the name of the installed file.
    """
    from generala_cli.render.documents import CompletionDocument, TextDocument
    from generala_cli.render.lines import file_written
    from generala_cli.store.files import write_new

    name = choose(shell, (*FILES, "pwsh"), "shell")
    name = "powershell" if name == "pwsh" else name
    package = Path(__file__).parent.parent
    folder = next(filter(Path.is_dir, (package / "completions", package.parent / "completions")))
    text = (folder / FILES[name]).read_text(encoding="utf-8")
    if not install:
        return Answer.of_text(text, lambda: TextDocument(text=text))
    path, left = _destination(name)
    if path.exists() and _OURS not in path.read_text(encoding="utf-8", errors="replace"):
        raise NotAllowed("{file} was not written by generala", "move it away first", file=safe(path))
    saved = not session.dry_run
    if saved:
        write_new(path, text)
    done = f"{file_written(safe(path), saved=saved)}\n" + (f"  {safe(translated(left))}\n" if left else "")
    document = CompletionDocument(shell=name, path=str(path), note=str(left) or None, saved=saved)
    return session.as_change(Answer.of_text(done, lambda: document))


def _destination(shell: str) -> tuple[Path, Message]:
    """Return the path of a shell's completion file, and the manual step that remains, if any.

    bash: see the README of bash-completion; fish: `help complete`. zsh and PowerShell have to be asked.
    """
    data, nothing = _folder("XDG_DATA_HOME", ".local/share"), lazy("")
    match shell:
        case "bash":
            named = os.environ.get("BASH_COMPLETION_USER_DIR")
            user = _folder("BASH_COMPLETION_USER_DIR", "") if named else data / "bash-completion"
            path = user / "completions/generala"
            return path, nothing if _has_bash_completion(data) else _without_bash_completion(path)
        case "fish":
            return _folder("XDG_CONFIG_HOME", ".config") / "fish/completions/generala.fish", nothing
        case "zsh":
            zsh = _folder("ZDOTDIR", "")
            folder, start = zsh / ".zfunc", zsh / ".zshrc"
            text = start.read_text(encoding="utf-8", errors="replace") if start.is_file() else ""
            if "compinit" in text and folder.name in text:
                return folder / FILES["zsh"], nothing
            line = f"fpath=('{folder}' $fpath); autoload -Uz compinit && compinit"
            to_do = lazy("add this to the end of {file}:  {line}", file=start, line=line)
            return folder / FILES["zsh"], to_do
        case _:
            path = data / "generala" / FILES["powershell"]
            quoted = str(path).replace("'", "''")
            return path, lazy("add this to the end of your $PROFILE:  {line}", line=f". '{quoted}'")


_SHARED_DATA = (
    "/usr/local/share",
    "/usr/share",
    "/opt/homebrew/share",
    "/opt/local/share",
    "/home/linuxbrew/.linuxbrew/share",
)


def _has_bash_completion(data: Path) -> bool:
    """Return whether bash-completion is installed. Without it, bash loads no completion files."""
    named = os.environ.get("XDG_DATA_DIRS")
    folders = (data, *map(Path, named.split(os.pathsep) if named else _SHARED_DATA))
    return any((folder / "bash-completion/bash_completion").is_file() for folder in folders)


def _without_bash_completion(path: Path) -> Message:
    return lazy(
        "bash needs bash-completion to find this file, and it is not installed; add this to "
        "the end of {file}:  {line}",
        file=Path.home() / ".bashrc",
        line=f"source '{path}'",
    )


def _folder(variable: str, otherwise: str) -> Path:
    named = Path(os.environ.get(variable, ""))
    return named if named.is_absolute() else Path.home() / otherwise
