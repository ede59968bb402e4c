"""Makes one site of the documents: ``make docs``, in ``build/site``.

The documents link to each other and to files beside them, such as ``deploy/nginx.conf``; they are read in a
clone as well. So they are laid out anew for the site: ``docs/`` as it is, the README as first page,
CONTRIBUTING beside it, each file they lead to under ``files/``, and pages of the reference. Then Zensical
builds them, strictly, and every link and file of the pages that came out is looked for: none may lead
nowhere, and none may be fetched from elsewhere, so that the site is whole without a network.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

ROOT = Path(__file__).parent
OUT = ROOT / "build" / "site"

PAGES = {"README.md": "index.md", "CONTRIBUTING.md": "contributing.md", "CHANGELOG.md": "changelog.md"}
"""Documents that do not lie in docs/, and where the site has them."""

REFERENCE = {
    "bohn": ("bohn",),
    "bohn.game": ("bohn.game",),
    "bohn.rules": ("bohn.rules",),
    "bohn.views": ("bohn.views",),
    "bohn.notation": tuple(
        f"bohn.notation.{name}" for name in ("positions", "commands", "records", "scenarios")
    ),
    "bohn.play": ("bohn.play",),
    "bohn.bots": ("bohn.bots",),
    "bohn.arena": tuple(f"bohn.arena.{name}" for name in ("plan", "match", "report", "reading")),
    "bohn.client": ("bohn.client",),
    "bohn.protocol": tuple(
        f"bohn.protocol.{name}" for name in ("frames", "api", "room", "room_commands", "room_events")
    ),
    "bohn.server.settings": ("bohn.server.settings",),
}
"""The pages of the reference, and the modules on each."""

LINK = re.compile(r'(?P<before>\]\(|src=")(?P<target>[^)\s"#]+)(?P<rest>#[^)\s"]*)?(?=[)"])')
CODE = re.compile(r"^( *)```.*?^\1```$|`[^`\n]+`", re.MULTILINE | re.DOTALL)
LOADED = {"img": "src", "script": "src", "source": "src", "iframe": "src", "link": "href"}
"""What a browser fetches by itself."""


class DocsError(Exception):
    """The site cannot be made; the text says what is wrong."""


# -- laying out ----------------------------------------------------------------------------------------


def place(path: Path) -> str:
    """Return where the site has a file of the tree."""
    name = path.relative_to(ROOT).as_posix()
    if name in PAGES:
        return PAGES[name]
    return name.removeprefix("docs/") if name.startswith("docs/") else f"files/{name}"


def laid_out(path: Path, folder: Path) -> str:
    """Return a document with its links as they are in the site; the files they lead to are copied there.

    What is there for tests only is left out: comments that name them, and the type of a block of JSON.
    """
    here = Path(place(path)).parent

    def moved(found: re.Match[str]) -> str:
        target = (path.parent / found["target"]).resolve()
        if re.match(r"[a-z]+:|/", found["target"]) or not target.is_relative_to(ROOT) or not target.exists():
            return found[0]
        if target.is_dir():
            target = target / "README.md"
        there = place(target)
        if there.startswith("files/"):
            (folder / there).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(target, folder / there)
        return f"{found['before']}{os.path.relpath(there, here)}{found['rest'] or ''}"

    text, parts, end = path.read_text(encoding="utf-8"), [], 0
    for code in CODE.finditer(text):
        parts += [LINK.sub(moved, text[end : code.start()]), code[0]]
        end = code.end()
    whole = re.sub(
        r"[ \t]*<!--.*?-->\n?", "", "".join([*parts, LINK.sub(moved, text[end:])]), flags=re.DOTALL
    )
    return re.sub(r"^( *```\w+) .*$", r"\1", whole, flags=re.MULTILINE)


def lay_out(folder: Path) -> None:
    """Write all pages of the site into a folder, as Markdown, with what they show."""
    shutil.copytree(ROOT / "docs", folder, ignore=shutil.ignore_patterns("*.md"))
    for path in (*(ROOT / name for name in PAGES), *sorted((ROOT / "docs").rglob("*.md"))):
        page = folder / place(path)
        page.parent.mkdir(parents=True, exist_ok=True)
        page.write_text(laid_out(path, folder), encoding="utf-8")
    (folder / "api").mkdir()
    for name, modules in REFERENCE.items():
        shown = "".join(
            f"{f'## {module}' if len(modules) > 1 else ''}\n\n::: {module}\n\n" for module in modules
        )
        (folder / "api" / f"{name}.md").write_text(f"# {name}\n\n{shown}", encoding="utf-8")


# -- checking ------------------------------------------------------------------------------------------


class Page(HTMLParser):
    """The anchors of a page, the links in it, and what it makes a browser fetch."""

    def __init__(self, path: Path) -> None:
        """Read it."""
        super().__init__()
        self.anchors: set[str] = set()
        self.links: set[str] = set()
        self.loaded: set[str] = set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what stands in a tag."""
        given = {name: value for name, value in attrs if value}
        self.anchors |= {given[name] for name in ("id", "name") if name in given}
        if tag == "a" and "href" in given:
            self.links.add(given["href"])
        if tag in LOADED and LOADED[tag] in given and given.get("rel") not in {"canonical", "prev", "next"}:
            self.loaded.add(given[LOADED[tag]])


def faults(site: Path) -> list[str]:
    """Return what is wrong with the pages of a site: links that lead nowhere, what is fetched."""
    pages = {path: Page(path) for path in sorted(site.rglob("*.html"))}
    found = []
    for path, page in pages.items():
        if path.name == "404.html":  # its links begin at the root of wherever it will be
            continue
        name = path.relative_to(site).as_posix()
        found += [f"{name} fetches {url}" for url in sorted(page.loaded) if urlsplit(url).netloc]
        for link in sorted(page.links | page.loaded):
            parts = urlsplit(link)
            if parts.scheme or parts.netloc:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            target = target / "index.html" if target.is_dir() else target
            anchor = unquote(parts.fragment)
            if not target.exists():
                found.append(f"{name} leads to {link}, which is not there")
            elif anchor and target in pages and anchor not in pages[target].anchors:
                found.append(f"{name} leads to {link}, where there is no such place")
    for path in sorted(site.rglob("*.css")):
        urls = re.findall(
            r"url\([\"']?(https?://[^)\"']+)|@import [\"'](https?://[^\"']+)", path.read_text("utf-8")
        )
        found += [f"{path.relative_to(site)} fetches {first or second}" for first, second in urls]
    return found


def without_roles(site: Path) -> None:
    """Leave out the roles of docstrings, ``:class:`` before a name, which Markdown does not know."""
    for path in (*(site / "api").glob("*.html"), site / "search.json"):
        text = path.read_text(encoding="utf-8")
        path.write_text(re.sub(r":[a-z]{3,5}:(<code>)~?", r"\1", text), encoding="utf-8")


def build(out: Path) -> None:
    """Build the site into a folder; raises :class:`DocsError` with every fault."""
    work = ROOT / "build" / "docs"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    lay_out(work / "docs")
    shutil.copy(ROOT / "zensical.toml", work)
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--clean"]
    done = subprocess.run(command, cwd=work, capture_output=True, text=True, check=False)
    if done.returncode:
        raise DocsError(f"zensical ended with {done.returncode}:\n{done.stdout}{done.stderr}")
    without_roles(work / "site")
    if wrong := faults(work / "site"):
        raise DocsError("\n".join(wrong))
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(work / "site", out)


def main() -> None:
    """Build the site, or say what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--out", type=Path, default=OUT)
    options = parser.parse_args()
    try:
        build(options.out)
    except DocsError as error:
        sys.exit(f"docs: {error}")
    print(f"{options.out}: {sum(1 for _ in options.out.rglob('*.html'))} pages; open index.html")


if __name__ == "__main__":
    main()
