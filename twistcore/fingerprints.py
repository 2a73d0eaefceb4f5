"""Fingerprints of data and seeds from ids.

Fingerprints hash data, never code: two runs that agree on inputs agree on the fingerprint, whatever version of the code
made them. The scheme version is part of the hashed bytes; `tests/twistcore/test_fingerprints.py` pins values.
"""

from __future__ import annotations

import hashlib
import json
import random
from pathlib import Path
from typing import Any

SCHEME = "twist-fingerprint/1"


def canonical_json(value: Any) -> str:
    """JSON with sorted keys, no spaces and ASCII escapes; raises TypeError for what JSON cannot hold and ValueError for NaN."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)


def sha256_bytes(data: bytes) -> str:
    """Hex digest of bytes."""
    return hashlib.sha256(data).hexdigest()


def sha256_file(path: Path) -> str:
    """Hex digest of a file's bytes, read in blocks."""
    with path.open("rb") as stream:
        return hashlib.file_digest(stream, "sha256").hexdigest()


def fingerprint(value: Any) -> str:
    """Hex digest of a JSON value under the current scheme."""
    return sha256_bytes(f"{SCHEME}\n{canonical_json(value)}".encode("ascii"))


def opaque_id(*parts: str | int, length: int = 12) -> str:
    """A short id that carries no label: the head of a hash of its parts."""
    return sha256_bytes("\x1f".join(str(part) for part in parts).encode("utf-8"))[:length]


def generator(*parts: str | int) -> random.Random:
    """A random generator whose seed is a hash of ids, so that no draw depends on the order of other draws."""
    return random.Random(int(sha256_bytes("\x1f".join(str(part) for part in parts).encode("utf-8"))[:16], 16))
