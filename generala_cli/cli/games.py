"""new, rematch, use, games, delete."""

from typing import Annotated

from msgspec.structs import replace

from generala_cli.app import games as app_games
from generala_cli.cli import completers
from generala_cli.cli.asking import ask_before, ask_yes
from generala_cli.cli.parameters import LABELLED, Game, Label, MaybeGame, Yes, argument, option, unit_note
from generala_cli.cli.progress import progress
from generala_cli.cli.rendering import documents, lines, tables
from generala_cli.cli.session import Answer, Session, open_houses, read_input
from generala_cli.errors import Mistyped
from generala_cli.store.places import config_folder
from generala_cli.text import listed, safe

_NAMES = "The players, in the order they sit; commas may part them."
Players = Annotated[list[str] | None, argument("NAME NAME...", _NAMES)]
_EXACT = "One more player, whose name is taken exactly as it is typed."
ExactPlayers = Annotated[list[str] | None, option("--player", _EXACT, "NAME")]
_RULES = "The rule set, or a TOML file (- for stdin); by default that of config.toml, or generala."
Rules = Annotated[str | None, option("--rules", _RULES, "NAME|FILE", completers.rule_sets)]
_SET = "Change an option of the rules; generala rules show NAME lists them."
Settings = Annotated[list[str] | None, option("--set", _SET, "KEY=VALUE", completers.settings)]
Teams = Annotated[list[str] | None, option("--team", "A side, once for each.", "A+B", completers.teams)]
Uneven = Annotated[bool, option("--uneven", "Sides may differ in size.")]
_PARTNERSHIP = "The two lowest opening hands against the two highest."
Partnership = Annotated[bool, option("--partnership", _PARTNERSHIP)]
_OPENING = "A player's opening throw, and further ones after ties; the lowest plays first."
Openings = Annotated[
    list[str] | None, option("--opening", _OPENING, "NAME=DICE[,DICE...]", completers.openings)
]
_STAKE = "Money, or any unit, per point; per game with pot and low-pays."
Stake = Annotated[str | None, option("--stake", _STAKE, "AMOUNT")]
_UNIT = "USD, ARS, EUR... or a word, as drink."
Unit = Annotated[str | None, option("--unit", _UNIT, "UNIT", completers.units)]
_PAYOUT = "difference, pairwise, pot or low-pays."
Payout = Annotated[str | None, option("--payout", _PAYOUT, "METHOD", completers.methods)]

_BACK = "Someone who left the last game and is back."
Back = Annotated[list[str] | None, option("--back", _BACK, "NAME", completers.gone)]


MaybeDeleted = Annotated[str | None, argument("GAME", f"{LABELLED}.", completers.games)]

_PLAYED = "Only games this player took part in; twice: both."
PlayedBy = Annotated[list[str] | None, option("--with", _PLAYED, "NAME", completers.everyone)]
_SINCE = "Only those begun since: tonight, a day as 2026-11-20, or a game."
Since = Annotated[str | None, option("--since", _SINCE, "WHEN", completers.moments)]


def new(
    session: Session,
    names: Players = None,
    exactly: ExactPlayers = None,
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
) -> Answer:
    """Start a game and make it current.

    Options that are not given are taken from config.toml in the configuration folder, where there is
    one; generala help environment shows what holds.
    """
    from generala_cli.app.defaults import read_defaults  # the other commands need no rule files
    from generala_cli.app.naming import Around, players_named
    from generala_cli.app.rulebook import load_rules

    path = config_folder() / "config.toml"
    chosen = read_defaults(path, rules=rules, stake=stake, unit=unit, payout=payout)
    rule_set, houses = load_rules(chosen["rules"].value, open_houses(), read_input), open_houses()
    options = [name for parameter in session.context.command.params for name in parameter.opts]
    around = Around(rules=rule_set, rule_sets=houses.names(), options=options, stake=stake)
    begun = app_games.new(
        session.store,
        rule_set,
        players_named(names or (), exactly or (), around),
        settings=settings or (),
        teams=teams or (),
        uneven=uneven,
        partners=partners,
        openings=openings or (),
        stake=chosen["stake"].value,
        unit=chosen["unit"].value,
        payout=chosen["payout"].value,
        label=label,
        dry_run=session.dry_run,
    )
    answer = session.made_current(Answer.of(begun, lines.begun, documents.game.begun), begun.stored.number)
    heard = unit_note(chosen["unit"].value, begun.stored.game.agreed.unit)
    return replace(answer, notes=(*heard, *answer.notes))


def rematch(
    session: Session,
    game: MaybeGame = None,
    openings: Openings = None,
    label: Label = "",
    back: Back = None,
) -> Answer:
    """Start another game with the same players, sides, rules and stakes.

    Of those who left the last one you are asked on a terminal whether they are back; elsewhere they are
    not in it, unless --back names them.
    """
    last, named = session.store.open(game), tuple(back or ())
    if session.can_ask:
        named += tuple(
            player for player in last.game.left if player not in named and ask_yes(f"Is {safe(player)} back?")
        )
    begun = app_games.rematch(
        session.store,
        str(last.number),
        label=label,
        openings=openings or (),
        back=named,
        dry_run=session.dry_run,
    )
    news = session.made_current(Answer.of(begun, lines.begun, documents.game.begun), begun.stored.number)
    gone = [player for player in last.game.left if player not in begun.stored.game.seats]
    if not gone or session.can_ask or session.quiet:
        return news
    how = f"rematch {last.number} --back NAME" if last.game.agreed.sides else "join NAME"
    are = "is" if len(gone) == 1 else "are"
    told = f"{listed(gone, 'and')} left game {last.number} and {are} not in this one"
    return replace(news, notes=(*news.notes, f"{told}; generala {how} has one in who is back"))


def use(session: Session, game: Game) -> Answer:
    """Make another game the current one."""
    used = app_games.use(session.store, game, dry_run=session.dry_run)
    return session.made_current(Answer.of(used, lines.used, documents.game.used), used.number)


def games(session: Session, played: PlayedBy = None, since: Since = None) -> Answer:
    """List all games with their totals, the current one marked."""
    store = session.store
    begun = None if since is None else app_games.moment(store, since)
    with progress(what="games", quiet=session.quiet) as tell:
        found = app_games.list_games(store, tell)
    found = app_games.chosen(found, played=played or (), since=begun)
    notes = tuple(str(problem) for _, problem in found.damaged)
    return replace(Answer.of(found, tables.games, documents.game.games).long(), notes=notes)


def delete(session: Session, game: MaybeDeleted = None, yes: Yes = False) -> Answer:
    """Delete a game for ever. This cannot be undone, so it asks first.

    Where the current game is deleted, the latest one that is not over is offered in its place.
    """
    reference = session.named_game if game is None else game
    if reference is None:  # neither the current game nor that of GENERALA_GAME: it must be meant
        raise Mistyped("no game is named", "type generala delete GAME; generala games lists them")
    number = session.store.find(reference)  # it need not be readable
    session.store.warn_of(number)
    left = app_games.unfinished_without(session.store, number)
    is_meant = not session.dry_run and (yes or _means_to_delete(session, number))
    used = is_meant and left is not None and not yes and ask_yes(f"Go on with game {left} then?")
    result = app_games.delete(
        session.store, number, then=left, is_meant=is_meant, used=used, dry_run=session.dry_run
    )
    answer = Answer.of(result, lines.deleted, documents.game.deleted)
    return session.made_current(answer, left) if used and left is not None else session.news(answer)


def _means_to_delete(session: Session, number: int) -> bool:
    means = f"say that you mean it: generala delete {number} --yes"
    refusal = Mistyped("deleting a game cannot be undone", means)
    return ask_before(session, f"Delete game {number} for ever?", refusal)
