"""The program itself: ``python -m earthgym match …``, or ``earthgym`` where the package is installed."""

from __future__ import annotations

import os
import sys

from .errors import BinaryNotFoundError
from .server import find_binary


def main() -> None:
    """Becomes the program."""
    try:
        program = find_binary()
    except BinaryNotFoundError as e:
        sys.exit(f"earthgym: {e}")
    if os.path.samefile(program, sys.argv[0]):
        sys.exit("earthgym: this package was installed without its program: make wheel builds one that has it")
    os.execv(program, [program, *sys.argv[1:]])


if __name__ == "__main__":
    main()
