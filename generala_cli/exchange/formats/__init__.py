"""The export formats. Each has a file here, a row in `FORMS`, and its tests."""

from msgspec.structs import replace

from generala_cli.errors import UsageError
from generala_cli.exchange.format import ExportFormat
from generala_cli.exchange.formats import bgstats, csv, generala, hledger, html, markdown, ndjson
from generala_cli.messages import lazy
from generala_cli.remedies import in_shell
from generala_cli.render.excel import for_excel
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


def with_plain_names(form: ExportFormat) -> ExportFormat:
    """Return the format with unchanged names; UsageError if it never changes them."""
    if form.write_plainly is None:
        guarding = ", ".join(each.name for each in FORMS if each.write_plainly is not None)
        what = lazy("{format} never changes names", format=form.name)
        hint = lazy("remove --plain-names; it only works with {formats}", formats=guarding)
        raise UsageError(what, in_shell(hint))
    return replace(form, write=form.write_plainly)


def with_excel(form: ExportFormat) -> ExportFormat:
    if form.name != csv.FORM.name:
        raise UsageError("the form for Excel is CSV", in_shell(lazy("type --format csv --excel")))
    return replace(form, write=lambda games: for_excel(form.write(games)))


def find_format(name: str | None, output: str) -> ExportFormat:
    """Return the format with that name, or else the one for the ending of the output's name."""
    if name is not None:
        wanted = choose(name, (form.name for form in FORMS), "format")
        return next(form for form in FORMS if form.name == wanted)
    for form in FORMS:
        if output.casefold().endswith(form.suffix):
            return form
    names = "|".join(form.name for form in FORMS)
    hint = in_shell(lazy("type --format {names}, or -o with a matching file name", names=names))
    raise UsageError("no format given", hint)
