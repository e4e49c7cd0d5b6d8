"""The page of a board, in every language, with its style and script inlined."""

import re
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from importlib.resources import files

import msgspec
from msgspec import Struct

from generala_cli.messages import Message, lazy
from generala_cli.render.language import languages, speaking, translated

WORDS: Mapping[str, Message] = {
    "live": lazy("live", context="board"),
    "lost": lazy("not connected since {time}"),
    "closed": lazy("the board is closed"),
    "next": lazy("{player} is next"),
    "game": lazy("game {number}"),
    "ledger": lazy("tonight", context="board"),
    "even": lazy("nobody owes anybody anything"),
    "sofar": lazy("if it ended now"),
    "total": lazy("total"),
    "bonus": lazy("upper bonus"),
    "spares": lazy("spares"),
    "left": lazy("left", context="board"),
    "behind": lazy("behind"),
    "wins": lazy("wins"),
    "scratched": lazy("scratched"),
    "places": lazy("places"),
    "throw": lazy("throw"),
    "erase": lazy("erase"),
    "scratch": lazy("scratch {box}"),
    "score": lazy("score {box} {points}"),
    "win": lazy("{box}: wins at once"),
    "undo": lazy("undo"),
    "redo": lazy("redo"),
    "moved": lazy("{dice} were for {player}, but the game has moved on"),
    "drop": lazy("discard them"),
    "keep": lazy("keep them for {player}"),
    "wait": lazy("enter your dice here when it is your turn"),
    "lefttable": lazy("you left the game; the keeper can add you again"),
    "unreachable": lazy("cannot reach the board; your entry will be sent again automatically"),
    "nothere": lazy("cannot reach the board"),
    "sending": lazy("sending"),
    "gone": lazy("this link has expired; scan the shared code again"),
    "who": lazy("Who are you?"),
    "name": lazy("name", context="board"),
    "ask": lazy("ask for a seat"),
    "asked": lazy("{player}, please wait for the keeper to let you in"),
    "othername": lazy("use a different name"),
    "asks": lazy("{player} asks for a seat"),
    "letin": lazy("let in"),
    "turnaway": lazy("not now"),
    "replaces": lazy("another phone has {player}'s seat; give it to this one"),
    "seats": lazy("seats"),
    "nophone": lazy("no phone"),
    "takeseat": lazy("take the seat away"),
    "reallytake": lazy("{player}'s phone can no longer enter hands"),
    "table": lazy("the table"),
    "more": lazy("more", context="board"),
    "do": lazy("confirm"),
    "back": lazy("back"),
    "sound": lazy("play a sound on my turn"),
    "present": lazy("players present"),
    "join": lazy("scan to join"),
}
"""The texts for the page's script, by the keys that it uses."""

TOURNAMENT_WORDS: Mapping[str, Message] = {
    "tables": lazy("tables"),
    "standings": lazy("standings"),
    "mine": lazy("my table"),
    "where": lazy("Where do I sit?"),
    "tableword": lazy("table"),
    "tablenumber": lazy("table {table}"),
    "seatof": lazy("{player} — table {table}"),
    "sitsout": lazy("{player} sits out this round"),
    "notseated": lazy("{player} has no seat in this round"),
    "first": lazy("{player} throws first"),
    "turnof": lazy("turn {turn} of {turns}"),
    "wonby": lazy("won by {players}"),
    "noentries": lazy("no entries"),
    "missing": lazy("the game is not on this machine"),
    "notcounted": lazy("does not count"),
    "noround": lazy("no round is seated yet"),
    "place": lazy("{player} is in place {place} of {count}"),
    "points": lazy("points"),
    "other": lazy("I am someone else"),
    "askpad": lazy("enter my hands on this phone"),
    "yourname": lazy("your name"),
    "sheet": lazy("the sheet"),
    "scan": lazy("scan with your phone"),
    "page": lazy("{page} of {pages}"),
    "nextpage": lazy("next page"),
    "byes": lazy("sitting out: {players}"),
}
"""More texts, for a tournament's script."""


class Page(Struct, frozen=True):
    body: bytes
    content_type: str
    headers: Mapping[str, str] = {}


@cache
def page(language: str, *, of_tournament: bool = False) -> Page:
    """Return the page in a language.

    Its policy names script and style by their digests, so that the browser runs nothing else.
    """
    parts = ("page", "tournament") if of_tournament else ("page",)
    html = _text("page.html")
    style, script = ("".join(_text(f"{part}.{kind}") for part in parts) for kind in ("css", "js"))
    known = {**WORDS, **TOURNAMENT_WORDS} if of_tournament else WORDS
    with speaking(language):
        words = {name: translated(word) for name, word in known.items()}
    # Only a `<` could end the script element.
    data = msgspec.json.encode(words).decode().replace("<", "\\u003c")
    policy = "; ".join(
        (
            "default-src 'none'",
            "connect-src 'self'",
            "img-src data:",
            f"style-src {_digest(style)}",
            f"script-src {_digest(script)}",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )
    values = {"LANGUAGE": language, "WORDS": data, "STYLE": style, "SCRIPT": script}
    body = re.sub("|".join(values), lambda place: values[place[0]], html).encode()
    return Page(body, "text/html; charset=utf-8", {"Content-Security-Policy": policy})


def _text(name: str) -> str:
    return files("generala_cli.board").joinpath(name).read_text("utf-8")


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def preferred(accepted: str) -> str:
    """Return the first of our languages in a browser's Accept-Language header, or English."""
    ranked = []
    for place, part in enumerate(accepted[:200].split(",")):
        name, _, weight = part.replace(" ", "").partition(";q=")
        try:
            rank = float(weight or 1)
        except ValueError:
            continue
        if rank > 0:  # q=0 means never
            ranked.append((-rank, place, name.partition("-")[0].casefold()))
    known = languages()
    return next((name for _, _, name in sorted(ranked) if name in known), "en")
