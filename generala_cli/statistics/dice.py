"""Test whether the dice are fair, from the throws that players entered.

A hand on the sheet is biased, because players keep dice that fit their boxes. Thrown dice are not. A turn
that ended on its first throw is always known, but it ended because its hand was good. So a player's throws in
a game count only if all of them were entered.
"""

from collections import Counter
from collections.abc import Sequence

from msgspec import UNSET, Struct

from generala_cli.game.events import Entry
from generala_cli.progress import Progress, no_progress
from generala_cli.rules.dice import Dice
from generala_cli.rules.fingerprint import known
from generala_cli.rules.ruleset import RuleSet
from generala_cli.statistics.answers import DiceFace, DiceKind, DiceLeftOut, DiceStats
from generala_cli.statistics.games import GameFilter, find_kinds, read_games
from generala_cli.statistics.significance import LEVEL
from generala_cli.statistics.uniformity import dice_to_notice, noticed, shares, uniformity_test
from generala_cli.store.gamefile import RecordedGame
from generala_cli.store.store import Store

TOO_OFTEN = 0.2
"""The excess of a face, as a share of its fair frequency, for which `notices` and `needed` are computed."""
MOSTLY = 0.8
"""The probability to notice that excess with `needed` dice."""


class _Thrown(Struct, frozen=True, kw_only=True, gc=False):
    game: int
    player: str
    fingerprint: str
    faces: int
    turns: int
    throws: Sequence[Dice]


def dice_stats(
    store: Store, wanted: GameFilter, player: str | None = None, progress: Progress = no_progress
) -> DiceStats:
    """Count the faces of all throws in these games, finished or not, for everyone or one player."""
    thrown: list[_Thrown] = []
    titles: dict[str, set[str]] = {}

    def add(game: RecordedGame) -> None:
        played_by = known(game.file.agreed.rules)
        turns: dict[str, list[Entry]] = {}
        for entry in game.entries:
            turns.setdefault(entry.player, []).append(entry)
        found = [
            _Thrown(
                game=game.file.game,
                player=name,
                fingerprint=played_by.fingerprint,
                faces=played_by.rules.faces,
                turns=len(own),
                throws=fair_throws(played_by.rules, own),
            )
            for name, own in turns.items()
        ]
        thrown.extend(found)
        titles.setdefault(played_by.fingerprint, set()).add(played_by.rules.name)

    people, damaged = read_games(store, wanted, add, progress)
    kinds = set(titles if wanted.rules is None else find_kinds(wanted.rules, titles))
    asked = None if player is None else people.find(player)
    own = [
        each for each in thrown if each.fingerprint in kinds and asked in (None, people.shown(each.player))
    ]
    known_of = [each for each in own if each.throws]
    faces = Counter(each.faces for each in known_of)
    return DiceStats(
        games=len({each.game for each in known_of}),
        turns=sum(each.turns for each in known_of),
        player=asked,
        kinds=tuple(
            _kind(
                count,
                [throw for each in known_of if each.faces == count for throw in each.throws],
                len(faces),
            )
            for count, _ in faces.most_common()
        ),
        left_out=DiceLeftOut(turns=sum(each.turns for each in own if not each.throws), damaged=damaged),
    )


def fair_throws(rules: RuleSet, turns: Sequence[Entry]) -> Sequence[Dice]:
    """Return all throws of a player's turns; empty if some are unknown, or all are first throws."""
    throws: list[Dice] = []
    for turn in turns:
        earlier = () if turn.throws is UNSET else turn.throws
        if turn.dice is None or len(earlier) != turn.roll - 1:
            return ()
        is_turned = rules.most_turned and turn.price_roll > 1  # then the last throw is unknown
        hands = [*(throw.dice for throw in earlier), *(() if is_turned else (turn.dice,))]
        kept = [(), *(throw.kept for throw in earlier)][: len(hands)]
        thrown = (Counter(hand) - Counter(held) for hand, held in zip(hands, kept, strict=True))
        throws += (tuple(dice.elements()) for dice in thrown if dice)
    takes_one = rules.throws == 1 and not rules.has_spares
    return throws if takes_one or any(turn.roll > 1 for turn in turns) else ()


def _kind(faces: int, throws: Sequence[Dice], kinds: int) -> DiceKind:
    """Test dice with that many faces. The level is divided by the number of kinds (Bonferroni)."""
    times = Counter(face for throw in throws for face in throw)
    counts = [times[face] for face in range(1, faces + 1)]
    level = LEVEL / kinds
    return DiceKind(
        faces=faces,
        dice=(dice := sum(counts)),
        throws=len(throws),
        counts=tuple(
            DiceFace(face=face, times=times[face], share=times[face] / dice, low=low, high=high)
            for face, (low, high) in enumerate(shares(counts), start=1)
        ),
        p=(p := uniformity_test(counts)),
        sure=p <= level,
        notices=noticed(dice, faces, TOO_OFTEN, level),
        needed=dice_to_notice(faces, TOO_OFTEN, MOSTLY, level),
    )
