"""The command `epochproof`: finds the command that is meant, runs it, and turns errors into exit codes."""

from __future__ import annotations

import os
import sys
from importlib import import_module

import epochproof
from epochproof import cli

# `pkgutil` and `pathlib` would take longer to import than all the rest of `--help`.
_ROOM = os.path.dirname(__file__)  # noqa: PTH120
_HELP = """\
usage: epochproof COMMAND ...

Prove what an epoch covers.

commands:
{commands}

options:
  -h, --help  show this help; `epochproof COMMAND --help` shows that of a command
  --version   show the version

Exit codes: 0 every claim is as stated, 1 one is not, 2 the spec or the call is wrong, 3 undecided,
4 the model and the real loader differ or a statement is refused, 70 a fault of epochproof itself."""


def main(argv: list[str] | None = None) -> int:
    """The exit code of a call.

    Args:
        argv: The arguments; those of the process if `None`.
    """
    try:
        _prepare()
        code = _called(sys.argv[1:] if argv is None else argv)
        sys.stdout.flush()
    except SystemExit as asked:
        return asked.code if isinstance(asked.code, int) else 0
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # Whoever read the output has enough; without this the interpreter complains when it ends.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 141
    except Exception as error:  # noqa: BLE001 -- every fault ends in an exit code
        from epochproof.cli._failure import failed  # noqa: PLC0415 -- rare, and `--help` is quick

        return failed(error)
    return code


def _prepare() -> None:
    """Lets numbers of any length be written, and a stream without Unicode show what it can."""
    # No plugin of pydantic's may change what a spec means, and looking for some takes time.
    os.environ.setdefault("PYDANTIC_DISABLE_PLUGINS", "__all__")
    sys.set_int_max_str_digits(0)
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="backslashreplace")


def _called(argv: list[str]) -> int:
    commands = sorted(each.removesuffix(".py") for each in os.listdir(_ROOM) if _is_command(each))  # noqa: PTH208
    match argv:
        case []:
            print(_help(commands), file=sys.stderr)
            return 2
        case ["-h" | "--help", *_]:
            print(_help(commands))
            return 0
        case ["--version", *_]:
            print(f"epochproof {epochproof.__version__}")
            return 0
        case [name, *rest] if name in commands:
            return _run(name, rest)
    from epochproof.cli._failure import unknown  # noqa: PLC0415 -- rare, and `--help` is quick

    raise unknown(argv[0], commands)


def _is_command(file: str) -> bool:
    return file.endswith(".py") and not file.startswith("_") and file != "main.py"


def _run(name: str, rest: list[str]) -> int:
    if name == "check":
        from epochproof.cli._kept import recalled  # noqa: PLC0415 -- the other commands keep nothing

        if (code := recalled(rest)) is not None:
            return code
    import argparse  # noqa: PLC0415 -- `--help` and what is kept are quick without

    from epochproof.cli._parser import Parser  # noqa: PLC0415 -- as above

    command = import_module(f"{cli.__name__}.{name}")
    parser = Parser(prog=f"epochproof {name}", description=command.__doc__)
    command.add_arguments(parser)
    return int(command.run(parser.parse_args(rest, argparse.Namespace(call=rest))))


def _help(commands: list[str]) -> str:
    return _HELP.format(commands="\n".join(f"  {name:10}  {_first_line(name)}" for name in commands))


def _first_line(name: str) -> str:
    """What a command does, from its source: importing all of them would load the prover."""
    with open(f"{_ROOM}/{name}.py", encoding="utf-8") as source:  # noqa: PTH123
        return source.readline().strip().strip('".')
