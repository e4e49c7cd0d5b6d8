from rich.console import Console
from rich.segment import Segment
from textual.geometry import Region
from textual.strip import Strip

from generala_cli.play.repainting import ChangedParts, changed_parts


def test_only_what_changed_is_painted() -> None:
    old = [Segment("fours │ 12 │ 16 │  4 │ 20 │ x scratch")]
    new = [Segment("fours │ 12 │ 16 │  8 │ 20 │ x scratch  u")]
    parts = [*changed_parts(old, new, 3)]
    assert parts == [Region(19, 3, 1, 1), Region(39, 3, 1, 1)]
    spans = [(part.y, part.x, part.right) for part in parts]
    update = ChangedParts([{}, {}, {}, {0: Strip(new)}], spans, [[], [], [], [80]])
    assert update.render_segments(Console()) == "\x1b[4;20H8\x1b[4;40Hu"


def test_a_row_with_wide_characters_is_painted_whole() -> None:
    assert [*changed_parts([Segment("漢字 1")], [Segment("漢字 2")], 0)] == [Region(0, 0, 6, 1)]
