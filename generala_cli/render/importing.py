"""The answer of an import: a line for each fate."""

from collections.abc import Iterator, Mapping

from generala_cli.app.importing import Imported, ImportedFile, name_of
from generala_cli.messages import Message, listing, tell, tell_count
from generala_cli.render.language import said, say
from generala_cli.render.lines import with_lines
from generala_cli.render.screen import Screen
from generala_cli.store.subjects import PAYMENTS
from generala_cli.text import safe


def imported(result: Imported, screen: Screen) -> str:
    """For each file a line for each fate of games, for each rule set, and for payments and configuration."""
    parts = []
    for each in result.files:
        heading = tell("imported from {file}") if result.saved else tell("would be imported from {file}")
        lines = list(imported_from(each, saved=result.saved)) or [say("nothing is in it")]
        if each is result.files[-1]:
            lines += afterwards(result)
        parts.append(
            with_lines(said(heading.with_values(file=screen.strong(said(each.file)))), lines, screen)
        )
    return "".join(parts)


def imported_from(result: ImportedFile, *, saved: bool) -> Iterator[str]:
    """The fates of all that one file holds, a line each."""
    for fate, becomes in (_FATES if saved else _WOULD_BE).items():
        if numbers := sorted(each.number for each in result.games if each.fate == fate):
            first, last = numbers[0], numbers[-1]
            is_run = len(numbers) > 2 and numbers == list(range(first, last + 1))
            run = tell("{first} to {last}", first=first, last=last)
            yield _became(becomes, count=len(numbers), games=run if is_run else listing(numbers, "and"))
    if (paid := result.payments) is not None and paid.fate != "refused":
        yield _became((_PAYMENTS if saved else _PAYMENTS_WOULD_BE)[paid.fate], count=paid.added)
    texts = _TEXTS if saved else _TEXTS_WOULD_BE
    for text in (*result.rules, *([result.config] if result.config is not None else [])):
        if text.fate != "refused":
            becomes = texts["config" if text is result.config else "rules"][text.fate]
            yield _became(becomes, file=text.name, rules=text.name.removeprefix("rules "))


def afterwards(result: Imported) -> Iterator[str]:
    """The files that were mended, and the game that is current now."""
    mended = [each.number for file in result.files for each in file.games if each.is_mended]
    for number in dict.fromkeys(mended):
        if not result.saved:
            yield say("game {game} is damaged here, and would be mended", game=number)
        elif (kept := result.kept.get(str(number))) is not None:
            what = tell("game {game} was damaged here and is mended; what was there is kept as {file}")
            yield said(what.with_values(game=number, file=safe(kept)))
        else:
            yield say("game {game} was missing here, but for its backup, and is mended", game=number)
    if any(file.payments is not None and file.payments.is_mended for file in result.files):
        if not result.saved:
            yield say("the payments are damaged here, and would be mended")
        elif (kept := result.kept.get(PAYMENTS)) is not None:
            yield say(
                "the payments were damaged here and are mended; what was there is kept as {file}",
                file=safe(kept),
            )
        else:
            yield say("the payments were missing here, but for their backup, and are mended")
    if result.current is not None:
        now = tell("game {game}, which is not over, would be current")
        if result.saved:
            now = tell("game {game}, which is not over, is now current")
        yield said(now.with_values(game=result.current))


def what_to_do(result: Imported) -> Iterator[str]:
    """Where there are two versions now, what to do; what was refused, and what is not in the file."""
    for each in result.files:
        for game in each.games:
            if game.fate == "settled-there":
                yield say(
                    "game {game} was settled elsewhere: takes what is there; "
                    "generala doctor {game} --take that takes it over",
                    game=game.number,
                )
            if game.are_settled:
                yield say(
                    "game {game} was settled elsewhere: takes what is here now; "
                    "generala doctor {game} --take this sets the other version aside",
                    game=game.number,
                )
            if game.fate == "settled-differently":
                yield say(
                    "game {game} was settled here and elsewhere, each another way: generala doctor {game}",
                    game=game.number,
                )
            if game.fate == "diverged":
                wait = tell(
                    "payouts of game {game} would wait until a version is chosen: generala doctor {game}"
                )
                if result.saved:
                    wait = tell(
                        "payouts of game {game} wait until a version is chosen: generala doctor {game}"
                    )
                yield said(wait.with_values(game=game.number))
        for trouble in each.troubles:
            yield say("not taken over: {reason}", reason=trouble.sentence)
        for part in each.left_out:
            what = name_of(part)
            yield say("{file} is without {what}: it cannot be used there", file=each.file, what=what)


_FATES: Mapping[str, Message] = {
    "new": tell_count("game {games} is new here", "games {games} are new here", 1),
    "longer": tell_count(
        "game {games} went on there, and is now as it is there",
        "games {games} went on there, and are now as they are there",
        1,
    ),
    "diverged": tell_count(
        "game {games} went on here and there, each another way; both are kept",
        "games {games} went on here and there, each another way; both are kept",
        1,
    ),
    "settled-there": tell_count(
        "game {games} was settled elsewhere, and not as it is here; both are kept",
        "games {games} were settled elsewhere, and not as they are here; both are kept",
        1,
    ),
    "settled-here": tell_count(
        "game {games} is there in a version that was not taken here, and is left there",
        "games {games} are there in versions that were not taken here, and are left there",
        1,
    ),
    "settled-differently": tell_count(
        "game {games} was settled here and there, each another way",
        "games {games} were settled here and there, each another way",
        1,
    ),
    "same": tell_count("game {games} was here already", "games {games} were here already", 1),
    "shorter": tell_count(
        "game {games} was here already, and went on", "games {games} were here already, and went on", 1
    ),
}
"""The fates of imported games; how many and which ones is filled in."""
_WOULD_BE: Mapping[str, Message] = {
    "new": tell_count("game {games} would be new here", "games {games} would be new here", 1),
    "longer": tell_count(
        "game {games} went on there, and would be as it is there",
        "games {games} went on there, and would be as they are there",
        1,
    ),
    "diverged": tell_count(
        "game {games} went on here and there, each another way; both would be kept",
        "games {games} went on here and there, each another way; both would be kept",
        1,
    ),
    "settled-there": tell_count(
        "game {games} was settled elsewhere, and not as it is here; both would be kept",
        "games {games} were settled elsewhere, and not as they are here; both would be kept",
        1,
    ),
    "settled-here": tell_count(
        "game {games} is there in a version that was not taken here, and would be left there",
        "games {games} are there in versions that were not taken here, and would be left there",
        1,
    ),
    "settled-differently": tell_count(
        "game {games} was settled here and there, each another way",
        "games {games} were settled here and there, each another way",
        1,
    ),
    "same": tell_count("game {games} is here already", "games {games} are here already", 1),
    "shorter": tell_count(
        "game {games} is here already, and went on", "games {games} are here already, and went on", 1
    ),
}
"""The fates of games that were not imported yet."""
_PAYMENTS: Mapping[str, Message] = {
    "new": tell("payments taken over"),
    "longer": tell_count(
        "payments went on there; {count} entry is new here",
        "payments went on there; {count} entries are new here",
        1,
    ),
    "merged": tell_count(
        "payments went on here and there, and are put together; {count} entry is new here",
        "payments went on here and there, and are put together; {count} entries are new here",
        1,
    ),
    "same": tell("payments were here already"),
    "shorter": tell("payments were here already, and went on"),
}
_PAYMENTS_WOULD_BE: Mapping[str, Message] = {
    "new": tell("payments would be taken over"),
    "longer": tell_count(
        "payments went on there; {count} entry would be new here",
        "payments went on there; {count} entries would be new here",
        1,
    ),
    "merged": tell_count(
        "payments went on here and there, and would be put together; {count} entry would be new here",
        "payments went on here and there, and would be put together; {count} entries would be new here",
        1,
    ),
    "same": tell("payments are here already"),
    "shorter": tell("payments are here already, and went on"),
}
_TEXTS: Mapping[str, Mapping[str, Message]] = {
    "rules": {
        "new": tell("rules {rules} taken over"),
        "same": tell("rules {rules} was here already"),
        "kept": tell("rules {rules} is another here, which is kept"),
    },
    "config": {
        "new": tell("{file} taken over"),
        "same": tell("{file} was here already"),
        "kept": tell("{file} is another here, which is kept"),
    },
}
_TEXTS_WOULD_BE: Mapping[str, Mapping[str, Message]] = {
    "rules": {
        "new": tell("rules {rules} would be taken over"),
        "same": tell("rules {rules} is here already"),
        "kept": tell("rules {rules} is another here, which would be kept"),
    },
    "config": {
        "new": tell("{file} would be taken over"),
        "same": tell("{file} is here already"),
        "kept": tell("{file} is another here, which would be kept"),
    },
}


def _became(message: Message, **values: object) -> str:
    """One of the sentences above, filled in."""
    return said(message.with_values(**values))
