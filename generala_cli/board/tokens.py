"""The addresses that a board keeps: its port, and the tokens by which it is watched and entered on.

They are kept in the data folder, so that phones find the board again after it was started anew. Those that
may enter are good for an evening: a later Ana never gets the pad of an earlier one.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from hmac import compare_digest
from secrets import token_urlsafe
from typing import Annotated, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from generala_cli.store.folder import Folder
from generala_cli.store.subjects import BOARD
from generala_cli.text import name_key

_BYTES = 9
"""Of a token: 72 bits, which nobody guesses over a network."""
Token = Annotated[str, Meta(pattern="^[A-Za-z0-9_-]{12}$")]


def _new_token() -> str:
    return token_urlsafe(_BYTES)


class Viewer(Struct, frozen=True):
    """Who looks at the board: a watcher; a pad of one player; or the keeper's, which enters for everybody.

    Attributes:
        player: that player, as `name_key` has the name.
    """

    kind: Literal["watcher", "player", "keeper"]
    player: str = ""

    @property
    def may_enter(self) -> bool:
        """Whether turns may be entered with that token."""
        return self.kind != "watcher"

    def is_of(self, player: str) -> bool:
        """Whether it is the pad of that player."""
        return self.kind == "player" and name_key(player) == self.player


WATCHER, KEEPER = Viewer("watcher"), Viewer("keeper")


class Tokens(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """The port of a board, and its tokens.

    Attributes:
        port: 0 where none was ever bound.
        watch, keeper: of those who look, and of the one who enters for everybody.
        pads: of everyone who has a pad this evening, by their name as `name_key` has it.
        evening: the day on which that began, at noon.
    """

    format: Literal[1] = 1
    port: Annotated[int, Meta(ge=0, lt=65536)] = 0
    watch: Token = msgspec.field(default_factory=_new_token)
    keeper: Token = msgspec.field(default_factory=_new_token)
    pads: Mapping[str, Token] = {}
    evening: str = ""

    def viewer(self, token: str, *, with_pads: bool) -> Viewer | None:
        """Return whose token that is; None for nobody's. It takes as long whichever it is."""
        known = {WATCHER: self.watch}
        if with_pads:
            known |= {KEEPER: self.keeper}
            known |= {Viewer("player", name): pad for name, pad in self.pads.items()}
        given, found = token.encode(), None
        for viewer, one in known.items():
            if compare_digest(given, one.encode()):
                found = viewer
        return found

    def pad(self, player: str) -> Token:
        """Return the token of a player's pad."""
        return self.pads[name_key(player)]

    def has_pad(self, player: str) -> bool:
        """Whether a player has a pad."""
        return name_key(player) in self.pads

    def with_players(self, players: Iterable[str]) -> "Tokens":
        """Return these with a pad for each of the players."""
        new = {name_key(player): _new_token() for player in players}
        return replace(self, pads={**new, **self.pads})

    def renamed(self, names: Mapping[str, str]) -> "Tokens":
        """Return these where everyone who has another name keeps their pad: their new names, by the old."""
        new = {name_key(old): name_key(name) for old, name in names.items()}
        others = {name: pad for name, pad in self.pads.items() if name not in new}
        theirs = {new[name]: pad for name, pad in self.pads.items() if name in new}
        return replace(self, pads={**others, **theirs})


_decode = msgspec.json.Decoder(Tokens).decode


def load(folder: Folder, evening: str) -> Tokens:
    """Return the addresses that were kept; new ones where there are none, or none that can be read.

    Those of another evening are only looked at: who enters gets another one.
    """
    data = folder.read(BOARD)
    kept = Tokens(evening=evening)
    if data is not None:
        with suppress(msgspec.MsgspecError, UnicodeDecodeError):  # then phones have to scan a code again
            kept = _decode(data)
    if kept.evening != evening:
        return Tokens(port=kept.port, watch=kept.watch, evening=evening)
    return kept


def save(folder: Folder, tokens: Tokens) -> None:
    """Keep the addresses, readable by their owner alone."""
    data = msgspec.json.encode(tokens)
    if folder.read(BOARD) == data:
        return
    with folder.writing() as writer:
        writer.replace(BOARD, data, seen=folder.read(BOARD), keep_backup=False)
