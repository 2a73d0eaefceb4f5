"""What differs between two corpora, two releases, or a release and its source (docs/diff.md)."""
