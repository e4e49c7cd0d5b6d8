import gzip
import re
from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from html import escape
from importlib.resources import files
from typing import Literal

import msgspec
from msgspec import Struct

from generala_cli.board.seats import ViewerKind
from generala_cli.messages import Message, lazy
from generala_cli.render.language import languages, speaking, translated

_WEB = files("generala_cli.board").joinpath("web")

WORDS: Mapping[str, Message] = {
    "live": lazy("live", context="board"),
    "lost": lazy("not connected since {time}"),
    "closed": lazy("the board is closed"),
    "next": lazy("{player} is next"),
    "yourturn": lazy("You're up, {player}!"),
    "throwing": lazy("{player} is throwing"),
    "turnin": lazy("it's your turn in game {number}"),
    "backto": lazy("back to game {number}"),
    "game": lazy("game {number}"),
    "nogame": lazy("the keeper will start the game"),
    "ledger": lazy("tonight", context="board"),
    "paid": lazy("paid", context="board"),
    "even": lazy("nobody owes anybody anything"),
    "owneven": lazy("you owe nothing, and nobody owes you"),
    "debts": lazy("payout of this game"),
    "sofar": lazy("if it ended now"),
    "trophies": lazy("trophies", context="board"),
    "copy": lazy("copy the result"),
    "copied": lazy("copied"),
    "correct": lazy("Something wrong? Correct a turn"),
    "correctturn": lazy("correct a turn"),
    "whichturn": lazy("Which turn?"),
    "was": lazy("was {entry}"),
    "becomes": lazy("change it to {entry}"),
    "total": lazy("total"),
    "bonus": lazy("upper bonus"),
    "spares": lazy("spares"),
    "left": lazy("left", context="board"),
    "behind": lazy("behind"),
    "gamepoints": lazy("game points"),
    "wins": lazy("wins"),
    "open": lazy("open box"),
    "scratched": lazy("scratched"),
    "ranking": lazy("ranking", context="board"),
    "throw": lazy("throw"),
    "dice": lazy("dice"),
    "hand": lazy("hand", context="board"),
    "nodie": lazy("no die yet"),
    "whose": lazy("whose hand?", context="board"),
    "erase": lazy("erase"),
    "eraselast": lazy("erase the last die"),
    "eraseall": lazy("erase all dice"),
    "scratch": lazy("scratch {box}"),
    "scratchother": lazy("scratch a box…"),
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
    "noseat": lazy("Sorry, {player}: the keeper has no seat for you right now"),
    "again": lazy("ask again"),
    "closeddoor": lazy("the keeper has closed the door; ask to be let in"),
    "closedoor": lazy("close the door"),
    "opendoor": lazy("open the door"),
    "yesiam": lazy("yes, I am {player}"),
    "noiam": lazy("no, I am {player}"),
    "yesitis": lazy("yes, it is {player}"),
    "noother": lazy("no, it is someone else"),
    "newname": lazy("a name"),
    "who": lazy("Who are you?"),
    "name": lazy("your name"),
    "ask": lazy("ask for a seat"),
    "asked": lazy("{player}, please wait for the keeper to let you in"),
    "othername": lazy("use a different name"),
    "asks": lazy("{player} asks for a seat"),
    "letin": lazy("let in"),
    "turnaway": lazy("not now"),
    "allin": lazy("let all in"),
    "allaway": lazy("refuse all"),
    "welcome": lazy("You're in, {player}!"),
    "replaces": lazy("Another phone has {player}'s seat. Give it to this one?"),
    "seats": lazy("seats"),
    "share": lazy("scan to share the keeper's page"),
    "nophone": lazy("no phone"),
    "takeseat": lazy("take the seat away"),
    "reallytake": lazy("Really take the seat away from {player}?"),
    "table": lazy("the table"),
    "more": lazy("more", context="board"),
    "add": lazy("add", context="board"),
    "remove": lazy("remove {player}"),
    "moveup": lazy("move {player} up"),
    "anyfirst": lazy("let chance choose who starts"),
    "change": lazy("change", context="board"),
    "eachthrows": lazy("each player throws once; the lowest begins"),
    "back": lazy("back"),
    "present": lazy("players present"),
    "join": lazy("scan to join"),
    "menu": lazy("menu", context="board"),
    "evening": lazy("games of the evening"),
    "phone": lazy("this device"),
    "vibration": lazy("vibrate", context="board"),
    "sound": lazy("play a sound on my turn"),
    "caller": lazy("read every entry aloud"),
    "colors": lazy("colors"),
    "auto": lazy("automatic", context="colors"),
    "light": lazy("light", context="colors"),
    "dark": lazy("dark", context="colors"),
    "language": lazy("language"),
}

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
    "places": lazy("places"),
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
    "lastround": lazy("results of the last round"),
}


class Page(Struct, frozen=True):
    body: bytes
    content_type: str
    headers: Mapping[str, str] = {}
    packed: bytes = b""  # the body for browsers that take gzip


_FIRST = ("dom", "state", "people", "dice", "code", "stream", "requests", "senses", "end", "sheet")
_OF_KIND: Mapping[ViewerKind, tuple[str, ...]] = {
    "keeper": ("pad", "forms", "correct", "keeper"),
    "player": ("pad",),
    "asking": ("pad",),
    "watcher": ("wall",),
    "guest": ("wall",),
}
_LAST = ("seat", "menu", "main")
"""The page's modules, each after the modules that it imports. Only some viewers need those between."""
_STYLES = ("theme", "page")
_WITH_STYLE = frozenset({"pad", "wall"})
_OWN_NAME = lazy("English", context="this language's own name")
_IMPORT = re.compile(r"^import [^;]*;\n", re.MULTILINE)
_EXPORT = re.compile(r"^export ", re.MULTILINE)
_MARGIN = re.compile(r"^[ ]*(?://[^\n]*\n)?|(?<=[;,{}]) // [^\n]*", re.MULTILINE)
"""Indentation and comments, which are a third of the page."""
_BREAK = re.compile(
    r'("(?:[^"\\\n]|\\.)*"|`[^`\n]*`)|(?<=[{(\[,;\n])\n+| ([-+*/<>=!&|?:]+) (?![-+])|(?<=[,;{]) | (?=})'
)
"""Texts, to keep as they are; ends of lines and spaces around operators, which a script does not need."""
_SPACE = re.compile(r"/\*.*?\*/\s*|(?<=[{};,:])\s+|\s+(?={)|;\s*(?=})", re.DOTALL)


@cache
def _languages() -> Mapping[str, str]:
    """Return the languages with their own names for themselves."""
    names = {}
    for code in languages():
        with speaking(code):
            names[code] = translated(_OWN_NAME)
    return names


@cache
def page(language: str, kind: ViewerKind = "watcher", *, of_tournament: bool = False) -> Page:
    """Return the page for a viewer. Its policy lets a browser run only its own script and style."""
    between, last = _OF_KIND.get(kind, ()), ("tournament",) if of_tournament else ()
    if "wall" in between and of_tournament:
        last = (*last, "hall")
    style = _style(*_STYLES, *(name for name in between if name in _WITH_STYLE), *last)
    script = joined(*_FIRST, *between, *_LAST, *last)
    known = {**WORDS, **TOURNAMENT_WORDS} if of_tournament else WORDS
    with speaking(language):
        words = {name: translated(word) for name, word in known.items()}
    # Only a `<` could end the script element.
    data = msgspec.json.encode(words).decode().replace("<", "\\u003c")
    policy = "; ".join(
        (
            "default-src 'none'",
            "connect-src 'self'",
            "img-src 'self'",
            "manifest-src 'self'",
            f"style-src {_digest(style)}",
            f"script-src {_digest(script)}",
            "base-uri 'none'",
            "form-action 'none'",
            "frame-ancestors 'none'",
        )
    )
    values = {
        "LANGUAGES": escape(msgspec.json.encode(_languages()).decode()),
        "LANGUAGE": language,
        "WORDS": data,
        "STYLE": style,
        "SCRIPT": script,
        "MENU": escape(words["menu"]),
        "PAD": escape(words["hand"]),
    }
    body = re.sub("|".join(values), lambda place: values[place[0]], _text("page.html")).encode()
    headers = {"Content-Security-Policy": policy}
    return Page(body, "text/html; charset=utf-8", headers, packed=gzip.compress(body, mtime=0))


def _style(*names: str) -> str:
    return "".join(_SPACE.sub("", _MARGIN.sub("", _text(f"{name}.css"))) for name in names)


def joined(*names: str) -> str:
    """Return modules as one script, for a single request; no two may declare the same name."""
    texts = (_EXPORT.sub("", _IMPORT.sub("", _text(f"{name}.js"))) for name in names)
    script = _MARGIN.sub("", "\n".join(('"use strict";', *texts)))
    return _BREAK.sub(lambda part: part[1] or part[2] or "", script)


@cache
def wrong_address(language: str) -> Page:
    with speaking(language):
        text = escape(translated(WORDS["gone"]))
    style = _style("theme", "page")
    body = (
        f'<!DOCTYPE html><html lang="{language}"><meta charset="utf-8"><title>generala</title>'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<style>{style}</style><body><main><h1>{text[:1].upper()}{text[1:]}</h1></main></body></html>"
    )
    policy = f"default-src 'none'; style-src {_digest(style)}"
    return Page(body.encode(), "text/html; charset=utf-8", {"Content-Security-Policy": policy})


@cache
def manifest() -> Page:
    icons = [
        {"src": "icon", "sizes": "any", "type": "image/svg+xml"},
        {"src": "picture", "sizes": "180x180", "type": "image/png"},
    ]
    colors = {"background_color": "#1d5c42", "theme_color": "#1d5c42"}
    about = {"name": "Generala", "start_url": ".", "display": "standalone", "icons": icons, **colors}
    return Page(msgspec.json.encode(about), "application/manifest+json")


@cache
def icon(kind: Literal["svg", "png"]) -> Page:
    types = {"svg": "image/svg+xml", "png": "image/png"}
    return Page(_WEB.joinpath(f"icon.{kind}").read_bytes(), types[kind])


def _text(name: str) -> str:
    return _WEB.joinpath(name).read_text("utf-8")


def _digest(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"


def preferred(accepted: str) -> str:
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
