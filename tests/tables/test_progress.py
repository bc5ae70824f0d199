"""What is said of long work on stderr."""

from __future__ import annotations

import pytest

from tabia.tables import progress
from tabia.tables.progress import Progress


@pytest.mark.parametrize(
    ("total", "done", "unit", "told"),
    [
        (0.25, 0.25, "MB", "read: 0.2 of 0.2 MB, 0.1 MB/s, 2.0 s\n"),
        (0.02, 0.02, "MB", "read: 0.020 of 0.020 MB, 0.010 MB/s, 2.0 s\n"),
        (9.96, 4.0, "MB", "read: 4.0 of 10.0 MB, 2.0 MB/s, 2.0 s\n"),
        (10.0, 0.4, "MB", "read: 0 of 10 MB, 0.2 MB/s, 2.0 s\n"),
        (2000.0, 2000.0, "MB", "read: 2,000 of 2,000 MB, 1,000.0 MB/s, 2.0 s\n"),
        (None, 1.5, "MB", "read: 1.5 MB, 0.8 MB/s, 2.0 s\n"),
        (5, 3, "games", "read: 3 of 5 games, 1.5 games/s, 2.0 s\n"),
        (5, 5, "rows at most", "read: 5 of 5 rows at most, 2.5 rows/s, 2.0 s\n"),
    ],
)
def test_small_sizes_have_a_decimal_and_rates_their_unit(
    total: float | None,
    done: float,
    unit: str,
    told: str,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    times = iter([10.0, 12.0, 12.0])
    monkeypatch.setattr(progress.time, "monotonic", lambda: next(times))
    with Progress("read", total, unit) as bar:
        bar.advance(done)
    assert capsys.readouterr().err == told


def test_work_that_fails_ends_without_a_last_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ValueError, match="no"), Progress("read", 5, "games"):
        raise ValueError("no")
    assert capsys.readouterr().err == ""
