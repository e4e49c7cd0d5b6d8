from msgspec import UNSET

from generala_cli.app.region import local_currency
from generala_cli.app.rule_sets import ReadInput, named_or_current_rules
from generala_cli.errors import UsageError
from generala_cli.game.standings import outcome
from generala_cli.game.starting import MOST_PLAYERS, read_stake
from generala_cli.messages import lazy
from generala_cli.remedies import in_shell
from generala_cli.store.house_rules import HouseRules
from generala_cli.store.log import all_lines, standing_lines
from generala_cli.store.store import Store, StoredGame
from generala_cli.table.results import BlankSheet, GamePayout, GameStandings, Log

_COLUMNS = 4


def standings(stored: StoredGame) -> GameStandings:
    return GameStandings(number=stored.number, game=stored.game, outcome=outcome(stored.game))


def payouts(
    store: Store,
    reference: str | None,
    *,
    stake: str | None = None,
    unit: str | None = None,
    method: str | None = None,
) -> GamePayout:
    from generala_cli.game.payouts import settle  # imports fractions, which only this needs

    stored = store.open_undisputed(reference)
    agreed = stored.game.agreed
    amount, played_in = read_stake(agreed, stake=stake, unit=unit, local_currency=local_currency())
    payout = settle(
        stored.game,
        method=agreed.payout if method is None else method,
        stake=amount,
        unit=played_in,
    )
    tried = (payout.stake, payout.unit, payout.method) != (agreed.stake, agreed.unit, agreed.payout)
    return GamePayout(number=stored.number, game=stored.game, payout=payout, tried=tried)


def log(store: Store, reference: str | None, *, everything: bool = False) -> Log:
    """Return the current entries by turn, or every event, including undone and corrected ones."""
    stored = store.open(reference)
    lines = tuple(all_lines(stored) if everything else standing_lines(stored))
    return Log(
        number=stored.number,
        game=stored.game,
        everything=everything,
        is_of_several=any(line.recorded.by not in (UNSET, store.entered_by) for line in lines),
        lines=lines,
    )


def blank_sheet(
    store: Store,
    game: str | None,
    rules: str | None,
    house_rules: HouseRules,
    read_input: ReadInput,
    *,
    players: int | None = None,
) -> BlankSheet:
    if game is not None and rules is not None:
        raise UsageError("a blank sheet takes a game or a rule set, not both", "use only one of them")
    if players is not None and not 1 <= players <= MOST_PLAYERS:
        raise UsageError(
            "a sheet cannot have {columns} columns",
            in_shell(lazy("type --players 1 to {most}", most=MOST_PLAYERS)),
            columns=players,
        )
    found = (
        named_or_current_rules(store, rules, house_rules, read_input)
        if game is None
        else store.open(game).game.rules
    )
    return BlankSheet(rules=found, columns=players or _COLUMNS)
