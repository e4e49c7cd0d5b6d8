"""new, rematch, use, games, delete."""

import typer

from generala_cli.app import games as app_games
from generala_cli.app.games import Agreed, Begun
from generala_cli.cli.more_parameters import (
    Game,
    Label,
    Openings,
    Partnership,
    Payout,
    Players,
    Rules,
    Settings,
    Stake,
    Teams,
    Uneven,
    Unit,
    Yes,
)
from generala_cli.cli.parameters import MaybeGame
from generala_cli.cli.progress import progress
from generala_cli.cli.session import Answer, Session, drawn_by, read_input, told_by
from generala_cli.errors import Mistyped
from generala_cli.store.places import config_folder

Result = tuple[Answer, Session]


def new(
    context: typer.Context,
    names: Players,
    rules: Rules = None,
    settings: Settings = None,
    teams: Teams = None,
    uneven: Uneven = False,
    partners: Partnership = False,
    openings: Openings = None,
    stake: Stake = None,
    unit: Unit = None,
    payout: Payout = None,
    label: Label = "",
) -> Result:
    """Start a game and make it current.

    Options that are not given are taken from config.toml in the configuration folder, where there is
    one; generala help environment shows what holds.
    """
    from generala_cli.app.defaults import read_defaults
    from generala_cli.app.rulebook import load_rules

    session = Session.of(context)
    defaults = read_defaults(config_folder() / "config.toml")
    agreed = Agreed(
        names=names,
        settings=settings or (),
        teams=teams or (),
        uneven=uneven,
        partners=partners,
        openings=openings or (),
        stake=defaults.of("stake", stake),
        unit=defaults.of("unit", unit),
        payout=defaults.of("payout", payout),
        label=label,
    )
    house = load_rules(defaults.of("rules", rules), session.houses, read_input)
    return _begun(session, app_games.new(session.store, house, agreed, dry_run=session.dry_run))


def rematch(
    context: typer.Context, game: MaybeGame = None, openings: Openings = None, label: Label = ""
) -> Result:
    """Start another game with the same players, sides, rules and stakes."""
    session = Session.of(context)
    again = app_games.rematch(
        session.store, game, label=label, openings=openings or (), dry_run=session.dry_run
    )
    return _begun(session, again)


def use(context: typer.Context, game: Game) -> Result:
    """Make another game the current one."""
    session = Session.of(context)
    result = app_games.use(session.store, game, dry_run=session.dry_run)
    return session.news(drawn_by("lines.used", result), told_by("begun", result)), session


def games(context: typer.Context) -> Result:
    """List all games, the current one marked."""
    session = Session.of(context)
    with progress(what="games", quiet=session.quiet) as tell:
        found = app_games.list_games(session.store, tell)
    notes = tuple(str(problem) for _, problem in found.damaged)
    return Answer(
        text=drawn_by("listings.games", found), document=told_by("games", found), notes=notes
    ), session


def delete(context: typer.Context, game: Game, yes: Yes = False) -> Result:
    """Delete a game for ever. This cannot be undone, so it asks first."""
    session = Session.of(context)
    number = app_games.to_delete(session.store, game)
    saved = not session.dry_run and _agreed(session, number, yes=yes)
    if saved:
        app_games.delete(session.store, number)
    said = f"game {number} {'is' if saved else 'would be' if session.dry_run else 'is not'} deleted\n"
    document: dict[str, object] = {"game": number, "deleted": saved, "saved": saved}
    return session.news(lambda _: said, lambda: document), session


def _agreed(session: Session, number: int, *, yes: bool) -> bool:
    if yes:
        return True
    if not session.can_ask:
        raise Mistyped(
            "deleting a game cannot be undone", f"say that you mean it: generala delete {number} --yes"
        )
    from generala_cli.cli.asking import ask_yes

    return ask_yes(f"Delete game {number} for ever?")


def _begun(session: Session, result: Begun) -> Result:
    return session.news(drawn_by("lines.begun", result), told_by("begun", result)), session
