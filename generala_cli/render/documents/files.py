"""The documents of files: what doctor finds and mends, what is exported and imported."""

from datetime import datetime
from typing import TYPE_CHECKING, Any, Literal

from msgspec import Struct

from generala_cli.app.doctor import advice, current_advice
from generala_cli.render.documents import (
    REASON,
    Amount,
    Count,
    Fields,
    Names,
    Optional,
    Ordinal,
    document,
    filled,
    many,
    record,
)

if TYPE_CHECKING:  # a document needs nothing of what makes the other answers
    from generala_cli.app import doctor, exporting, importing
    from generala_cli.store import merging
    from generala_cli.store.checking import Checked as StoreChecked

FILE_STATE = Literal["fine", "hand-edited", "damaged", "newer", "unreadable", "missing"]
FILE: Fields = {"state": FILE_STATE, "why": Optional, "events": Count | None}
Backup = record("Backup", **FILE, behind=int | None)
Copy = record("Copy", file=str, **FILE)
GameFiles = record("GameFiles", game=Ordinal, **FILE, backup=Backup, copies=many(Copy), advice=Names)
PaymentFiles = record("PaymentFiles", **FILE, backup=Backup, copies=many(Copy), advice=Names)
Current = record("Current", game=Ordinal | None, why=Optional, copies=Names, advice=Optional)
KIND_OF_FILE = Literal["temporary", "kept", "set aside", "foreign"]
Other = record("Other", file=str, kind=KIND_OF_FILE)
PAYMENTS: Fields = {"payments": PaymentFiles | None}  # null where nothing was ever paid
FILES: Fields = {
    "current": Current,
    "games": many(GameFiles),
    "others": many(Other),
}
Doctor = document("Doctor", folder=str, well=bool, **FILES, **PAYMENTS, saved=bool)
Restored = document("Restored", game=Ordinal | None, events=Count, kept=Optional, saved=bool)
SEALED: Fields = {"sealed": bool, "differences": Names, "set_aside": Names, "saved": bool}
Accepted = document("Accepted", game=Ordinal | None, **SEALED)

NotExported = record("NotExported", what=str, game=Ordinal | None, why=str)
WRITTEN: Fields = {"file": Optional, "text": Optional, "saved": bool}
Exported = document("Exported", format=str, games=many(Ordinal), left_out=many(NotExported), **WRITTEN)
RESULT: Fields = {"place": Ordinal, "total": Count, "won": bool, "scratched": Count, "served": Count}
ExportedPlayer = record("ExportedPlayer", player=str, team=Optional, seat=Ordinal, **RESULT, left=bool)
OF_GAME: Fields = {"game": Ordinal, "id": str, "label": str, "rules": str, "settings": Names}
COURSE: Fields = {"started": datetime, "ended": datetime, "turns": Count}
ENDED: Fields = {**COURSE, "stake": Amount, "unit": str, "method": str, "reason": REASON, "winners": Names}
ExportedGame = document("ExportedGame", **OF_GAME, **ENDED, players=many(ExportedPlayer))

FATE = Literal["new", "same", "shorter", "longer", "diverged"]
ImportedGame = record("ImportedGame", game=Ordinal, id=str, was=Ordinal, fate=FATE, added=Count)
ToldFile = record("ToldFile", name=str, path=str, fate=Literal["new", "same", "kept"])
CONFIGURED: Fields = {"rules": many(ToldFile), "config": ToldFile | None}
IMPORTED: Fields = {"games": many(ImportedGame), "payments": FATE | None, **CONFIGURED}
Imported = document("Imported", file=str, **IMPORTED, saved=bool)


def diagnosis(result: "doctor.Diagnosis") -> Struct:
    found, current = result.examined, result.examined.current
    advised = current_advice(current)
    games, payments = [], None
    for files in found.games:
        backup = _checked(Backup, files.backup, behind=files.behind)
        copies = tuple(_checked(Copy, copy, file=name) for name, copy in files.copies.items())
        beside = {"backup": backup, "copies": copies, "advice": tuple(map(str, advice(files)))}
        if files.subject.number is not None:
            games.append(_checked(GameFiles, files.game, game=files.subject.number, **beside))
        else:
            payments = _checked(PaymentFiles, files.game, **beside)
    return Doctor(
        folder=found.directory,
        well=not result.unwell,
        current=filled(Current, current, advice=None if advised is None else str(advised)),
        games=tuple(games),
        payments=payments,
        others=tuple(Other(file=name, kind=kind) for name, kind in found.litter.items()),
        saved=False,
    )


def _checked(kind: type[Struct], found: "StoreChecked", **given: Any) -> Struct:
    return filled(kind, found, events=None if found.file is None else len(found.file.events), **given)


def restored(result: "doctor.Restored") -> Struct:
    return filled(Restored, result, game=result.subject.number, events=len(result.file.events))


def accepted(result: "doctor.Acceptance") -> Struct:
    return filled(
        Accepted,
        result,
        game=result.subject.number,
        sealed=result.hand_edited is not None,
        set_aside=result.copies,
    )


def exported(result: "exporting.Exported") -> Struct:
    left_out = tuple(
        NotExported(what=str(each.what), game=each.game, why=str(each.why)) for each in result.left_out
    )
    where = (
        {"file": None, "text": result.text}
        if result.file is None
        else {"file": str(result.file), "text": None}
    )
    return filled(Exported, result, format=result.form.name, left_out=left_out, **where)


def imported(result: "importing.Imported") -> Struct:
    games = tuple(_imported_game(each) for each in result.games)
    rules = tuple(filled(ToldFile, each, path=str(each.path)) for each in result.rules)
    config = None if result.config is None else filled(ToldFile, result.config, path=str(result.config.path))
    paid = None if result.payments is None else result.payments.fate
    return filled(Imported, result, games=games, payments=paid, rules=rules, config=config)


def _imported_game(each: "merging.Merged") -> Struct:
    return filled(ImportedGame, each, each.file, game=each.file.game, added=max(0, each.added))
