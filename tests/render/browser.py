"""A real browser, if installed, and its view of a page."""

import re
import shutil
import subprocess
from collections.abc import Mapping
from html import escape
from pathlib import Path

import pytest

BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
needs_browser = pytest.mark.skipif(BROWSER is None, reason="there is no Chromium here")
_MEASURE = """<title></title><script>addEventListener("load", () => {
  const cut = [];
  for (const frame of document.querySelectorAll("iframe"))
    for (const part of frame.contentDocument.querySelectorAll("th, td, span, h1, header, p, div"))
      if (part.clientWidth && part.scrollWidth > part.clientWidth + 1
        || part.scrollHeight > part.clientHeight + 3)
        cut.push(frame.title + ": " + part.textContent.slice(0, 40));
  document.title = cut.join("; ") || "nothing";
})</script>"""


def sent_to_browser(folder: Path, page: str, *options: str) -> str:
    """Return Chromium's output for a page."""
    assert BROWSER is not None
    source = folder / "page.html"
    source.write_text(page, encoding="utf-8")
    known = ("--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'profile'}")
    command = [BROWSER, *known, *options, str(source)]
    return subprocess.run(command, check=True, capture_output=True, timeout=120).stdout.decode()


def paper_sizes(folder: Path, page: str) -> list[tuple[float, float]]:
    """The sizes of the pages that it prints, in points."""
    target = folder / "page.pdf"
    sent_to_browser(folder, page, f"--print-to-pdf={target}")
    found = re.findall(rb"/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]", target.read_bytes())
    return [(float(width), float(height)) for width, height in found]


def what_is_cut(folder: Path, pages: Mapping[str, str], *widths: int) -> str:
    """The texts that do not fit their place on a screen of one of the widths, or `nothing`."""
    frames = "".join(
        f'<iframe title="{name}" width="{width}" frameborder="0" srcdoc="{escape(page)}"></iframe>'
        for name, page in pages.items()
        for width in widths
    )
    (found,) = re.findall("<title>([^<]+)", sent_to_browser(folder, _MEASURE + frames, "--dump-dom"))
    return str(found)
