"""`python -m epochproof` is the command `epochproof`."""

import sys

from epochproof.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
