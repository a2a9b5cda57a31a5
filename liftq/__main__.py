"""`python -m liftq` is `liftq`."""

from liftq.cli import main

main()
