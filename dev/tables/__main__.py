"""`make results`: pack new results files, and renew all tables and the figure made from results."""

from __future__ import annotations

from dev.tables import corpora, headline, pages
from liftq.evaluation.ledger import pack

if __name__ == "__main__":
    for path in sorted(pages.FOLDER.glob("**/*.jsonl")):
        print(pack(path))
    pages.renew()
    headline.renew()
    corpora.renew()
