"""Bundles policies that `liftq learn` has left, if they help on their own held-out problems.

    liftq learn autoscale/optimal/grid --minutes 15 --test-seconds 0 --out runs/grid
    python -m dev.bundling runs/grid --source "Autoscale 21.11, optimal"

The test has the held-out problems, and larger ones composed of them, unless these prove unsolvable. There, a policy
in half precision and search must solve more than search alone, or as many in the same time. It must also solve more
than the bundled policy that fits already, or as many in half the time. Results are kept in the folder, so the command
continues where it was stopped.
"""

from __future__ import annotations

import argparse
from pathlib import Path

from dev.bundling.candidate import Candidate
from liftq.engine.solver import Limits
from liftq.zoo.bundled import FOLDER


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folders", nargs="+", type=Path, help="that `liftq learn` has written")
    parser.add_argument("--source", required=True, help="of the problems, for the cards")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each solve of the test")
    parser.add_argument("--most", type=int, default=1000, help="held-out problems to be tried, spread over all")
    parser.add_argument("--jobs", type=int, default=1)
    given = parser.parse_args()
    print("| domain | problems | policy | and search | search alone | bundled so far | verdict |")
    print("| :-- | --: | --: | --: | --: | --: | :-- |", flush=True)
    for folder in given.folders:
        candidate = Candidate(folder, given.source)
        candidate.test(Limits(given.seconds, 8 << 30), given.most, given.jobs)
        if candidate.helps:
            candidate.bundle(FOLDER)
        print(candidate.row(), flush=True)


if __name__ == "__main__":
    main()
