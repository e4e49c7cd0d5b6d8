"""Games for other tools. A form is one file here, with its row in this table, its docs and its tests."""

from generala_cli.app.exporting import ExportFormat
from generala_cli.render.exports import bgstats, csv, generala, hledger, html, markdown, ndjson

FORMS: tuple[ExportFormat, ...] = (
    csv.FORM,
    markdown.FORM,
    html.FORM,
    ndjson.FORM,
    bgstats.FORM,
    hledger.FORM,
    generala.FORM,
)
