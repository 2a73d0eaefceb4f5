"""Two plain measures of how alike two turns are: BM25 and TF-IDF cosine, over the turns of one conversation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix, diags
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

from inject.audits.figures import Floats

BM25, TFIDF = "bm25", "tfidf"
MEASURES = (BM25, TFIDF)
# The values and the variant (Lucene's) that bm25s has by default.
K1, B = 1.5, 0.75


def similarities(texts: Sequence[str], measure: str) -> Floats:
    """Matrix of scores: row = later turn (the query), column = earlier turn (the document).

    BM25 leaves English stop words out, as bm25s does by default; TF-IDF keeps them, so that the two miss different things.
    """
    counts = _counts(texts, "english" if measure == BM25 else None)
    if counts is None:
        return np.zeros((len(texts), len(texts)))
    if measure == BM25:
        return _bm25(counts)
    weighted = TfidfTransformer(sublinear_tf=True).fit_transform(counts)
    return np.asarray((weighted @ weighted.T).todense(), dtype=np.float64)


def _counts(texts: Sequence[str], stop_words: str | None) -> Any | None:
    try:
        return CountVectorizer(dtype=np.float64, stop_words=stop_words).fit_transform(texts)
    except ValueError:
        # No word is left: nothing is alike.
        return None


def _bm25(counts: Any) -> Floats:
    turns = counts.shape[0]
    lengths = np.asarray(counts.sum(axis=1)).ravel()
    document_frequency = np.asarray((counts > 0).sum(axis=0)).ravel()
    rarity = np.log(1.0 + (turns - document_frequency + 0.5) / (document_frequency + 0.5))
    normal = K1 * (1.0 - B + B * lengths / max(lengths.mean(), 1.0))
    weighted = counts.tocoo()
    values = weighted.data / (weighted.data + normal[weighted.row])
    documents = csr_matrix((values, (weighted.row, weighted.col)), shape=counts.shape) @ diags(rarity)
    queries = (counts > 0).astype(np.float64)
    return np.asarray((queries @ documents.T).todense(), dtype=np.float64)
