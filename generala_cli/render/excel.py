"""CSV that Excel opens in regions with a decimal comma, such as Germany, Spain or Argentina."""

import csv
from collections.abc import Collection, Iterable, Iterator
from io import StringIO

_BYTE_ORDER_MARK = "\ufeff"


def for_excel(texts: Iterable[str], decimals: Collection[str] = ()) -> Iterator[str]:
    """Yield CSV with a byte order mark, semicolons, and commas in the `decimals`, which are names of columns.

    The CSV is cut between rows; its first row has the names of the columns.
    """
    yield _BYTE_ORDER_MARK
    columns: list[str] | None = None
    for text in texts:
        written = StringIO()
        lines = csv.writer(written, delimiter=";")
        for row in csv.reader(StringIO(text, newline="")):
            columns = columns or row
            lines.writerow(
                cell.replace(".", ",") if column in decimals else cell
                for column, cell in zip(columns, row, strict=True)
            )
        yield written.getvalue()
