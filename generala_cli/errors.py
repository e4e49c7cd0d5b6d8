"""Errors that a user can cause: one root, a few families, each with its exit code.

A message is the first half of one sentence (what is wrong), a hint its second half (what to do
instead); neither ends in a full stop, so that the renderer can join them. Both are shown in the language of
the reader; `str` of an error is English.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from generala_cli.messages import Message, lazy
from generala_cli.remedies import InShell, Remedy


class GeneralaError(Exception):
    """Anything a user can cause. Never shown with a traceback.

    Args:
        message, hint: sentences, or the templates of such; both are given the same values. A hint that is not
            the same in a shell, on the screen and on a phone is a `Remedy`; `render/hints.py` has its words.
        details: more lines, for a file with many faults.
    """

    exit_code: ClassVar[int] = 1
    kind: ClassVar[str] = "error"

    def __init__(
        self,
        message: str | Message,
        hint: str | Message | Remedy = "",
        details: Sequence[str | Message] = (),
        **values: Any,
    ) -> None:
        super().__init__(message)
        self.message = message if isinstance(message, Message) else lazy(message, **values)
        self.hint = lazy(hint, **values) if isinstance(hint, str) else hint
        self.details = tuple(details)

    def __str__(self) -> str:
        """Return message and hint in English; what helps, where that depends on the surface, as a fact."""
        hint = str(self.hint)
        return f"{self.message}; {hint}" if hint else str(self.message)

    @property
    def sentence(self) -> Message:
        """The message, and the hint if there is one that is the same everywhere, or is for a shell."""
        hint = self.hint.how if isinstance(self.hint, InShell) else self.hint
        if isinstance(hint, Remedy) or not hint:
            return self.message
        return lazy("{first}; {then}", first=self.message, then=hint)


class NotAllowed(GeneralaError):
    """The rules, or the state of the game, do not permit it."""

    kind = "not-allowed"


class NotFound(GeneralaError):
    """A game, player, category or rule set of that name does not exist."""

    kind = "not-found"


class Ambiguous(GeneralaError):
    """A shortened name fits more than one thing; the hint lists them."""

    kind = "ambiguous"


class UsageError(GeneralaError):
    """The command line cannot be read: dice that are not dice, an amount that is not a number."""

    exit_code = 2
    kind = "usage"


class Retyped(UsageError):
    """One word cannot be read as it is, and what may have been meant is known.

    Where a line was typed, its reader is shown that line with each in place of the word; elsewhere the hint.

    Attributes:
        word: as it was typed. meant: what may have been meant, each as the words to type.
    """

    def __init__(
        self,
        message: str | Message,
        hint: str | Message | Remedy,
        *,
        word: str,
        meant: Sequence[Sequence[str]],
        **values: Any,
    ) -> None:
        super().__init__(message, hint, typed=word, **values)
        self.word = word
        self.meant = meant


class FileError(GeneralaError):
    """A file cannot be read or written. It has been left as it is."""

    exit_code = 3
    kind = "file"


class NumpyMissing(FileError):
    """Numpy is not there, or does not load, without which nothing can be advised."""

    def __init__(self, *, is_installed: bool) -> None:
        missing = lazy("advise, odds, review, train and stats --luck need numpy, which is not installed")
        broken = lazy("advise, odds, review, train and stats --luck need numpy, which does not load")
        hint = lazy("pip install numpy, or in Termux pkg install python-numpy")
        super().__init__(broken if is_installed else missing, InShell(hint))


class DamagedFile(FileError):
    """A file's contents are not what this program writes. It has been left as it is."""

    kind = "damaged"


class NewerFile(FileError):
    """A file was written by a later version of this program. It has been left as it is."""

    kind = "too-new"


class Conflict(FileError):
    """A sync program left another version of a file beside it. Nobody but a person can choose."""

    kind = "conflict"


class Interrupted(GeneralaError):
    """Ctrl-C or a signal, before anything was saved."""

    exit_code = 130
    kind = "interrupted"
