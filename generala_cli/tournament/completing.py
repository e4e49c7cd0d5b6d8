from collections.abc import Iterable

import typer

from generala_cli.cli.session import open_store
from generala_cli.errors import FileError


def tournaments(context: typer.Context) -> Iterable[str]:
    from generala_cli.tournament.storing import each

    found = [*each(open_store())][::-1]
    names = (stored.terms.name for _, stored in found if not isinstance(stored, FileError))
    return [*(str(number) for number, _ in found), *names]


def participants(context: typer.Context) -> Iterable[str]:
    from generala_cli.tournament.storing import find_tournament

    return find_tournament(open_store(), context.params.get("which")).standing.playing
