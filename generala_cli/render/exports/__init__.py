"""Games for other tools. A form is one file here, with its row in this table, its docs and its tests."""

from generala_cli.app.exporting import ExportFormat
from generala_cli.errors import Mistyped
from generala_cli.render.exports import bgstats, csv, generala, hledger, html, markdown, ndjson
from generala_cli.text import choose

FORMS: tuple[ExportFormat, ...] = (
    csv.FORM,
    markdown.FORM,
    html.FORM,
    ndjson.FORM,
    bgstats.FORM,
    hledger.FORM,
    generala.FORM,
)


def find_format(name: str | None, output: str) -> ExportFormat:
    """Return the form of that name, or else the one that the output's name ends like."""
    if name is not None:
        wanted = choose(name, (form.name for form in FORMS), "format")
        return next(form for form in FORMS if form.name == wanted)
    for form in FORMS:
        if output.casefold().endswith(form.suffix):
            return form
    names = "|".join(form.name for form in FORMS)
    raise Mistyped("no format is given", "type --format {names}, or -o with such a file", names=names)
