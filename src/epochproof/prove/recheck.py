"""Asking cvc5: the text alone, under a resource limit, so that an answer repeats."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from epochproof.diagnostics import InternalError, fail
from epochproof.prove.second import Prover, Word, kept_in, rechecked

if TYPE_CHECKING:
    from epochproof.prove.session import Checked

GUARD = 20_000
"""Milliseconds after which cvc5 is stopped, should it spend no resource units."""

DISPUTED = Path("epochproof-disputed")
"""The folder that keeps what both solvers were asked where they disagree."""


def recheck(checked: Checked) -> Checked:
    """The claims, proved again by cvc5 from their obligations.

    Raises:
        SpecError: cvc5 is missing.
    """
    name = f"cvc5 {_cvc5().__version__}"
    return rechecked(checked, Prover(name, ask, lambda each: kept_in(DISPUTED, each)))


def ask(text: str, limit: int) -> Word:
    """What cvc5 says of the one `(check-sat)` in the text, within so many resource units.

    Raises:
        InternalError: It is no SMT-LIB to cvc5.
        SpecError: cvc5 is missing.
    """
    cvc5 = _cvc5()
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("rlimit-per", str(limit))
    solver.setOption("tlimit-per", str(GUARD))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "obligation")
    symbols, said = parser.getSymbolManager(), list[str]()
    try:
        while not (command := parser.nextCommand()).isNull():
            said += command.invoke(solver, symbols).split()
    except RuntimeError as error:
        raise InternalError(f"cvc5 cannot read an obligation: {error}") from error
    match said:
        case ["sat" | "unsat" | "unknown" as word]:
            return word
    raise InternalError(f"cvc5 cannot read an obligation: {' '.join(said)}")


def _cvc5() -> Any:
    try:
        import cvc5  # noqa: PLC0415 -- only where claims are proved again
    except ImportError:
        raise fail(
            "E540", "proving claims again needs cvc5", None, help="pip install 'epochproof[recheck]'"
        ) from None
    return cvc5
