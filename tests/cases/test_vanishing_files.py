"""The store tidies up its files by itself; whoever adds up their sizes must not stumble."""

from __future__ import annotations

from pathlib import Path

import pytest

from semantica_rdf import KnowledgeBase


@pytest.mark.quick
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_file_the_store_removes_while_sizes_are_added_up_counts_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moment: str
) -> None:
    look = Path.stat

    def stat(self: Path, **given):
        if self.name != "removed.sst":
            return look(self, **given)
        if moment == "before":
            self.unlink(missing_ok=True)
            return look(self, **given)
        found = look(self, **given)
        self.unlink()
        return found

    with KnowledgeBase.open(tmp_path / "kb") as kb:
        removed = tmp_path / "kb" / "removed.sst"
        removed.write_bytes(b"x" * 1000)
        whole = kb.stats().bytes_on_disk
        with monkeypatch.context() as patched:
            patched.setattr(Path, "stat", stat)
            met = kb.stats().bytes_on_disk
        assert not removed.exists()
        assert met == whole - (1000 if moment == "before" else 0)
