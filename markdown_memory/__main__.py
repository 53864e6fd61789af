"""`python -m markdown_memory` is `mdmem`."""

import sys

from markdown_memory.frontends.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
