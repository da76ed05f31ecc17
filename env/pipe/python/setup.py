"""Puts the earthgym program into wheels and tags them for its platform. pyproject.toml has the rest."""

import os
import shutil
from pathlib import Path

from setuptools import Distribution, setup
from setuptools.command.bdist_wheel import bdist_wheel
from setuptools.command.build_py import build_py

MISSING = """
The program of earthgym is missing: its source for Python alone is not enough.
- A wheel has the program inside: in the source tree of earthgym, `make wheel` builds one in dist/ (it needs Go).
- Or build the program there with `make build`, and install with EARTHGYM_BINARY=/path/to/bin/earthgym, which puts
  that program into the package.
"""


class BuildWithProgram(build_py):
    """Builds the package with the program of $EARTHGYM_BINARY."""

    def run(self) -> None:
        """Copies what there is, and the program; in editable installs it is found when it is needed."""
        super().run()
        if self.editable_mode:
            return
        program = os.environ.get("EARTHGYM_BINARY")
        if not program or not os.path.isfile(program):
            raise SystemExit(MISSING)
        folder = Path(self.build_lib) / "earthgym" / "bin"
        folder.mkdir(exist_ok=True)
        inside = folder / ("earthgym.exe" if program.endswith(".exe") else "earthgym")
        shutil.copy(program, inside)
        inside.chmod(0o755)


class PlatformWheel(bdist_wheel):
    """A wheel for any Python 3 on the platform of $EARTHGYM_PLATFORM, or of this machine."""

    def get_tag(self) -> tuple[str, str, str]:
        """Any Python 3, no ABI, one platform."""
        return "py3", "none", os.environ.get("EARTHGYM_PLATFORM") or super().get_tag()[2]


class WithMachineCode(Distribution):
    """A package that differs from platform to platform."""

    def has_ext_modules(self) -> bool:
        """Says so, in setuptools' words."""
        return True


setup(distclass=WithMachineCode, cmdclass={"bdist_wheel": PlatformWheel, "build_py": BuildWithProgram})
