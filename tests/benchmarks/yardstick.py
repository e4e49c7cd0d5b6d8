"""The yardstick: a plain Typer program that does a little of everything we do.

One command reads a small JSON file under a lock, rewrites it (temporary file, fsync, rename) and prints one
rich table. The benchmark runs it in the same environment as `generala`.
"""

import fcntl
import json
import os
from pathlib import Path

import typer
from rich.console import Console
from rich.table import Table

app = typer.Typer()


@app.command()
def count(path: Path) -> None:
    """Add one to the counter in the file and show the totals."""
    with path.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        document = json.loads(path.read_text(encoding="utf-8"))
        document["count"] += 1
        temporary = path.with_suffix(".new")
        with temporary.open("w", encoding="utf-8") as file:
            file.write(json.dumps(document))
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    table = Table("player", "total")
    for player, total in document["totals"].items():
        table.add_row(player, str(total))
    Console().print(table)


if __name__ == "__main__":
    app()
