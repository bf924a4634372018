"""
Make the pictures of the README: a real comment in GitHub's own styles, light and dark, and the demonstration in a terminal.

Needs Chromium and fonts (Debian: chromium, fonts-noto-color-emoji, fonts-dejavu-core), npm for the style sheet, and this package:

    .venv/bin/python docs/pictures/make.py
"""

import base64
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tarfile
import tempfile
from pathlib import Path
from urllib.request import Request, urlopen

from markdown_it import MarkdownIt
from rich.console import Console
from rich.terminal_theme import SVG_EXPORT_THEME
from rich.text import Text

HERE = Path(__file__).parent
PULL = 33
WIDTH = 900
COLUMNS = 104
STYLES = "github-markdown-css@5.9.0"
STYLES_SHA512 = "tmT5sY+zvg2302XLYEfH2mtkViIM1SWf2nvYoF5N1ZsO0V6B2qZTiw3GOzw4vpjLygK/KG35qRlPFweHqfzz5w=="
ENVIRONMENT = {**os.environ, "COLUMNS": str(COLUMNS), "TERM": "xterm-256color", "COLORTERM": "truecolor"}
FRAME = """
body {{ margin: 0; padding: 16px; background: {page}; width: {width}px; box-sizing: border-box }}
.frame {{ border: 1px solid {line}; border-radius: 6px; overflow: hidden }}
.head {{ font: 14px/1.5 sans-serif; padding: 8px 16px; background: {bar}; color: {grey}; border-bottom: 1px solid {line} }}
.head b {{ color: {ink} }} .head span {{ border: 1px solid {line}; border-radius: 2em; padding: 0 7px; font-size: 12px }}
.markdown-body {{ padding: 16px; font-family: "DejaVu Sans", sans-serif; font-size: 14px }}
.markdown-body code {{ font-family: "DejaVu Sans Mono", monospace }}
pre a {{ color: #4493f8 }} pre {{ margin: 0; padding: 12px 16px; font: 13px/1.2 "DejaVu Sans Mono", monospace }}
"""
THEMES = {
    "light": {"page": "#ffffff", "line": "#d1d9e0", "bar": "#f6f8fa", "grey": "#59636e", "ink": "#1f2328"},
    "dark": {"page": "#0d1117", "line": "#3d444d", "bar": "#151b23", "grey": "#9198a1", "ink": "#f0f6fc"},
}


def main() -> None:
    """Write the three pictures beside this file."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shown, comment = demonstrated()
        for theme in THEMES:
            style = styles(folder, theme)
            picture(folder, f"comment-{theme}", theme, style, comment_html(comment))
        picture(folder, "terminal", "dark", "", terminal_html(shown, folder))


def demonstrated() -> tuple[str, str]:
    """What a terminal shows of the demonstration, and the comment that the gate posted on its embedded GitHub."""
    registrar = Path(sys.executable).with_name("registrar")
    command = ("script", "-qec", f"{registrar} demo --pull {PULL} --serve", "/dev/null")
    shown = ""
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, text=True, env=ENVIRONMENT, start_new_session=True
    ) as served:
        try:
            assert served.stdout is not None
            for line in served.stdout:
                shown += line
                if "Ctrl-C" in line:
                    break
            api, repository, token = (
                re.search(rf"{name}=(\S+)", shown)[1]  # type: ignore[index]
                for name in ("GITHUB_API_URL", "GITHUB_REPOSITORY", "REGISTRAR_TOKEN")
            )
            headers = {"Authorization": f"Bearer {token}", "Accept": "application/vnd.github+json"}
            address = f"{api}/repos/{repository}/issues/{PULL}/comments"
            with urlopen(Request(address, headers=headers)) as answer:  # noqa: S310 - on loopback
                (comment,) = json.load(answer)
        finally:
            os.killpg(served.pid, signal.SIGINT)
    return shown.partition("Look around:")[0], str(comment["body"])


def run(*command: str) -> str:
    """Run a command that may say that something is not approved; gives its output."""
    done = subprocess.run(command, capture_output=True, text=True, env=ENVIRONMENT, check=False)
    if done.returncode not in {0, 1}:
        raise SystemExit(f"{command}: {done.stderr}")
    return done.stdout


def styles(folder: Path, theme: str) -> str:
    """GitHub's styles of one theme, from the package whose digest is known."""
    packed = folder / run("npm", "pack", "--silent", "--pack-destination", str(folder), STYLES).split()[-1]
    digest = base64.b64encode(hashlib.sha512(packed.read_bytes()).digest()).decode()
    if digest != STYLES_SHA512:
        raise SystemExit(f"{STYLES} has another digest: {digest}")
    with tarfile.open(packed) as archive:
        found = archive.extractfile(f"package/github-markdown-{theme}.css")
        assert found is not None
        return found.read().decode()


def comment_html(markdown: str) -> str:
    """The comment as GitHub shows it."""
    body = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"]).render(markdown)
    head = "<b>medgauge-registrar</b> <span>bot</span> commented"
    return f'<div class="frame"><div class="head">{head}</div><article class="markdown-body">{body}</article></div>'


def terminal_html(shown: str, folder: Path) -> str:
    """What the terminal showed, in its colours."""
    console = Console(record=True, width=COLUMNS, file=open(os.devnull, "w"))  # noqa: SIM115
    shown = re.sub(r"\x1b\[\?25[lh]|\r(?!\n)|\x1b\[2K|\x1b\[1A", "", shown).replace("\r\n", "\n")
    shown = "\n".join(line for line in shown.split("\n") if str(folder) not in line and "Deciding" not in line)
    console.print(Text.from_ansi(f"$ registrar demo --pull {PULL}\n{shown.strip()}"))
    inner = console.export_html(inline_styles=True, code_format="{code}", theme=SVG_EXPORT_THEME)
    return f'<div class="frame"><pre style="color: #f0f6fc">{inner}</pre></div>'


def picture(folder: Path, name: str, theme: str, style: str, body: str) -> None:
    """Let Chromium draw a page, as high as it is."""
    frame = FRAME.format(width=WIDTH, **THEMES[theme])
    measure = "<script>document.title = document.documentElement.scrollHeight</script>"
    page = folder / f"{name}.html"
    page.write_text(
        f"<!doctype html><meta charset=utf-8><style>{style}{frame}</style>{body}{measure}", encoding="utf-8"
    )
    chromium = (
        "chromium",
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        "--hide-scrollbars",
        "--force-device-scale-factor=1.5",
    )
    dumped = run(*chromium, f"--window-size={WIDTH},100", "--dump-dom", page.as_uri())
    height = re.search(r"<title>([0-9]+)", dumped)
    assert height is not None
    target = HERE / f"{name}.png"
    run(*chromium, f"--window-size={WIDTH},{height[1]}", f"--screenshot={target}", page.as_uri())


main()
