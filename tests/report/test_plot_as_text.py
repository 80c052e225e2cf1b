"""Plots in a terminal."""

from __future__ import annotations

from pathlib import Path

from epochproof.prove.session import load
from epochproof.report.plot_as_text import render
from epochproof.schedule.picture import picture

EXAMPLES = Path(__file__).parents[2] / "examples"
KEY = "  a record with + is padding, one with * is read more than once, - is no step"


def plot(
    name: str, loader: str, steps: tuple[int, int] | None = None, columns: int = 100, **values: int
) -> str:
    found = load(EXAMPLES / f"{name}.epoch").loaders[loader]
    return render({loader: picture(found, values)}, steps=steps, columns=columns)


def test_padding_repeats_and_omissions_have_signs() -> None:
    assert (
        plot("sc241", "padded")
        == f"""\
  padded
    step    0
    rank 0  0* 3 6 9
    rank 1  1* 4 7 0+*
    rank 2  2 5 8 1+*

{KEY}"""
    )
    assert "    omitted in the epoch: 9\n" in plot("sc241", "trimmed")


def test_wide_plots_go_on_below() -> None:
    assert (
        plot("stream", "naive", columns=36)
        == f"""\
  naive
    step             0      1
    rank 0 worker 0  0* 1*
    rank 0 worker 1         0* 1*
    step             2      3
    rank 0 worker 0  2* 3*
    rank 0 worker 1         2* 3*
    step             4      5
    rank 0 worker 0  4* 5*
    rank 0 worker 1         4* 5*
    step             6      7
    rank 0 worker 0  6* 7*
    rank 0 worker 1         6* 7*

{KEY}"""
    )


def test_steps_choose_columns() -> None:
    found = plot("stream", "naive", steps=(6, 90))

    assert "    step             6      7\n" in found
    assert plot("stream", "naive", steps=(8, 9)).startswith("  naive  no rank runs a step\n")


def test_large_loaders_say_so() -> None:
    found = render({"train": None})

    assert found == f"  train  too large to be drawn: more than 1_000 positions and records\n\n{KEY}"
