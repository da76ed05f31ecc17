"""The program itself: ``python -m earthgym match …``, or ``earthgym`` where the package is installed."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import suppress

from .errors import BinaryNotFoundError
from .server import NO_PROGRAM, cannot_run, find_binary


def main() -> None:
    """Becomes the program."""
    try:
        program = find_binary()
    except BinaryNotFoundError as e:
        sys.exit(f"earthgym: {e}")
    with suppress(FileNotFoundError):  # Windows calls this earthgym, without the .exe.
        if os.path.samefile(program, sys.argv[0]):
            sys.exit(f"earthgym: {NO_PROGRAM}")
    try:
        if sys.platform == "win32":  # where a program can't become another one
            sys.exit(subprocess.run([program, *sys.argv[1:]]).returncode)
        os.execv(program, [program, *sys.argv[1:]])
    except OSError as e:
        sys.exit(f"earthgym: {cannot_run(program, e)}")


if __name__ == "__main__":
    main()
