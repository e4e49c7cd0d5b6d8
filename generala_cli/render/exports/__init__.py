"""Games for other tools. A form is one file here, with its row in this table, its docs and its tests."""

from generala_cli.app.exporting import Form
from generala_cli.render.exports import bgstats, csv, generala, hledger, html, markdown, ndjson

FORMS: tuple[Form, ...] = (
    csv.FORM,
    markdown.FORM,
    html.FORM,
    ndjson.FORM,
    bgstats.FORM,
    hledger.FORM,
    generala.FORM,
)
