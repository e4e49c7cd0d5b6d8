"""A headless Chromium, controlled over a pipe with its own protocol."""

import base64
import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
PHONE, WALL = (390, 844), (1920, 1080)
_PATIENCE = 300.0


class Browser:
    """Sends commands and waits for each answer; events in between are ignored."""

    def __init__(self, commands: IO[bytes], answers: IO[bytes]) -> None:
        self._commands, self._answers = commands, answers
        self._number = 0
        self._rest = b""

    def send(self, method: str, session: str | None = None, **parameters: Any) -> dict[str, Any]:
        """Return the result of a command."""
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if session is not None:
            message["sessionId"] = session
        self._commands.write(json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                if "error" in answer:
                    raise AssertionError(f"{method}: {answer['error']}")
                result: dict[str, Any] = answer["result"]
                return result

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._rest:
            more = self._answers.read(1 << 16)
            assert more, "the browser has ended"
            self._rest += more
        message, _, self._rest = self._rest.partition(b"\0")
        read: dict[str, Any] = json.loads(message)
        return read

    def open(
        self, address: str, size: tuple[int, int] = PHONE, language: str = "en", *, dark: bool = False
    ) -> "Tab":
        """Return a new tab with a page, in a browser of that size and language."""
        context = self.send("Target.createBrowserContext")["browserContextId"]
        return self.open_beside(context, address, size, language, dark=dark)

    def open_beside(
        self, context: str, address: str, size: tuple[int, int], language: str, *, dark: bool = False
    ) -> "Tab":
        """Return a new tab in a browser that has other tabs."""
        target = self.send("Target.createTarget", url="about:blank", browserContextId=context)["targetId"]
        session = self.send("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        tab = Tab(self, context, target, session)
        width, height = size
        tab.send(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=height,
            deviceScaleFactor=1,
            mobile=width < 800,
        )
        agent = self.send("Browser.getVersion")["userAgent"]
        tab.send("Emulation.setUserAgentOverride", userAgent=agent, acceptLanguage=language)
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        tab.send("Emulation.setEmulatedMedia", features=[scheme])
        tab.send("Page.enable")
        tab.send("Page.navigate", url=address)
        return tab


class Tab:
    """A page in the browser."""

    def __init__(self, browser: Browser, context: str, target: str, session: str) -> None:
        self._browser, self.context, self.target, self._session = browser, context, target, session

    def send(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Return the result of a command to this tab."""
        return self._browser.send(method, self._session, **parameters)

    def run(self, script: str) -> Any:
        """Return the value of an expression in the page."""
        found = self.send("Runtime.evaluate", expression=script, returnByValue=True, awaitPromise=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    @property
    def text(self) -> str:
        """Return all visible text."""
        return str(self.run("document.body?.innerText"))

    def until(self, script: str) -> None:
        """Wait until an expression is true."""
        until = time.monotonic() + _PATIENCE
        while not self._is_true(script):
            assert time.monotonic() < until, f"{script}: {self.text}"
            time.sleep(0.02)

    def _is_true(self, script: str) -> bool:
        """Whether an expression is true; False if the page is gone or not loaded yet."""
        try:
            return bool(self.run(f"Boolean({script})"))
        except AssertionError:
            return False

    def until_shown(self, *words: str) -> None:
        """Wait until all these words are visible, in capital or small letters."""
        for word in words:
            self.until(f"document.body?.innerText.toLowerCase().includes({json.dumps(word.lower())})")

    def tap(self, text: str, within: str = "body") -> None:
        """Tap the button with that text, in capital or small letters."""
        buttons = f"[...document.querySelectorAll('{within} button')]"
        is_it = f"b.textContent.toLowerCase() === {json.dumps(text.lower())}"
        found = f"{buttons}.find(b => {is_it} && !b.disabled)"
        self.until(found)
        self.run(f"{found}.click()")

    def picture(self, path: Path) -> None:
        """Save a screenshot to a file."""
        path.write_bytes(base64.b64decode(self.send("Page.captureScreenshot", format="png")["data"]))


@contextmanager
def browser(folder: Path) -> Iterator[Browser]:
    """Run a browser with its profile in that folder."""
    assert CHROMIUM is not None
    (theirs_in, to), (back, theirs_out) = os.pipe(), os.pipe()
    options = ("--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run")

    def place_pipes() -> None:
        """Set up the pipes: the browser reads commands from file 3 and writes answers to file 4."""
        commands, answers = os.dup(theirs_in), os.dup(theirs_out)  # in case they are 4 and 3 already
        os.dup2(commands, 3)
        os.dup2(answers, 4)

    process = subprocess.Popen(
        [CHROMIUM, *options, "--remote-debugging-pipe", f"--user-data-dir={folder}", "about:blank"],
        preexec_fn=place_pipes,
        pass_fds=(3, 4),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(theirs_in)
    os.close(theirs_out)
    try:
        with os.fdopen(to, "wb", 0) as commands, os.fdopen(back, "rb", 0) as answers:
            yield Browser(commands, answers)
    finally:
        process.kill()
        process.wait()
