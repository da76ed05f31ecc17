"""Gathers the pages of `make docs`: Markdown from where it lies, and a page for each public module."""

import re
import subprocess
from pathlib import Path

import griffe
from mkdocs.exceptions import PluginError
from mkdocs.structure.files import File, Files

ROOT = Path(__file__).parents[4]
LINK = re.compile(r"(?<!!)\[([^\]]+)\]\(([^)\s:#]+)\)")
ROLE = re.compile(r":(?:attr|class|func|meth|mod):`([^`]+)`")


def tracked() -> set[str]:
    """What git tracks, and the folders of that."""
    files = subprocess.run(["git", "ls-files"], cwd=ROOT, check=True, capture_output=True, text=True).stdout.split("\n")
    return {f for f in files if f} | {str(d) for f in files for d in Path(f).parents}


def on_files(files: Files, config) -> Files:
    """Takes the theme's files, and puts those of the repository beside them."""
    kept = [f for f in files if f.is_css() or f.is_javascript() or f.src_uri.startswith(("css/", "js/", "img/"))]
    own = [f for f in tracked() if f.endswith((".md", "board.png")) or ("/golden/" in f and f.endswith(".svg"))]
    pages = [File.generated(config, f, abs_src_path=str(ROOT / f)) for f in sorted(own) if "testdata/axe" not in f]
    source = griffe.load("earthgym", search_paths=[str(ROOT / "env/pipe/python/src")])
    for name in re.findall(r"api/(\S+)\.md", str(config.nav)):
        text = f"::: {name}\n"
        if name == "earthgym":
            text += "    options:\n      members: []\n" + "".join(f"\n::: earthgym.{n}\n" for n in source.exports or [])
        pages.append(File.generated(config, f"api/{name}.md", content=text))
    return Files([*kept, *pages])


def on_page_markdown(markdown: str, page, **_) -> str:
    """Keeps the words of links to source, which is no page. What is not there stays a link, and fails."""
    known = tracked()

    def words(link: re.Match[str]) -> str:
        target = (ROOT / page.file.src_uri).parent.joinpath(link[2]).resolve()
        there = target.is_relative_to(ROOT) and str(target.relative_to(ROOT)) in known
        return link[1] if there and target.suffix != ".md" else link[0]

    return LINK.sub(words, markdown)


class Docstrings(griffe.Extension):
    """Makes links of :func:`…` and its like, and demands a word on each attribute of what is public."""

    def on_package(self, *, pkg: griffe.Module, **_) -> None:
        """Goes through all that there is. Of functions and classes ruff demands docstrings."""
        self._link(pkg)
        for thing in [pkg[name] for name in pkg.exports or []]:
            for member in thing.members.values() if thing.is_class else ():
                if member.is_attribute and member.is_public and not self._said(thing, member.name):
                    raise PluginError(f"no docstring says what {member.path} is")

    def _said(self, thing: griffe.Class, name: str) -> bool:
        """Whether the class says it of its attribute, or one that it is derived from does."""
        kinds = [thing, *thing.mro()]
        return any(
            (name in kind.members and kind[name].docstring) or f" {name}: " in (kind.docstring or thing.docstring).value
            for kind in kinds
        )

    def _link(self, obj: griffe.Object) -> None:
        if obj.docstring:
            text = ROLE.sub(lambda role: f"[`{role[1]}`][{self._path(obj, role[1])}]", obj.docstring.value)
            obj.docstring.value = text.replace("::\n\n", ":\n\n")
        for member in obj.members.values():
            if not member.is_alias:
                self._link(member)

    def _path(self, obj: griffe.Object, name: str) -> str:
        """The nearest of that name is meant: of a class, of its module, of earthgym."""
        scope: griffe.Object | None = obj
        while scope is not None:
            head, dot, rest = name.partition(".")
            if member := scope.members.get(head):
                return (member.target_path if member.is_alias else member.path) + dot + rest
            scope = scope.parent
        return name
