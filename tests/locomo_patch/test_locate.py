"""Where the corpus comes from: named, cached, fetched, or the mock. Only the loopback interface is used."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from locomo_patch import locate
from locomo_patch.locate import FILE_NAME, locate_corpus, mock_path
from locomo_patch.reader import read_corpus
from twistcore.errors import CorpusError, StorageError
from twistcore.fingerprints import sha256_bytes

GOOD = b'[{"stands": "for the official file"}]'


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder and logs nothing; `cut.json` promises more bytes than it sends."""

    def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - the name that the base class has
        pass

    def do_GET(self) -> None:
        if self.path == "/cut.json":
            self.send_response(200)
            self.send_header("Content-Length", str(len(GOOD)))
            self.end_headers()
            self.wfile.write(GOOD[:10])
            return
        super().do_GET()


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """A public home on loopback, with the pinned hash set to that of what it serves."""
    folder = tmp_path / "home"
    folder.mkdir()
    (folder / "good.json").write_bytes(GOOD)
    (folder / "wrong.json").write_bytes(GOOD + b" ")
    monkeypatch.setattr(locate, "OFFICIAL_SHA256", sha256_bytes(GOOD))
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_a_good_download_is_kept_and_used_again_without_its_home(home: str, tmp_path: Path) -> None:
    said: list[str] = []
    cache = tmp_path / "cache"
    located = locate_corpus(None, cache, said.append, f"{home}/good.json")
    assert (located.path, located.stands_in) == (cache / "corpora" / FILE_NAME, False)
    assert located.path.read_bytes() == GOOD
    assert len(said) == 1 and "CC BY-NC 4.0" in said[0], "the licence is shown"
    again = locate_corpus(None, cache, said.append, "http://127.0.0.1:9/never-asked")
    assert again == located
    assert len(said) == 1


def test_wrong_bytes_are_an_error_and_are_not_kept(home: str, tmp_path: Path) -> None:
    with pytest.raises(CorpusError, match=r"wrong\.json: what its public home serves is not the pinned file; .*--corpus"):
        locate_corpus(None, tmp_path / "cache", lambda _line: None, f"{home}/wrong.json")
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


@pytest.mark.parametrize("name", ["absent.json", "cut.json"])
def test_a_failed_download_leaves_nothing_and_the_mock_is_used(home: str, tmp_path: Path, name: str) -> None:
    said: list[str] = []
    located = locate_corpus(None, tmp_path / "cache", said.append, f"{home}/{name}")
    assert located.stands_in
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


def test_a_dead_port_gives_the_mock_with_one_clear_line(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_PROXY", "*")
    with socket.socket() as held:
        held.bind(("127.0.0.1", 0))
        port = held.getsockname()[1]
    said: list[str] = []
    located = locate_corpus(None, tmp_path / "cache", said.append, f"http://127.0.0.1:{port}/locomo10.json")
    assert (located.path, located.stands_in) == (mock_path(), True)
    about = [line for line in said if "mock" in line]
    assert len(about) == 1
    assert "corpus: mock" in about[0] and "--corpus PATH" in about[0] and "make inject CORPUS=" in about[0]
    assert read_corpus(located.path).corpus.version == "mock"


def test_a_cached_file_with_a_changed_byte_is_an_error_and_no_fallback(home: str, tmp_path: Path) -> None:
    located = locate_corpus(None, tmp_path / "cache", lambda _line: None, f"{home}/good.json")
    located.path.write_bytes(GOOD.replace(b"stands", b"stamds"))
    with pytest.raises(CorpusError, match=r"locomo10\.json: is not the official LoCoMo file any more; delete it"):
        locate_corpus(None, tmp_path / "cache", lambda _line: None, f"{home}/good.json")


def test_a_disk_that_refuses_the_download_is_an_error_and_no_mock(home: str, tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the cache should be")
    with pytest.raises(StorageError, match=r"cannot keep the download .*TWIST_CACHE"):
        locate_corpus(None, tmp_path / "cache", lambda _line: None, f"{home}/good.json")


def test_a_named_corpus_is_taken_as_it_is_or_refused(tmp_path: Path) -> None:
    assert locate_corpus(mock_path(), tmp_path, lambda _line: None).path == mock_path()
    with pytest.raises(CorpusError, match=r"none\.json: does not exist; point --corpus"):
        locate_corpus(tmp_path / "none.json", tmp_path, lambda _line: None)
    assert list(tmp_path.iterdir()) == []


def test_the_wait_for_the_public_home_is_short() -> None:
    assert locate.TIMEOUT_SECONDS <= 10
