"""Runs every fenced block of a page; docs/contributing.md says what each kind of block means."""

from __future__ import annotations

import contextlib
import doctest
import io
import json
import os
import re
import shutil
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path
from typing import Any

import yaml

from epochproof.cli.main import main as epochproof
from epochproof.language.parse import parse
from tests.fences import FENCE, Block, blocks, matches, promised, spec, unknown_names

ROOT = Path(__file__).resolve().parent.parent
QUIET = {"text", "lark", "smtlib", "mermaid"}


class PageError(Exception):
    """A block does not do what its page says."""


class Runner:
    """Runs the blocks of one page in order: they share a folder and a Python namespace."""

    def __init__(self, folder: Path, inside: str = ".") -> None:
        if (ROOT / "examples").is_dir():
            shutil.copytree(ROOT / "examples", folder / "examples")
        self.bin, self.at = folder / "bin", folder / inside
        self.bin.mkdir(parents=True)
        for name, call in {"epochproof": "-m epochproof", "python": ""}.items():
            (self.bin / name).write_text(f'#!/bin/sh\nexec "{sys.executable}" {call} "$@"\n')
            (self.bin / name).chmod(0o755)
        self.names: dict[str, Any] = {"__name__": "page"}

    def run(self, page: str) -> tuple[list[str], str]:
        """What is wrong with the page, and the page with its console outputs as they came."""
        wrong = [] if re.search(r"^# \S", FENCE.sub("", page), re.MULTILINE) else ["line 1: no heading"]
        wrong += ["line 1: a fence is never closed"] if "```" in FENCE.sub("", page) else []
        edits = []
        for block in blocks(page):
            try:
                with contextlib.chdir(self.at):
                    body = self.block(block)
            except Exception as error:  # noqa: BLE001 -- whatever a block raises is the page's fault
                wrong.append(f"line {block.line}: {type(error).__name__}: {error}")
                continue
            if body != block.body:
                wrong.append(f"line {block.line}: the page says\n{block.body}but this came\n{body}")
                edits.append((block.span, textwrap.indent(body, block.indent)))
        for (start, end), body in reversed(edits):
            page = page[:start] + body + page[end:]
        return wrong, page

    def block(self, block: Block) -> str:
        """The text the block should have; raises where no other text would do."""
        kind, file = block.words[0], block.option("file")
        run = getattr(self, f"_{kind}", None)
        if run is None and kind not in QUIET:
            raise PageError(f"`{kind}` is no kind of block; `text` is not run")
        if file:
            (self.at / file).parent.mkdir(parents=True, exist_ok=True)
            (self.at / file).write_text(block.body)
        if run is not None and not (file and kind in ("python", "sh")):
            return str(run(block) or block.body)
        return block.body

    def _epoch(self, block: Block) -> None:
        name = block.option("file") or "page.epoch"
        refused = "wrong" if "wrong" in block.words else block.option("wrong")
        text = spec(block.body, fragment="fragment" in block.words)
        wanted = promised(text)
        if "fragment" in block.words or not (wanted or refused):
            parse(text, name)
            return
        if not block.option("file"):
            Path(name).write_text(text)
        with contextlib.redirect_stdout(io.StringIO()) as out:
            code = epochproof(["check", "--format", "json", name])
        said = out.getvalue()
        if refused:
            if code != 2 or refused not in ("wrong", *re.findall(r'"code": ?"(\w+)"', said)):
                raise PageError(f"this should be refused, but exit code {code}: {said}")
            return
        answers = json.loads(said)["files"][0]["claims"]
        if len(answers) != len(wanted):
            raise PageError(f"{len(wanted)} claims, but exit code {code}: {said}")
        for verdict, answer in zip(wanted, answers, strict=True):
            if (answer["verdict"] != verdict) if verdict else not answer["as_stated"]:
                raise PageError(f"the claim `{answer['text']}` is {answer['verdict']}")

    def _console(self, block: Block) -> str:
        body = ""
        for step in re.split(r"^(?=\$ )", block.body, flags=re.MULTILINE):
            head = re.match(r"\$ (?:.*\\\n)*.*\n", step)
            if not head:
                body += step
                continue
            done = self.command(head[0].removeprefix("$ "))
            shown = step[head.end() :]
            body += step if matches(shown, done) else head[0] + done
        return body

    def command(self, text: str) -> str:
        """What a command prints, both streams, and a last line for an exit code other than 0."""
        extra = {"PATH": f"{self.bin}:{os.environ['PATH']}", "NO_COLOR": "1", "COLUMNS": "100"}
        done = subprocess.run(
            ["bash", "-c", text],  # noqa: S607 -- the shell that readers use
            env=os.environ | {"PYTHONPATH": str(ROOT / "src")} | extra,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=300,
            check=False,
        )
        return done.stdout + (f"[exit code {done.returncode}]\n" if done.returncode else "")

    def _python(self, block: Block) -> None:
        if not block.body.lstrip().startswith(">>>"):
            with contextlib.redirect_stdout(io.StringIO()):
                exec(compile(block.body, f"line {block.line}", "exec"), self.names)  # noqa: S102 -- its purpose
            return
        test, said = doctest.DocTestParser().get_doctest(block.body, {}, "page", None, None), io.StringIO()
        test.globs = self.names
        doctest.DocTestRunner(optionflags=doctest.ELLIPSIS, verbose=False).run(
            test, out=said.write, clear_globs=False
        )
        if said.getvalue():
            raise PageError(said.getvalue())

    def _sh(self, block: Block) -> None:
        if unknown := unknown_names(block.body, (ROOT, self.at)):
            raise PageError(f"no such extra, module or file: {', '.join(unknown)}")

    def _json(self, block: Block) -> None:
        json.loads(block.body)

    def _toml(self, block: Block) -> None:
        tomllib.loads(block.body)

    def _yaml(self, block: Block) -> None:
        yaml.safe_load(block.body)
