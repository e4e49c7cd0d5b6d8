"""The cached results of questions about the best play. They may be deleted at any time."""

from datetime import datetime

from msgspec import Struct

from generala_cli.messages import Message
from generala_cli.render.documents import Count, Document
from generala_cli.store.cache import MOST_BYTES, Cache, KeptState, Kind
from generala_cli.store.places import cache_folder


class CacheFile(Struct, frozen=True, kw_only=True):
    """A file of the cache; `kind` and `rules` are null unless it is fine, and then it is not used."""

    file: str
    state: KeptState
    kind: Kind | None
    rules: str | None
    bytes: Count
    used: datetime


class CacheFiles(Document, frozen=True, kw_only=True):
    """The files of the cache, the most recently used first; `why` says why nothing can be added, if so.

    With --empty-cache (`emptied`) these are the deleted files; `saved` is false in a dry run.
    """

    folder: str
    files: tuple[CacheFile, ...]
    bytes: Count
    most_bytes: Count
    why: Message | None
    emptied: bool
    saved: bool


def kept() -> CacheFiles:
    return _found(Cache(cache_folder()), emptied=False, saved=False)


def empty(*, dry_run: bool) -> CacheFiles:
    cache = Cache(cache_folder())
    found = _found(cache, emptied=True, saved=not dry_run)
    if not dry_run:
        cache.empty()
    return found


def _found(cache: Cache, *, emptied: bool, saved: bool) -> CacheFiles:
    files = tuple(
        CacheFile(
            file=each.name,
            state=each.state,
            kind=each.kind,
            rules=each.rules,
            bytes=each.bytes,
            used=each.used,
        )
        for each in cache.files()
    )
    return CacheFiles(
        folder=str(cache.directory),
        files=files,
        bytes=sum(each.bytes for each in files),
        most_bytes=MOST_BYTES,
        why=cache.obstacle(),
        emptied=emptied,
        saved=saved,
    )
