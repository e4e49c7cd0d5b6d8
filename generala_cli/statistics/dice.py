"""Whether the dice are fair, by the throws that were entered as they fell.

A hand on the sheet tells little: its dice were kept for what they show. What tells are throws, each die once:
all of the first one, and of each after it those that were thrown again. A turn that ended on its first throw
is known in any case, and was ended because its hand was good; beside turns of which only the last hand is
known it would count good hands alone. So a player's throws in a game count only where all were entered.
"""

from collections import Counter
from collections.abc import Iterator, Sequence

from msgspec import UNSET, Struct

from generala_cli.game.events import Entry
from generala_cli.progress import Progress, no_progress
from generala_cli.render.documents import Count, DamagedGame, Document, Ordinal, Probability
from generala_cli.rules.dice import Dice
from generala_cli.rules.fingerprint import known
from generala_cli.rules.ruleset import RuleSet
from generala_cli.statistics.games import GameFilter, find_kinds, read_games
from generala_cli.statistics.significance import LEVEL
from generala_cli.statistics.uniformity import dice_to_notice, noticed, shares, uniformity_test
from generala_cli.store.gamefile import RecordedGame
from generala_cli.store.store import Store

TOO_OFTEN = 0.2
"""By what share of what is due to it a face comes too often, of which is said whether it would be noticed."""
MOSTLY = 0.8
"""How likely such a face is noticed with as many dice as are said to be `needed`."""


class DiceFace(Struct, frozen=True, kw_only=True):
    """How often a face came; how often each really does lies between `low` and `high`, in 95 of 100 cases."""

    face: Ordinal
    times: Count
    share: Probability
    low: Probability
    high: Probability


class DiceKind(Struct, frozen=True, kw_only=True):
    """All dice with so many `faces`, and how likely fair ones come out as uneven as these.

    They are `sure` to be uneven where that is seldom enough. `notices` is how likely as many dice would show
    that a face comes a fifth too often, and `needed` how many dice would show it in 80 of 100 cases.
    """

    faces: Ordinal
    dice: Ordinal
    throws: Ordinal
    counts: tuple[DiceFace, ...]
    p: Probability
    sure: bool
    notices: Probability
    needed: Ordinal


class DiceLeftOut(Struct, frozen=True, kw_only=True):
    """The turns of those whose throws of a game were not all entered, and games that cannot be read."""

    turns: Count
    damaged: tuple[DamagedGame, ...]


class DiceStats(Document, frozen=True, kw_only=True):
    """Whether the dice are fair: those of everyone, or of the one `player` who was asked for."""

    games: Count
    turns: Count
    player: str | None
    kinds: tuple[DiceKind, ...]
    left_out: DiceLeftOut


class _Thrown(Struct, frozen=True, kw_only=True, gc=False):
    """What somebody threw in a game; no throws where not all of them were entered."""

    game: int
    player: str
    fingerprint: str
    faces: int
    turns: int
    throws: Sequence[Dice]


def dice_stats(
    store: Store, wanted: GameFilter, player: str | None = None, progress: Progress = no_progress
) -> DiceStats:
    """Count the faces of all throws in these games, over or not, or of one player's."""
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
    """Return the dice of every throw that were thrown, not kept, in the turns of a player in one game.

    None where one of these turns was not entered throw by throw, or none shows that they were.
    """
    throws: list[Dice] = []
    for turn in turns:
        earlier = () if turn.throws is UNSET else turn.throws
        if turn.dice is None or len(earlier) != turn.roll - 1:
            return ()
        hands = [*(throw.dice for throw in earlier), turn.dice]
        kept = [(), *(throw.kept for throw in earlier)]
        throws += filter(None, map(_without, hands, kept))
    takes_one = rules.throws == 1 and not rules.has_spares
    return throws if takes_one or any(turn.roll > 1 for turn in turns) else ()


def _without(hand: Dice, kept: Dice) -> Dice:
    return tuple((Counter(hand) - Counter(kept)).elements())


def _kind(faces: int, throws: Sequence[Dice], kinds: int) -> DiceKind:
    """Test dice with so many faces; the level is shared among as many kinds as are tested (Bonferroni)."""
    times = Counter(face for throw in throws for face in throw)
    counts = [times[face] for face in range(1, faces + 1)]
    level = LEVEL / kinds
    return DiceKind(
        faces=faces,
        dice=(dice := sum(counts)),
        throws=len(throws),
        counts=tuple(_faces(counts)),
        p=(p := uniformity_test(counts)),
        sure=p <= level,
        notices=noticed(dice, faces, TOO_OFTEN, level),
        needed=dice_to_notice(faces, TOO_OFTEN, MOSTLY, level),
    )


def _faces(counts: Sequence[int]) -> Iterator[DiceFace]:
    for face, (count, (low, high)) in enumerate(zip(counts, shares(counts), strict=True), start=1):
        yield DiceFace(face=face, times=count, share=count / sum(counts), low=low, high=high)
