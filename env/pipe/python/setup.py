"""Marks the wheel as one for a platform: the earthgym program is inside. pyproject.toml has the rest."""

import os

from setuptools import setup
from setuptools.command.bdist_wheel import bdist_wheel


class PlatformWheel(bdist_wheel):
    """A wheel for any Python 3 on the platform of $EARTHGYM_PLATFORM, or of this machine."""

    def finalize_options(self) -> None:
        """Says that the wheel has machine code."""
        super().finalize_options()
        self.root_is_pure = False

    def get_tag(self) -> tuple[str, str, str]:
        """Any Python 3, no ABI, one platform."""
        return "py3", "none", os.environ.get("EARTHGYM_PLATFORM") or super().get_tag()[2]


setup(cmdclass={"bdist_wheel": PlatformWheel})
