"""Check a statement: who signed it, about which files, and whether it is true."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from epochproof.diagnostics import SpecError, fail
from epochproof.language.columns import safe

_LEVELS = ("V0", "V1", "V2", "V3", "V4", "V5")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What `verify` takes."""
    parser.add_argument("file", metavar="ENVELOPE", help="a signed statement")
    parser.add_argument(
        "--policy", metavar="PATH", help="what is asked of it: keys, claims, assumptions (TOML)"
    )
    parser.add_argument(
        "--key",
        action="append",
        default=[],
        metavar="PATH",
        help="a public key to trust, in place of a policy",
    )
    parser.add_argument("--spec", metavar="PATH", help="the spec that it is about")
    parser.add_argument(
        "--manifest",
        action="append",
        default=[],
        metavar="PATH",
        help="a file that the spec names, where it does not lie beside it; may be given several times",
    )
    parser.add_argument("--trace", metavar="DIR", help="the trace that it is about")
    parser.add_argument(
        "--commitment-key", metavar="PATH", help="what `key show --commitment` prints, to compute roots again"
    )
    parser.add_argument("--recheck", action="store_true", help="prove again by cvc5 as well")
    parser.add_argument(
        "--up-to",
        choices=_LEVELS,
        default="V5",
        help="stop at this level; `V1` needs no prover (default: V5)",
    )
    parser.add_argument("--format", choices=("text", "json"), default="text", help="(default: text)")


def run(arguments: argparse.Namespace) -> int:
    """Prints what was found; 0 accepted, 1 the policy is not met, 4 refused."""
    from epochproof.statement.keys import read_public  # noqa: PLC0415 -- `--help` is quick without
    from epochproof.statement.policy import read_policy, trusting  # noqa: PLC0415 -- as above
    from epochproof.statement.verification import Given  # noqa: PLC0415 -- as above
    from epochproof.statement.verify import verify  # noqa: PLC0415 -- as above

    if bool(arguments.key) == bool(arguments.policy):
        cure = "`--key acme.pub.pem` trusts a key, `--policy buyer.toml` says more"
        raise fail("E907", "`verify` takes either keys to trust or a policy", None, help=cure)
    if arguments.policy:
        policy = read_policy(Path(arguments.policy))
    else:
        policy = trusting([(Path(each).name, read_public(Path(each))) for each in arguments.key])
    given = Given(
        policy,
        None if arguments.spec is None else Path(arguments.spec),
        tuple(Path(each) for each in arguments.manifest),
        None if arguments.trace is None else Path(arguments.trace),
        recheck=arguments.recheck,
        up_to=arguments.up_to,
        commitment_key=None if arguments.commitment_key is None else _secret(Path(arguments.commitment_key)),
    )
    found = verify(_content(Path(arguments.file)), given)
    if arguments.format == "json":
        from epochproof.statement.as_json import verification_as_json  # noqa: PLC0415 -- for programs

        print(verification_as_json(found))
    else:
        from epochproof.statement.as_text import verification_as_text  # noqa: PLC0415 -- for persons

        print(verification_as_text(found))
    sys.stdout.flush()
    return found.exit_code


def _secret(path: Path) -> bytes:
    try:
        with path.open("rb") as file:
            found = file.read(100).strip()
        return bytes.fromhex(found.decode("ascii"))
    except OSError as error:
        raise _unreadable(path, str(error.strerror).lower()) from None
    except ValueError:
        cure = "it is what `epochproof key show --commitment` prints"
        raise fail("E904", f"`{safe(str(path))}` holds no commitment key", None, help=cure) from None


def _content(path: Path) -> bytes:
    from epochproof.statement.envelope import MOST_BYTES  # noqa: PLC0415 -- `--help` is quick without

    try:
        with path.open("rb") as file:
            return file.read(MOST_BYTES + 1)
    except OSError as error:
        raise _unreadable(path, str(error.strerror).lower()) from None


def _unreadable(path: Path, why: str) -> SpecError:
    return fail("E903", f"cannot read `{safe(str(path))}`: {why}", None, help="check the path")
