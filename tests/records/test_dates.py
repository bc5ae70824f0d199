from __future__ import annotations

import pyarrow as pa
import pytest

from tabia.records.dates import iso, iso_column


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("1972.07.11", "1972-07-11"),
        ("1972.07.??", "1972-07"),
        ("1972.??.??", "1972"),
        ("1972", "1972"),
        ("1972-7-1", "1972-07-01"),
        ("1972/07/11", "1972-07-11"),
        ("1972.13.01", "1972"),
        ("1973.02.29", "1973-02"),
        ("1972.02.29", "1972-02-29"),
        ("1972.00.00", "1972"),
        ("0000.00.00", None),
        ("????.??.??", None),
        ("11.07.1972", None),
        ("yesterday", None),
        ("", None),
    ],
)
def test_dates_are_cut_where_unknown(text: str, expected: str | None) -> None:
    assert iso(text) == expected


def test_a_column_keeps_its_nulls() -> None:
    column = iso_column(pa.array(["1972.07.11", None, "1972.07.11", "?"]))
    assert column.to_pylist() == ["1972-07-11", None, "1972-07-11", None]
