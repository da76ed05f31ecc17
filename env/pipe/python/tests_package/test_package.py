"""What is built and installed: wheels for all platforms, the source distribution, and each Python that there is."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import subprocess
import sys
import tarfile
import zipfile
from email.parser import Parser
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1]
ROOT = PACKAGE.parents[2]

VERSIONS = [f"3.{minor}" for minor in range(10, 15)]

TAGS = {
    "linux-x86_64": (
        "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
        b"\x7fELF\x02\x01",
        18,
        b"\x3e\0",
    ),
    "linux-arm64": (
        "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
        b"\x7fELF\x02\x01",
        18,
        b"\xb7\0",
    ),
    "macos-arm64": ("macosx_12_0_arm64", b"\xcf\xfa\xed\xfe", 4, b"\x0c\0\0\x01"),
    "macos-x86_64": ("macosx_12_0_x86_64", b"\xcf\xfa\xed\xfe", 4, b"\x07\0\0\x01"),
    "windows-x86_64": ("win_amd64", b"MZ", 0, b"MZ"),
}
"""Of each platform: the wheel's tag, how its program begins, and where it names the kind of processor."""


def pythons() -> dict[str, str]:
    """The Pythons that run here, by version."""
    found = {}
    for version in VERSIONS:
        places = [shutil.which(f"python{version}"), *Path.home().glob(f".pyenv/versions/{version}.*/bin/python")]
        for place in filter(None, places):
            done = subprocess.run([str(place), "-c", "import ensurepip, sys; print(sys.version)"], capture_output=True)
            if done.returncode == 0 and done.stdout.decode().startswith(version + "."):
                found[version] = str(place)
                break
    return found


PYTHONS = pythons()


def run(*command: str | Path, **environ: str) -> str:
    done = subprocess.run(
        list(map(str, command)), capture_output=True, text=True, env={**os.environ, **environ}, cwd=ROOT
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="session")
def wheels() -> dict[str, Path]:
    """A wheel for each platform."""
    run("make", "wheels", f"PYTHON={sys.executable}")
    built = {}
    for platform, (tag, *_) in TAGS.items():
        # Tags that stand for several are sorted by those who build.
        [built[platform]] = [
            f for f in (ROOT / "dist").glob("*.whl") if set(f.stem.split("-", 4)[4].split(".")) == set(tag.split("."))
        ]
    return built


@pytest.mark.parametrize("platform", TAGS)
def test_wheel(wheels: dict[str, Path], platform: str) -> None:
    tag, magic, at, machine = TAGS[platform]
    with zipfile.ZipFile(wheels[platform]) as wheel:
        inside = "earthgym/bin/earthgym" + (".exe" if platform.startswith("windows") else "")
        program = wheel.read(inside)
        assert program.startswith(magic)
        assert program[at : at + len(machine)] == machine
        assert wheel.getinfo(inside).external_attr >> 16 & 0o111 == 0o111
        names = wheel.namelist()
        [info] = [name for name in names if name.endswith(".dist-info/WHEEL")]
        head = Parser().parsestr(wheel.read(info).decode())
        assert head["Root-Is-Purelib"] == "false"
        assert set(head.get_all("Tag", [])) == {f"py3-none-{t}" for t in tag.split(".")}
        for part in ("earthgym/py.typed", "earthgym/PROTOCOL.md", "earthgym/THIRD-PARTY-LICENSES", "earthgym/sb3.py"):
            assert part in names
        assert any(name.endswith("licenses/LICENSE") for name in names)
        metadata = Parser().parsestr(wheel.read(info.replace("WHEEL", "METADATA")).decode())
    assert metadata["Author"] == "The earthgym maintainers"
    assert metadata["Keywords"]
    assert {"gymnasium", "jax", "openspiel", "pettingzoo", "rllib", "sb3", "torch", "torchrl"} == set(
        metadata.get_all("Provides-Extra", [])
    )
    for version in VERSIONS:
        assert f"Programming Language :: Python :: {version}" in metadata.get_all("Classifier", [])
    for target in re.findall(r"\]\(([^)]*)\)", str(metadata.get_payload())):
        assert target.startswith(("https://", "#")), f"{target} leads nowhere outside of the tree"


def venv(python: str, folder: Path) -> Path:
    run(python, "-m", "venv", folder)
    return folder / "bin" / "python"


@pytest.mark.parametrize("version", PYTHONS)
def test_installed(wheels: dict[str, Path], version: str, tmp_path: Path) -> None:
    """The package's tests pass with each Python, on what the wheel has installed."""
    python = venv(PYTHONS[version], tmp_path)
    [wheel] = [w for p, w in wheels.items() if p == f"{sys.platform.replace('darwin', 'macos')}-{machine()}"]
    run(python, "-m", "pip", "install", "-q", wheel)
    program = tmp_path / "bin" / "earthgym"
    assert "earthgym" in run(program, "version", EARTHGYM_BINARY="", PATH="")
    for module, extra in (("earthgym.gym", "gymnasium"), ("earthgym.zoo", "pettingzoo"), ("earthgym.sb3", "sb3")):
        lines = f"try:\n import {module}\nexcept ImportError as e:\n print(e)\nimport earthgym"
        assert f"pip install 'earthgym[{extra}]'" in run(python, "-c", lines)
    run(python, "-m", "pip", "install", "-q", f"{wheel}[gymnasium,pettingzoo]", "pytest")
    own = run(python, "-c", "import earthgym; print(earthgym.find_binary())", EARTHGYM_BINARY="").strip()
    assert own.startswith(str(tmp_path.resolve()))
    tests = [PACKAGE / "tests" / f"test_{name}.py" for name in ("wire", "vec", "gym")]
    run(
        *(
            python,
            "-m",
            "pytest",
            "-q",
            "-p",
            "no:cacheprovider",
            "-c",
            PACKAGE / "pyproject.toml",
            "-o",
            "pythonpath=",
        ),
        # One needs a type checker, and two a package without the program.
        *("-k", "not typing_mistakes and not test_command and not missing_binary", *tests),
        EARTHGYM_BINARY=own,
    )


EMULATORS = {
    platform: place
    for platform, names in {"linux-arm64": ("qemu-aarch64-static", "qemu-aarch64")}.items()
    if (place := next(filter(None, map(shutil.which, names)), None))
}
"""What runs the programs of other platforms here."""

GAMES_PLAYED = """
import hashlib, numpy as np, earthgym
for game in earthgym.names.GAMES:
    sums, rng = hashlib.sha256(), np.random.default_rng(1)
    with earthgym.make_vec(game + ":players=3", 4, seed=1, record=True) as vec:
        for _ in range(200):
            b = vec.step(earthgym.random_legal(vec.legal_mask(), rng))
            for part in (b.observation, b.mask, b.reward, b.actor, b.done):
                sums.update(part.tobytes())
        print(game, sums.hexdigest(), vec.record(0))
"""
"""Plays every game, and prints what was seen and done."""


@pytest.mark.parametrize("platform", EMULATORS)
def test_emulated(wheels: dict[str, Path], platform: str, tmp_path: Path) -> None:
    """The program of another platform gives, bit for bit, what this machine's gives."""
    with zipfile.ZipFile(wheels[platform]) as wheel:
        program = Path(wheel.extract("earthgym/bin/earthgym", tmp_path))
    program.chmod(0o755)
    script = tmp_path / "emulated"
    script.write_text(f'#!/bin/sh\nexec {shlex.quote(EMULATORS[platform])} {shlex.quote(str(program))} "$@"\n')
    script.chmod(0o755)
    assert machine() not in platform
    assert platform.removeprefix("linux-") in run(script, "version")
    run("make", "build")
    said = [
        run(sys.executable, "-c", GAMES_PLAYED, EARTHGYM_BINARY=str(binary), PYTHONPATH=str(PACKAGE / "src"))
        for binary in (script, ROOT / "bin" / "earthgym")
    ]
    assert said[0] == said[1]


def machine() -> str:
    return os.uname().machine.replace("aarch64", "arm64")


def copied(folder: Path) -> Path:
    """The package's source as somebody has it who has nothing else."""
    shutil.copytree(PACKAGE, folder, ignore=shutil.ignore_patterns("build", "*.egg-info", "__pycache__", ".*"))
    return folder


def test_source_without_program(tmp_path: Path) -> None:
    """Installing from source says at once what is missing; with a program that is given it goes into the package."""
    python = venv(sys.executable, tmp_path / "venv")
    source = copied(tmp_path / "source")
    command = [str(python), "-m", "pip", "install", "--no-deps", str(source)]
    environ = {k: v for k, v in os.environ.items() if k != "EARTHGYM_BINARY"}
    done = subprocess.run(command, capture_output=True, text=True, env=environ)
    assert done.returncode != 0
    assert "make wheel" in done.stdout + done.stderr
    run("make", "build")
    run(*command, EARTHGYM_BINARY=str(ROOT / "bin" / "earthgym"))
    [program] = (tmp_path / "venv").glob("lib/*/site-packages/earthgym/bin/earthgym")
    assert "earthgym" in run(program, "version")


def test_source_distribution(tmp_path: Path) -> None:
    source = copied(tmp_path / "source")
    python = venv(sys.executable, tmp_path / "venv")
    run(python, "-m", "pip", "install", "-q", "build")
    run(python, "-m", "build", "--sdist", "-o", tmp_path, source)
    [sdist] = tmp_path.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        names = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
        [license_file] = [name for name in archive.getnames() if name.endswith("/LICENSE")]
        stream = archive.extractfile(license_file)
        assert stream is not None
        assert stream.read() == (ROOT / "LICENSE").read_bytes()
    assert {"README.md", "pyproject.toml", "examples/ppo.py", "src/earthgym/vec.py"} <= names


def test_nothing_is_left_in_the_tree() -> None:
    folders = [f"{folder}/" for folder in (PACKAGE / "build", PACKAGE / "src" / "earthgym.egg-info")]
    assert run("git", "check-ignore", *folders).split() == folders
