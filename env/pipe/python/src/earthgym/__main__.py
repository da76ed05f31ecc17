"""The program itself: ``python -m earthgym match …``, or ``earthgym`` where the package is installed."""

from __future__ import annotations

import os
import sys

from .errors import BinaryNotFoundError
from .server import NO_PROGRAM, cannot_run, find_binary


def main() -> None:
    """Becomes the program."""
    try:
        program = find_binary()
    except BinaryNotFoundError as e:
        sys.exit(f"earthgym: {e}")
    if os.path.samefile(program, sys.argv[0]):
        sys.exit(f"earthgym: {NO_PROGRAM}")
    try:
        os.execv(program, [program, *sys.argv[1:]])
    except OSError as e:
        sys.exit(f"earthgym: {cannot_run(program, e)}")


if __name__ == "__main__":
    main()
