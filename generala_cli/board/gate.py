"""The limits on requests for seats: anyone in a bar can scan the code."""

from collections import defaultdict, deque
from threading import Lock
from time import monotonic

from generala_cli.errors import NotAllowed

_MINUTE = 60.0
_MOST_PER_DEVICE = 5
_MOST_PER_ADDRESS = 60
_MOST_COUNTED = 2000


class Gate:
    """Limits the requests per minute of a device and an address. A visitor can delete a device, a cookie."""

    def __init__(self) -> None:
        self._times: defaultdict[str, deque[float]] = defaultdict(deque)
        self._counting = Lock()

    def count(self, device: str, address: str) -> None:
        """Count a request; NotAllowed if its device or address sent too many."""
        now = monotonic()
        limits = [(f"address {address}", _MOST_PER_ADDRESS)]
        if device:
            limits.append((f"device {device}", _MOST_PER_DEVICE))
        with self._counting:
            if len(self._times) > _MOST_COUNTED:
                self._forget(now)
            if any(len(self._recent(key, now)) >= most for key, most in limits):
                raise NotAllowed("too many requests came from this phone", "try again in a minute")
            for key, _ in limits:
                self._times[key].append(now)

    def _recent(self, key: str, now: float) -> deque[float]:
        times = self._times[key]
        while times and times[0] <= now - _MINUTE:
            times.popleft()
        return times

    def _forget(self, now: float) -> None:
        for key in list(self._times):
            if not self._recent(key, now):
                del self._times[key]
