"""`generala` by itself: the current game at a glance."""

import typer

from generala_cli.cli.groups import RootGroup, new_app
from generala_cli.cli.parameters import ShowVersion
from generala_cli.cli.session import Answer, Session

_ABOUT = """Keep score of Generala and its family, played with real dice.

Type what the dice show; generala checks the category, adds the first-throw bonus, keeps the sheet,
knows whose turn it is, and says who owes whom. By itself it shows the current game.
"""
_EXAMPLES = """\b
Examples:
  generala new Ana Beto
  generala score 5 5 5 3 3 --roll 1
"""

app = new_app(RootGroup, _ABOUT, _EXAMPLES)

_FIRST_STEPS = """\
No game yet. Start one:

  generala new Ana Beto Cora                    Generala, for points
  generala new Ana Beto --rules general --stake 0.01 --unit USD

Then, with the dice on the table:

  generala score 5 5 5 3 3 --roll 1             --roll: the throw it was finished on

The rule sets are listed by generala rules, the commands by generala -h.
"""


@app.callback()
def glance(
    context: typer.Context,
    version: ShowVersion = False,
) -> tuple[Answer, Session] | None:
    """The current game, or how to start one."""
    if context.invoked_subcommand is not None:
        return None
    session = Session.of(context)
    return (_version() if version else _glance(session)), session


def _glance(session: Session) -> Answer:
    from generala_cli.app.views import glance
    from generala_cli.render import envelope

    view = glance(session.store)
    if view is None:
        return Answer(text=lambda _: _FIRST_STEPS, document=envelope.no_game)
    from generala_cli.render import sheet

    return Answer(text=lambda screen: sheet.glance(view, screen), document=lambda: envelope.sheet(view))


def _version() -> Answer:
    from generala_cli import __version__

    return Answer(text=lambda _: f"generala {__version__}\n", document=lambda: {"generala": __version__})
