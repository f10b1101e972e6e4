"""`python -m groundplan` is the command line."""

from groundplan.cli import main

main()
