from generala_cli.errors import GeneralaError
from generala_cli.messages import Message
from generala_cli.render.hints import SCREEN, full_message
from generala_cli.render.language import translated
from generala_cli.text import safe


class MessageLine:
    """The last message, and its beginning for a low screen, or "".

    `is_refusal` is also set for warnings, which `warnings` has once each.
    """

    def __init__(self) -> None:
        self.text = self.beginning = ""
        self.is_refusal = False
        self.warnings: list[str] = []
        self._refused: Message | None = None

    def say(self, text: str, beginning: str = "") -> None:
        self.text, self.beginning = text, beginning
        self.is_refusal, self._refused = False, None

    def refuse(self, error: GeneralaError) -> None:
        self.beginning = ""
        self.text = safe(translated(full_message(error, SCREEN)))
        self.is_refusal, self._refused = True, error.message

    def forget_refusal(self) -> None:
        """Clear the message if it refuses a line, which is about to change. A warning stays."""
        if self._refused is not None:
            self.say("")

    def warn(self, warning: str) -> None:
        if warning not in self.warnings:
            self.warnings.append(warning)
            self.text, self.beginning = safe(warning), ""
            self.is_refusal, self._refused = True, None

    @property
    def refuses_line(self) -> bool:
        return self._refused is not None

    def shows(self, error: GeneralaError) -> bool:
        return self._refused == error.message
