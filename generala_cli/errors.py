"""Errors that a user can cause: one root, a few families, each with its exit code.

A message is the first half of one sentence (what is wrong), a hint its second half (what to do
instead); neither ends in a full stop, so that the renderer can join them. Both are shown in the language of
the reader; `str` of an error is English.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from generala_cli.messages import Message, tell


class GeneralaError(Exception):
    """Anything a user can cause. Never shown with a traceback.

    Args:
        message, hint: sentences, or the templates of such; both are given the same values.
        details: more lines, for a file with many faults.
        screen_hint: what to do instead on the screen of a game, where that is not typed as in a shell.
    """

    exit_code: ClassVar[int] = 1
    kind: ClassVar[str] = "error"

    def __init__(
        self,
        message: str | Message,
        hint: str | Message = "",
        details: Sequence[str | Message] = (),
        *,
        screen_hint: str | Message = "",
        **values: Any,
    ) -> None:
        super().__init__(message)
        self.message = message if isinstance(message, Message) else tell(message, **values)
        self.hint = hint if isinstance(hint, Message) else tell(hint, **values)
        self.details = tuple(details)
        at_screen = screen_hint if isinstance(screen_hint, Message) else tell(screen_hint, **values)
        self.screen_hint = at_screen or self.hint

    def __str__(self) -> str:
        return str(self.sentence)

    @property
    def told_on_screen(self) -> Message:
        """The message and what to do instead, where a line is typed on the screen."""
        if not self.screen_hint:
            return self.message
        return tell("{first}; {then}", first=self.message, then=self.screen_hint)

    @property
    def sentence(self) -> Message:
        """The message, and the hint if there is one."""
        if not self.hint:
            return self.message
        return tell("{first}; {then}", first=self.message, then=self.hint)


class NotAllowed(GeneralaError):
    """The rules, or the state of the game, do not permit it."""

    kind = "not-allowed"


class NotFound(GeneralaError):
    """A game, player, category or rule set of that name does not exist."""

    kind = "not-found"


class Ambiguous(GeneralaError):
    """A shortened name fits more than one thing; the hint lists them."""

    kind = "ambiguous"


class Mistyped(GeneralaError):
    """The command line cannot be read: dice that are not dice, an amount that is not a number."""

    exit_code = 2
    kind = "usage"


class Retyped(Mistyped):
    """One word cannot be read as it is, and what may have been meant is known.

    Where a line was typed, its reader is shown that line with each in place of the word; elsewhere the hint.

    Attributes:
        word: as it was typed. meant: what may have been meant, each as the words to type.
    """

    def __init__(
        self,
        message: str | Message,
        hint: str | Message,
        *,
        word: str,
        meant: Sequence[Sequence[str]],
        **values: Any,
    ) -> None:
        super().__init__(message, hint, typed=word, **values)
        self.word = word
        self.meant = meant


class FileTrouble(GeneralaError):
    """A file cannot be read or written. It has been left as it is."""

    exit_code = 3
    kind = "file"


class NumpyMissing(FileTrouble):
    """Numpy is not there, or does not load, without which nothing can be advised."""

    def __init__(self, *, is_installed: bool) -> None:
        missing = tell("advise, odds and review need numpy, which is not installed")
        broken = tell("advise, odds and review need numpy, which does not load")
        hint = tell("pip install numpy, or in Termux pkg install python-numpy")
        super().__init__(broken if is_installed else missing, hint)


class DamagedFile(FileTrouble):
    """A file's contents are not what this program writes. It has been left as it is."""

    kind = "damaged"


class NewerFile(FileTrouble):
    """A file was written by a later version of this program. It has been left as it is."""

    kind = "too-new"


class Conflict(FileTrouble):
    """A sync program left another version of a file beside it. Nobody but a person can choose."""

    kind = "conflict"


class Interrupted(GeneralaError):
    """Ctrl-C or a signal, before anything was saved."""

    exit_code = 130
    kind = "interrupted"
