"""new, rematch, use, games, delete."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Annotated

from msgspec.structs import replace

from generala_cli.cli import completers
from generala_cli.cli.asking import ask_amount, ask_before, ask_yes
from generala_cli.cli.lazy import app, documents, render
from generala_cli.cli.parameters import (
    GAME,
    Game,
    Label,
    MaybeGame,
    PlayedBy,
    Settings,
    Since,
    Yes,
    argument,
    option,
    unit_note,
)
from generala_cli.cli.progress import progress
from generala_cli.cli.session import Answer, Session, open_house_rules, read_input
from generala_cli.errors import Mistyped
from generala_cli.messages import Message, listing, tell, tell_count
from generala_cli.render.hints import said_error
from generala_cli.store.places import config_file
from generala_cli.store.subjects import of_game
from generala_cli.text import safe

if TYPE_CHECKING:  # only the schema of an answer asks for the classes of documents
    from generala_cli.render.documents.games import (
        DeleteDocument,
        GamesDocument,
        NewGameDocument,
        UseDocument,
    )
    from generala_cli.store.store import StoredGame

_NAMES = tell("The players, in the order they sit; commas may part them.")
Players = Annotated[list[str] | None, argument("NAME NAME...", _NAMES)]
_EXACT = tell("One more player, whose name is taken exactly as it is typed.")
ExactPlayers = Annotated[list[str] | None, option("--player", _EXACT, "NAME")]
_RULES = tell("The rule set, or a TOML file (- for stdin); by default that of config.toml, or generala.")
Rules = Annotated[str | None, option("--rules", _RULES, "NAME|FILE", completers.rule_sets)]
Teams = Annotated[list[str] | None, option("--team", "A side, once for each.", "A+B", completers.teams)]
Uneven = Annotated[bool, option("--uneven", "Sides may differ in size.")]
_PARTNERSHIP = tell("The two lowest opening hands against the two highest.")
Partnership = Annotated[bool, option("--partnership", _PARTNERSHIP)]
_OPENING = tell("A player's opening throw, and further ones after ties; the lowest plays first.")
Openings = Annotated[
    list[str] | None, option("--opening", _OPENING, "NAME=DICE[,DICE...]", completers.openings)
]
_STAKE = tell("Money, or any unit, per point; per game with pot and low-pays.")
Stake = Annotated[str | None, option("--stake", _STAKE, "AMOUNT")]
_UNIT = tell("USD, ARS, EUR... or a word, as drink.")
Unit = Annotated[str | None, option("--unit", _UNIT, "UNIT", completers.units)]
_PAYOUT = tell("difference, pairwise, pot or low-pays.")
Payout = Annotated[str | None, option("--payout", _PAYOUT, "METHOD", completers.methods)]

_BACK = tell("Someone who left the last game and is back.")
Back = Annotated[list[str] | None, option("--back", _BACK, "NAME", completers.gone)]


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
) -> "Answer[NewGameDocument]":
    """Start a game and make it current.

    Options that are not given are taken from config.toml in the configuration folder, where there is
    one; generala help environment shows what holds.
    """
    path = config_file()
    stake = stake and ask_amount(session, stake)
    chosen = app.defaults.read_defaults(path, rules=rules, stake=stake, unit=unit, payout=payout)
    house_rules = open_house_rules()
    rule_set = app.rule_sets.load_rules(chosen["rules"].value, house_rules, read_input)
    options = [name for parameter in session.context.command.params for name in parameter.opts]
    name_context = app.naming.NameContext(
        rules=rule_set, rule_sets=house_rules.names(), options=options, stake=stake
    )
    begun = app.games.new(
        session.store,
        rule_set,
        app.naming.players_named(names or (), exactly or (), name_context),
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
    answer = session.with_current_game_note(
        Answer.of(begun, render.lines.begun, documents.games.begun), begun.stored.number
    )
    heard = unit_note(chosen["unit"].value, begun.stored.game.agreed.unit)
    return replace(answer, notes=(*heard, *answer.notes))


def rematch(
    session: Session,
    game: MaybeGame = None,
    settings: Settings = None,
    openings: Openings = None,
    label: Label = "",
    back: Back = None,
) -> "Answer[NewGameDocument]":
    """Start another game with the same players, sides, rules and stakes.

    With --set it is played by other options than the last one, as --set fill-order=any.

    Of those who left the last one you are asked on a terminal whether they are back; elsewhere they are
    not in it, unless --back names them.
    """
    last, named = session.store.open(game), tuple(back or ())
    if session.can_ask:
        named += tuple(
            player
            for player in last.game.left
            if player not in named and ask_yes(tell("Is {player} back?", player=player))
        )
    begun = app.games.rematch(
        session.store,
        str(last.number),
        settings=settings or (),
        label=label,
        openings=openings or (),
        back=named,
        dry_run=session.dry_run,
    )
    news = session.with_current_game_note(
        Answer.of(begun, render.lines.begun, documents.games.begun), begun.stored.number
    )
    gone = [player for player in last.game.left if player not in begun.stored.game.seats]
    if not gone or session.can_ask or session.quiet:
        return news
    return replace(news, notes=(*news.notes, _gone(last, gone)))


def _gone(last: "StoredGame", gone: Sequence[str]) -> Message:
    """Who is not in a game that is played again, and how to have them in it."""
    what = tell_count(
        "{players} left game {game} and is not in this one",
        "{players} left game {game} and are not in this one",
        len(gone),
        players=listing(gone, "and"),
        game=last.number,
    )
    if last.game.agreed.sides:
        how = tell("generala rematch {game} --back NAME has one in who is back", game=last.number)
    else:
        how = tell("generala join NAME has one in who is back")
    return tell("{what}; {hint}", what=what, hint=how)


def use(session: Session, game: Game) -> "Answer[UseDocument]":
    """Make another game the current one."""
    used = app.games.use(session.store, game, dry_run=session.dry_run)
    return session.with_current_game_note(
        Answer.of(used, render.lines.used, documents.games.used), used.number
    )


def games(session: Session, played: PlayedBy = None, since: Since = None) -> "Answer[GamesDocument]":
    """List all games with their totals, the current one marked."""
    store = session.store
    begun = None if since is None else app.games.moment(store, since)
    with progress(of_games=True, quiet=session.quiet) as report:
        found = app.games.list_games(store, report)
    joined = app.games.joined(store) if played else ()
    found = app.games.chosen(found, played=played or (), since=begun, joined=joined)
    notes = tuple(said_error(problem) for _, problem in found.damaged)
    return replace(Answer.of(found, render.lists.games, documents.games.games).long(), notes=notes)


def delete(session: Session, game: MaybeDeleted = None, yes: Yes = False) -> "Answer[DeleteDocument]":
    """Delete a game for ever. This cannot be undone, so it asks first.

    Where the current game is deleted, the latest one that is not over is offered in its place.
    """
    reference = session.named_game if game is None else game
    if reference is None:  # neither the current game nor that of GENERALA_GAME: it must be meant
        raise Mistyped("no game is named", "type generala delete GAME; generala games lists them")
    number = session.store.find(reference)  # it need not be readable
    versions = session.store.copies(of_game(number))
    left = app.games.unfinished_without(session.store, number)
    what, question = tell("deleting a game cannot be undone"), tell("Delete game {game} for ever?")
    if versions:
        what = tell("deleting a game, and its other versions ({files}), cannot be undone")
        question = tell("Delete game {game} and its other versions ({files}) for ever?")
    others = safe(", ".join(versions))
    means = tell("say that you mean it: generala delete {game} --yes", game=number)
    refusal = Mistyped(what.with_values(files=others), means)
    question = question.with_values(game=number, files=others)
    is_meant = not session.dry_run and (yes or ask_before(session, question, refusal))
    used = (
        is_meant and left is not None and not yes and ask_yes(tell("Go on with game {game} then?", game=left))
    )
    result = app.games.delete(
        session.store,
        number,
        versions=versions,
        then=left,
        is_meant=is_meant,
        used=used,
        dry_run=session.dry_run,
    )
    answer = Answer.of(result, render.lines.deleted, documents.games.deleted)
    return (
        session.with_current_game_note(answer, left)
        if used and left is not None
        else session.as_change(answer)
    )
