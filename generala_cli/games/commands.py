from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace

from generala_cli.cli import completers
from generala_cli.cli.parameters import (
    GAME,
    Game,
    Label,
    MaybeGame,
    Payout,
    PlayedBy,
    Settings,
    Since,
    Unit,
    Until,
    Yes,
    argument,
    option,
    points_note,
    unit_note,
)
from generala_cli.cli.progress import progress
from generala_cli.cli.prompts import ask_before, ask_names, ask_unit, ask_yes, read_or_ask
from generala_cli.cli.session import Answer, Session, open_house_rules, read_input
from generala_cli.errors import UsageError
from generala_cli.messages import Message, lazy, lazy_count, listing
from generala_cli.store.places import config_file
from generala_cli.store.subjects import of_game
from generala_cli.text import safe

if TYPE_CHECKING:  # only for the schema
    from generala_cli.games.answers import DeletedGame, GameList, NewGame, UsedGame
    from generala_cli.games.starting import StartedGame
    from generala_cli.store.store import Store, StoredGame

_NAMES = lazy("The players, in seating order. Commas or `and` may separate them.")
Players = Annotated[list[str] | None, argument("NAME NAME...", _NAMES)]
_EXACT = lazy("One more player, named exactly as typed.")
ExactPlayers = Annotated[list[str] | None, option("--player", _EXACT, "NAME")]
_RULES = lazy("The rule set, or a TOML file (- for stdin); by default the one in config.toml, or generala.")
Rules = Annotated[str | None, option("--rules", _RULES, "NAME|FILE", completers.rule_sets)]
Teams = Annotated[list[str] | None, option("--team", "A side; repeat for each one.", "A+B", completers.teams)]
Uneven = Annotated[bool, option("--uneven", "Sides may differ in size.")]
_PARTNERSHIP = lazy("The two lowest opening hands play the two highest.")
Partnership = Annotated[bool, option("--partnership", _PARTNERSHIP)]
_OPENING = lazy("A player's opening throw, and more to break ties; the lowest plays first.")
Openings = Annotated[
    list[str] | None, option("--opening", _OPENING, "NAME=DICE[,DICE...]", completers.openings)
]
_STAKE = lazy("Money or any unit, per point; with pot and low-pays, per game.")
Stake = Annotated[str | None, option("--stake", _STAKE, "AMOUNT")]

_DATE = lazy("The day when the game was played, if you enter it later: 2026-11-20 or yesterday.")
Played = Annotated[str | None, option("--date", _DATE, "DAY", completers.moments)]

_BACK = lazy("A player who left the last game and is back.")
Back = Annotated[list[str] | None, option("--back", _BACK, "NAME", completers.gone)]
_FIRST = lazy("The player who begins; the others follow in the same order.")
First = Annotated[str, option("--first", _FIRST, "NAME", completers.playing)]


MaybeDeleted = Annotated[str | None, argument("GAME", GAME, completers.games)]


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
    played: Played = None,
) -> "Answer[NewGame]":
    """Start a game and make it current.

    Without names, it asks for them on a terminal.

    With --date, you enter a game from paper. It is listed under that day. If the current game is not over,
    that game stays current.

    Options that you leave out come from config.toml in the configuration folder, if it exists.
    generala help environment shows their values.
    """
    from generala_cli.app.defaults import read_defaults
    from generala_cli.app.naming import NameContext, joined_note, players_named
    from generala_cli.app.rule_sets import load_rules
    from generala_cli.games import starting

    chosen = read_defaults(config_file(), rules=rules, stake=stake, unit=unit, payout=payout)
    house_rules = open_house_rules()
    rule_set = load_rules(chosen["rules"].value, house_rules, read_input)
    if not (names or exactly) and session.can_ask:
        names = ask_names()
    is_without_unit = stake is not None and not chosen["unit"].is_chosen
    if stake is not None and is_without_unit and session.can_ask:
        unit, is_without_unit = ask_unit(stake), False
    options = [name for parameter in session.context.command.params for name in parameter.opts]
    own = house_rules.readable_names()
    name_context = NameContext(rules=rule_set, rule_sets=own, options=options, stake=stake)
    players = players_named(names or (), exactly or (), name_context)
    unit = unit or chosen["unit"].value
    begin = partial(
        starting.new,
        session.store,
        rule_set,
        players.names,
        settings=settings or (),
        teams=teams or (),
        uneven=uneven,
        partners=partners,
        openings=openings or (),
        payout=chosen["payout"].value,
        label=label,
        played=played,
        dry_run=session.dry_run,
    )
    started = read_or_ask(session, begin, stake=chosen["stake"].value, unit=unit)
    answer, agreed = _start_answer(session, started), started.stored.game.agreed
    heard = unit_note(unit, agreed.unit)
    for_points = (points_note(agreed.stake),) if is_without_unit else ()
    return replace(answer, notes=(*joined_note(players), *heard, *for_points, *answer.notes))


def rematch(
    session: Session,
    game: MaybeGame = None,
    settings: Settings = None,
    openings: Openings = None,
    label: Label = "",
    back: Back = None,
    first: First = "",
) -> "Answer[NewGame]":
    """Start a new game with the same players, sides, rules and stake.

    --set changes options of the rules, for example --set fill-order=any.

    If players left the last game, it asks on a terminal whether they are back. Elsewhere, it leaves them out
    unless --back names them. --first names the player who begins.
    """
    from generala_cli.games import starting

    last, named = session.store.open(game), tuple(back or ())
    if session.can_ask:
        named += tuple(
            player
            for player in last.game.left
            if player not in named and ask_yes(lazy("Is {player} back?", player=player))
        )
    started = starting.rematch(
        session.store,
        str(last.number),
        settings=settings or (),
        label=label,
        openings=openings or (),
        back=named,
        first=first,
        dry_run=session.dry_run,
    )
    answer = _start_answer(session, started)
    gone = [player for player in last.game.left if player not in started.stored.game.seats]
    if not gone or session.can_ask or session.quiet:
        return answer
    return replace(answer, notes=(*answer.notes, _gone(last, gone)))


def _start_answer(session: Session, started: "StartedGame") -> "Answer[NewGame]":
    return session.with_current_game_note(Answer.of(started, started.document), started.stored.number)


def _gone(last: "StoredGame", gone: Sequence[str]) -> Message:
    what = lazy_count(
        "{players} left game {game} and is not in this one",
        "{players} left game {game} and are not in this one",
        len(gone),
        players=listing(gone, "and"),
        game=last.number,
    )
    if last.game.agreed.sides:
        how = lazy("generala rematch {game} --back NAME brings a player back", game=last.number)
    else:
        how = lazy("generala join NAME brings a player back")
    return lazy("{what}; {hint}", what=what, hint=how)


def use(session: Session, game: Game) -> "Answer[UsedGame]":
    """Switch to a different game."""
    from generala_cli.games import keeping

    stored = keeping.use(session.store, game, dry_run=session.dry_run)
    chosen = keeping.ChosenGame(stored)
    return session.with_current_game_note(Answer.of(chosen, chosen.document), stored.number)


def games(
    session: Session, played: PlayedBy = None, since: Since = None, until: Until = None
) -> "Answer[GameList]":
    """List all games with their totals, and mark the current one."""
    from generala_cli.games import keeping

    with progress(of_games=True, quiet=session.quiet) as report:
        found = keeping.games(session.store, played=played or (), since=since, until=until, progress=report)
    return Answer.of_document(found).long()


def delete(session: Session, game: MaybeDeleted = None, yes: Yes = False) -> "Answer[DeletedGame]":
    """Delete a game forever. This cannot be undone, so it asks first.

    If you delete the current game, it offers to switch to the latest unfinished one.
    """
    from generala_cli.games import keeping

    reference = session.named_game if game is None else game
    if reference is None:  # the current game could be deleted by mistake
        raise UsageError("no game is named", "type generala delete GAME; generala games lists them")
    number = session.store.find(reference)  # a damaged game can be deleted, too
    versions = session.store.copies(of_game(number))
    left = keeping.unfinished_without(session.store, number)
    question, refusal = _question(session.store, number, versions)
    is_meant = not session.dry_run and (yes or ask_before(session, question, refusal))
    used = (
        is_meant and left is not None and not yes and ask_yes(lazy("Continue with game {game}?", game=left))
    )
    result = keeping.delete(
        session.store,
        number,
        versions=versions,
        then=left,
        is_meant=is_meant,
        used=used,
        dry_run=session.dry_run,
    )
    answer = Answer.of_document(result)
    if session.dry_run:  # announce the deletion
        answer = Answer.of(replace(result, deleted=True), lambda: result)
    return (
        session.with_current_game_note(answer, left)
        if used and left is not None
        else session.as_change(answer)
    )


def _question(store: "Store", number: int, versions: Sequence[str]) -> tuple[Message, UsageError]:
    from generala_cli.store.hooks import find_table, label_message

    what, question = lazy("deleting a game cannot be undone"), lazy("Delete game {game} forever?")
    if versions:
        what = lazy("deleting a game, and its other versions ({files}), cannot be undone")
        question = lazy("Delete game {game} and its other versions ({files}) forever?")
    if (table := find_table(store, number)) is not None:
        of = label_message(table.name, table.round, table.table)
        what = lazy("{what}, and it is a table of a tournament: {table}", what=what, table=of)
        question = lazy("It is a table of a tournament: {table}. {question}", table=of, question=question)
    others = safe(", ".join(versions))
    means = lazy("to confirm, type generala delete {game} --yes", game=number)
    refusal = UsageError(what.with_values(files=others), means)
    return question.with_values(game=number, files=others), refusal
