"""The documents that each command may answer with, and their schemas."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from generala_cli.render.documents import (
    CompletionDocument,
    EnvironmentDocument,
    ErrorDocument,
    ExitCodesDocument,
    SchemaDocument,
    SchemasDocument,
    TextDocument,
    VersionDocument,
)
from generala_cli.render.documents.board import BoardDocument
from generala_cli.render.documents.entries import (
    EntryDocument,
    LogDocument,
    TableChangeDocument,
    UndoDocument,
)
from generala_cli.render.documents.evening import (
    LedgerDocument,
    PayDocument,
    PaymentsDocument,
    PlayerNamesDocument,
    PlayersDocument,
    WhyDocument,
)
from generala_cli.render.documents.files import (
    AcceptDocument,
    CompareDocument,
    DoctorDocument,
    ExportDocument,
    ExportedGameDocument,
    ImportDocument,
    RestoreDocument,
    SyncDocument,
    TakeDocument,
)
from generala_cli.render.documents.games import (
    DeleteDocument,
    GamesDocument,
    NewGameDocument,
    UseDocument,
)
from generala_cli.render.documents.odds import AdviceDocument, OddsDocument, ReviewDocument
from generala_cli.render.documents.rules import (
    CheckDocument,
    RuleCardDocument,
    RuleFileDocument,
    RulesCheckDocument,
    RulesDocument,
    RulesFolderDocument,
    TomlDocument,
)
from generala_cli.render.documents.sheet import (
    BlankSheetDocument,
    NoGameDocument,
    PayoutsDocument,
    SheetDocument,
    StandingsDocument,
)
from generala_cli.render.documents.statistics import RecordsDocument, StatsDocument, VersusDocument

ANSWERS: Mapping[str, tuple[type[Struct], ...]] = {
    "generala": (SheetDocument, NoGameDocument, VersionDocument),
    "score": (EntryDocument,),
    "scratch": (EntryDocument,),
    "amend": (EntryDocument,),
    "undo": (UndoDocument,),
    "redo": (UndoDocument,),
    "new": (NewGameDocument,),
    "rematch": (NewGameDocument,),
    "use": (UseDocument,),
    "rename": (TableChangeDocument,),
    "leave": (TableChangeDocument,),
    "join": (TableChangeDocument,),
    "stake": (TableChangeDocument,),
    "sheet": (SheetDocument, BlankSheetDocument),
    "standings": (StandingsDocument,),
    "payouts": (PayoutsDocument,),
    "log": (LogDocument,),
    "board": (BoardDocument,),
    "odds": (OddsDocument,),
    "review": (ReviewDocument,),
    "advise": (AdviceDocument,),
    "games": (GamesDocument,),
    "ledger": (LedgerDocument, WhyDocument, PaymentsDocument, PayDocument),
    "pay": (PayDocument,),
    "players": (PlayersDocument,),
    "players list": (PlayersDocument,),
    "players same": (PlayerNamesDocument,),
    "players apart": (PlayerNamesDocument,),
    "stats": (StatsDocument,),
    "records": (RecordsDocument,),
    "versus": (VersusDocument,),
    "delete": (DeleteDocument,),
    "export": (ExportDocument, ExportedGameDocument),  # the second is a line of NDJSON
    "import": (ImportDocument,),
    "sync": (SyncDocument,),
    "check": (CheckDocument,),
    "rules": (RulesDocument,),
    "rules list": (RulesDocument,),
    "rules show": (RuleCardDocument, TomlDocument),
    "rules new": (RuleFileDocument,),
    "rules edit": (RuleFileDocument,),
    "rules check": (RulesCheckDocument,),
    "rules path": (RulesFolderDocument,),
    "doctor": (DoctorDocument, RestoreDocument, AcceptDocument, CompareDocument, TakeDocument),
    "help": (TextDocument, EnvironmentDocument, ExitCodesDocument),
    "completion": (TextDocument, CompletionDocument),
    "schema": (SchemasDocument, SchemaDocument),
    "error": (ErrorDocument,),
}
"""The documents that each command may answer with; besides them an error, or its help, as `help`."""


def schema(types: Sequence[type[Struct]], name: str = "") -> dict[str, Any]:
    """Return the JSON Schema of a document of one of these types, with an id if it has a name."""
    found, components = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    for part in components.values():
        if "description" in part:  # a docstring, with its lines and their margin
            part["description"] = " ".join(part["description"].split())
    whole = found[0] if len(found) == 1 else {"anyOf": list(found)}
    named = {"$id": f"urn:generala:schema:{name}"} if name else {}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **named, **whole, "$defs": components}
