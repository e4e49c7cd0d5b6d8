"""Errors that a user can cause: one root and a few families, each with its exit code.

The message says what is wrong, and the hint says what to do instead. Neither ends in a full stop, because the
renderer joins them to one sentence. `str` of an error is English.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from generala_cli.messages import Message, lazy
from generala_cli.remedies import Remedy, in_shell


class GeneralaError(Exception):
    """Anything a user can cause. Never shown with a traceback.

    `message` and `hint` are sentences or templates with the same values. A hint that differs between shell,
    screen and phone is a `Remedy`. `details` are more lines, for a file with many errors.
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
        self.message = (
            message.with_values(**values) if isinstance(message, Message) else lazy(message, **values)
        )
        self.hint = lazy(hint, **values) if isinstance(hint, str) else hint
        self.details = tuple(details)

    def __str__(self) -> str:
        hint = str(self.hint)
        return f"{self.message}; {hint}" if hint else str(self.message)

    @property
    def sentence(self) -> Message:
        """The message, with the hint for a shell if there is one."""
        match self.hint:
            case (Message() as hint) | Remedy("in-shell", {"how": hint}) if hint:
                return lazy("{first}; {then}", first=self.message, then=hint)
            case _:
                return self.message


class NotAllowed(GeneralaError):
    """The rules or the state of the game forbid it."""

    kind = "not-allowed"


class NotFound(GeneralaError):
    """No game, player, category or rule set has that name."""

    kind = "not-found"


class Ambiguous(GeneralaError):
    """A shortened name fits more than one thing; the hint lists them."""

    kind = "ambiguous"


class UsageError(GeneralaError):
    """The command line is invalid: dice that are not dice, an amount that is not a number."""

    exit_code = 2
    kind = "usage"


class Retyped(UsageError):
    """One word is invalid; a typed line is repeated with each suggestion in `meant`."""

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
    """A file cannot be read or written. It is unchanged."""

    exit_code = 3
    kind = "file"


class NumpyMissing(FileError):
    def __init__(self, *, is_installed: bool) -> None:
        missing = lazy("advise, odds, review, train and stats --luck need numpy, which is not installed")
        broken = lazy("advise, odds, review, train and stats --luck need numpy, which does not load")
        hint = lazy("pip install numpy, or in Termux pkg install python-numpy")
        super().__init__(broken if is_installed else missing, in_shell(hint))


class DamagedFile(FileError):
    """The contents of a file are invalid. It is unchanged."""

    kind = "damaged"


class NewerFile(FileError):
    """A newer version of this program wrote the file; `why` tells its version. It is unchanged."""

    kind = "too-new"
    why: str | Message = ""

    @classmethod
    def of(cls, file: str | Message, why: str | Message) -> "NewerFile":
        what = lazy("{file} was written by a newer generala ({reason}); it was not changed")
        newer = cls(what.with_values(file=file, reason=why), lazy("install that version to use it"))
        newer.why = why
        return newer


class Conflict(FileError):
    """A sync program left a second version of a file. A person must choose."""

    kind = "conflict"


class Interrupted(GeneralaError):
    """Ctrl-C or a signal, before anything was saved."""

    exit_code = 130
    kind = "interrupted"
