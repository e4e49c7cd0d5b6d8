"""What each command may answer: all documents there are, and their schemas."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec
from msgspec import Struct

from generala_cli.render.documents import (
    Environment,
    Error,
    ExitCodes,
    Installed,
    Schema,
    Schemas,
    Text,
    Version,
)
from generala_cli.render.documents.evening import Ledger, Paid, Players, SaidWho, Why
from generala_cli.render.documents.files import (
    Accepted,
    Doctor,
    Exported,
    ExportedGame,
    Imported,
    Restored,
)
from generala_cli.render.documents.game import (
    Begun,
    BlankSheet,
    Changed,
    Deleted,
    Entered,
    Games,
    Log,
    Moved,
    NoGame,
    Payouts,
    Sheet,
    Standings,
    Used,
)
from generala_cli.render.documents.odds import Advice, Odds, Review
from generala_cli.render.documents.rules import Checked, Folder, InOrder, RuleCard, RuleFile, Rules, Toml
from generala_cli.render.documents.statistics import Records, Stats, Versus

ANSWERS: Mapping[str, tuple[type[Struct], ...]] = {
    "generala": (Sheet, NoGame, Version),
    **dict.fromkeys(("score", "scratch", "amend"), (Entered,)),
    **dict.fromkeys(("undo", "redo"), (Moved,)),
    **dict.fromkeys(("new", "rematch"), (Begun,)),
    "use": (Used,),
    **dict.fromkeys(("rename", "leave", "join", "stake"), (Changed,)),
    **{kind.__name__.lower(): (kind,) for kind in (Sheet, Standings, Payouts, Log, Odds, Review)},
    "sheet": (Sheet, BlankSheet),
    "advise": (Advice,),
    "games": (Games,),
    "ledger": (Ledger, Why, Paid),
    "pay": (Paid,),
    **dict.fromkeys(("players", "players list"), (Players,)),
    **dict.fromkeys(("players same", "players apart"), (SaidWho,)),
    **{kind.__name__.lower(): (kind,) for kind in (Stats, Records, Versus)},
    "delete": (Deleted,),
    "export": (Exported, ExportedGame),  # the second is a line of NDJSON
    "import": (Imported,),
    "check": (Checked,),
    **dict.fromkeys(("rules", "rules list"), (Rules,)),
    "rules show": (RuleCard, Toml),
    **dict.fromkeys(("rules new", "rules edit"), (RuleFile,)),
    "rules check": (InOrder,),
    "rules path": (Folder,),
    "doctor": (Doctor, Restored, Accepted),
    "help": (Text, Environment, ExitCodes),
    "completion": (Text, Installed),
    "schema": (Schemas, Schema),
    "error": (Error,),
}
"""What each command may answer. Any of them is refused with an error, and tells its help as `help` does."""


def schema(types: Sequence[type[Struct]]) -> dict[str, Any]:
    """The JSON Schema of a document of one of these types."""
    found, components = msgspec.json.schema_components(types, ref_template="#/$defs/{name}")
    whole = found[0] if len(found) == 1 else {"anyOf": list(found)}
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **whole, "$defs": components}
