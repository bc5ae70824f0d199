from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from tabia.app.shards import expand_shards, shard_ranges


def test_numbered_files_are_shortened() -> None:
    files = ["a/0.parquet", "a/1.parquet", "a/2.parquet", "b/7.parquet", "c.parquet"]
    assert shard_ranges(files) == ["a/{0..2}.parquet", "b/7.parquet", "c.parquet"]


NAMES = st.sampled_from(["a/", "b/c/"]).flatmap(
    lambda folder: st.integers(0, 12).map(lambda i: f"{folder}{i}.parquet")
) | st.sampled_from(["a.parquet", "a/01.parquet", "a/x.parquet"])


@given(st.lists(NAMES))
def test_shortened_names_come_back_in_order(files: list[str]) -> None:
    assert expand_shards(shard_ranges(files)) == files
