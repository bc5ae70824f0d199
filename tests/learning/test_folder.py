from __future__ import annotations

import pytest

from tabia.learning.folder import atomic_folder


def test_a_folder_appears_when_it_is_complete(tmp_path):
    with atomic_folder(tmp_path / "a" / "model") as folder:
        (folder / "weights").write_text("1")
        assert not (tmp_path / "a" / "model").exists()
    assert (tmp_path / "a" / "model" / "weights").read_text() == "1"
    assert [path.name for path in (tmp_path / "a").iterdir()] == ["model"]


def test_a_folder_that_failed_leaves_the_old_one(tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "old").touch()

    def fail() -> None:
        with atomic_folder(tmp_path / "model") as folder:
            (folder / "new").touch()
            raise RuntimeError

    with pytest.raises(RuntimeError):
        fail()
    assert [path.name for path in tmp_path.rglob("*")] == ["model", "old"]


def test_a_new_folder_replaces_the_old_one_whole(tmp_path):
    (tmp_path / "model").mkdir()
    (tmp_path / "model" / "old").touch()
    with atomic_folder(tmp_path / "model") as folder:
        (folder / "new").touch()
    assert [path.name for path in (tmp_path / "model").iterdir()] == ["new"]


def test_every_file_is_as_readable_as_its_folder(tmp_path):
    with atomic_folder(tmp_path / "model") as folder:
        (folder / "weights").touch(0o600)  # as safetensors leaves its files
    modes = [
        path.stat().st_mode & 0o666 for path in (tmp_path / "model", tmp_path / "model/weights")
    ]
    assert modes[0] == modes[1]


def test_a_folder_may_hold_folders(tmp_path):
    with atomic_folder(tmp_path / "model") as folder:
        (folder / "parts" / "book").mkdir(parents=True)
        (folder / "parts" / "book" / "weights").touch(0o600)
    weights = tmp_path / "model" / "parts" / "book" / "weights"
    assert weights.stat().st_mode & 0o777 == (tmp_path / "model").stat().st_mode & 0o666
