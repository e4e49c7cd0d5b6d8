"""What a new game is like when nothing is said: the configuration file, or the program's own defaults."""

from collections.abc import Iterator, Mapping
from pathlib import Path

from generala_cli.errors import DamagedFile, Mistyped
from generala_cli.facts import Fact
from generala_cli.game.starting import parse_payout, parse_stake, parse_unit
from generala_cli.rules.document import Fields, Problem
from generala_cli.store.houses import parsed, read_text
from generala_cli.store.trouble import printable

PROGRAM = {"rules": "generala", "stake": "1", "unit": "point", "payout": "difference"}


class Setting(Fact):
    """A value and where it came from: a flag, the environment, a file or the program's default."""

    name: str
    value: str
    origin: str


class Defaults(Fact):
    """What `generala new` takes where its options are not given."""

    settings: Mapping[str, Setting]

    def of(self, name: str, flag: str | None) -> str:
        """The flag, or else what stands in the file or the program."""
        return self.settings[name].value if flag is None else flag


def read_defaults(path: Path) -> Defaults:
    """The defaults in a configuration file; a missing one changes nothing.

    Raises:
        DamagedFile: the file has errors. FileTrouble: it cannot be read.
    """
    text = read_text(path)
    found = {} if text is None or not text.strip() else dict(_file_settings(text, path))
    return Defaults(
        settings={
            name: found.get(name, Setting(name=name, value=value, origin="default"))
            for name, value in PROGRAM.items()
        }
    )


def _file_settings(text: str, path: Path) -> Iterator[tuple[str, Setting]]:
    problems: list[Problem] = []
    fields = Fields(parsed(text, printable(path)), "", problems)
    for name, default in PROGRAM.items():
        before = len(problems)
        value = fields.text(name, default, longest=200)
        if name in fields:
            if len(problems) == before:
                _check(fields, name, value)
            yield name, Setting(name=name, value=value, origin=printable(path))
    fields.end()
    if problems:
        details = [str(problem) for problem in problems]
        raise DamagedFile(f"{printable(path)} cannot be used", "mend the file", details)


def _check(fields: Fields, name: str, value: str) -> None:
    """What a flag would be refused for, told at its place in the file."""
    checks = {"stake": parse_stake, "unit": parse_unit, "payout": parse_payout}
    try:
        if name in checks:
            checks[name](value)
    except Mistyped as error:
        fields.wrong(name, error.message)
