from generala_cli.doctor.answers import CacheFiles
from generala_cli.store.cache import MOST_BYTES, Cache
from generala_cli.store.places import cache_folder


def kept() -> CacheFiles:
    return _cache_files(Cache(cache_folder()), emptied=False, saved=False)


def empty(*, dry_run: bool) -> CacheFiles:
    cache = Cache(cache_folder())
    found = _cache_files(cache, emptied=True, saved=not dry_run)
    if not dry_run:
        cache.empty()
    return found


def _cache_files(cache: Cache, *, emptied: bool, saved: bool) -> CacheFiles:
    files = tuple(cache.files())
    return CacheFiles(
        folder=str(cache.directory),
        files=files,
        bytes=sum(each.bytes for each in files),
        most_bytes=MOST_BYTES,
        why=cache.obstacle(),
        emptied=emptied,
        saved=saved,
    )
