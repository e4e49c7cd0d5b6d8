from generala_cli.doctor import versions
from generala_cli.doctor.answers import GameVersion
from generala_cli.errors import NotAllowed
from generala_cli.messages import lazy
from generala_cli.render.forms import Field, Form, Values
from generala_cli.render.language import translate, word_shown
from generala_cli.render.lines import machine_text
from generala_cli.store.store import Store
from generala_cli.text import safe


def choice_of_version(store: Store, number: int) -> Form:
    """Return a form for choosing a version; after a choice, it offers the rejected ones again."""
    found = versions.compare_to_choose(store, number)
    if found is None:
        raise NotAllowed(lazy("game {number} has only one version", number=number))
    shown = {version.take: _described(version) for version in found.usable}

    def send(values: Values) -> str:
        versions.take(store, number, values["version"])
        return ""

    field = Field(
        key="version",
        label=translate("version", context="label"),
        offers=tuple(shown),
        shown_as=shown,
        kind="choice",
    )
    return Form(
        title=translate("Game {game} continued in several places: which version counts?", game=number),
        fields=(field,),
        send=send,
        question=translate("Take this version? The others are set aside"),
    )


def _described(version: GameVersion) -> str:
    totals = ", ".join(f"{safe(player)} {total}" for player, total in (version.totals or {}).items())
    by = ", ".join(map(machine_text, version.entered_by))
    return f"{word_shown(version.take, versions.VERSION_WORDS)}: {totals}" + (f" ({by})" if by else "")
