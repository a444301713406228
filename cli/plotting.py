"""Pictures of a simulation, made with matplotlib: the extra `turnlog[plot]`, loaded only when one is drawn."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from matplotlib import rcParams
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from engines.tally import Group, Tally

#: Colours that the colour-blind tell apart (Okabe and Ito).
_COLOURS = ("#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00")

#: The most bars of a histogram.
_BARS = 40


def drawn(path: str, title: str, tally: Tally) -> None:
    """Draws shares, scores and lengths into a .png or .svg file; the same games give the same file."""
    figure: Any = Figure(figsize=(12, 7.5), layout="constrained")
    FigureCanvasAgg(figure)
    bots = [group for group in tally.bots.values() if group.games]
    groups = bots if any(group.name.startswith("seat ") for group in tally.seats) else tally.seats
    figure.suptitle(f"{title}: {tally.games:,} games", fontsize=15, fontweight="bold")
    shares, scores, boxes, lengths = figure.subplots(2, 2).flat
    _shares(shares, groups)
    _scores(scores, groups)
    _boxes(boxes, groups)
    _bars(lengths, tally.moves, _edges(tally.moves), "#777777")
    lengths.set(title="Length", xlabel="moves", ylabel="games")
    for axes in (shares, scores, boxes, lengths):
        axes.spines[["top", "right"]].set_visible(False)
    rcParams["svg.hashsalt"] = "turnlog"
    figure.savefig(path, dpi=120, metadata={"Date": None} if path.endswith(".svg") else None)


def _names(axes: Any, groups: Sequence[Group]) -> None:
    """The groups down the left side, the first one on top."""
    axes.set_yticks(range(len(groups)), [group.name for group in groups], parse_math=False)
    axes.set_ylim(len(groups) - 0.4, -0.6)


def _shares(axes: Any, groups: Sequence[Group]) -> None:
    for place, group in enumerate(groups):
        low, high = group.share_interval
        axes.barh(place, group.share * 100, 0.6, color=_COLOURS[place % len(_COLOURS)])
        middle, half = (low + high) * 50, (high - low) * 50
        axes.errorbar([middle], [place], xerr=[half], fmt="none", ecolor="black", capsize=6, elinewidth=2)
    _names(axes, groups)
    axes.set_xlim(0, 100)
    axes.set(title="Games won, with 95 % interval", xlabel="% of the games of a seat")


def _edges(counts: Counter[int]) -> list[float]:
    """The edges of a histogram's bars: each of the same number of whole values."""
    low, high = min(counts), max(counts)
    width = (high - low) // _BARS + 1
    return [low - 0.5 + width * bar for bar in range((high - low) // width + 2)]


def _bars(axes: Any, counts: Counter[int], edges: Sequence[float], colour: str, **more: Any) -> None:
    axes.yaxis.get_major_locator().set_params(integer=True)
    axes.hist(list(counts), bins=edges, weights=list(counts.values()), color=colour, **more)


def _scores(axes: Any, groups: Sequence[Group]) -> None:
    scores = sum((group.scores for group in groups), Counter[int]())
    axes.set(title="Scores", xlabel="score", ylabel="seats")
    if not scores:
        return
    edges = _edges(scores)
    for place, group in enumerate(groups):
        colour = _COLOURS[place % len(_COLOURS)]
        _bars(axes, group.scores, edges, colour, alpha=0.25, histtype="stepfilled")
        _bars(axes, group.scores, edges, colour, histtype="step", linewidth=1.8, label=group.name)
    for text in axes.legend(frameon=False).get_texts():
        text.set_parse_math(False)


def _boxes(axes: Any, groups: Sequence[Group]) -> None:
    """Boxes from quarter to quarter with the median, whiskers from the 5th to the 95th hundredth."""
    for place, group in enumerate(groups):
        if group.scores:
            low, first, middle, third, high = (_quantile(group.scores, share) for share in (5, 25, 50, 75, 95))
            box = {"whislo": low, "q1": first, "med": middle, "q3": third, "whishi": high}
            made = axes.bxp(
                [box],
                [place],
                orientation="horizontal",
                widths=0.6,
                showfliers=False,
                patch_artist=True,
                manage_ticks=False,
            )
            made["boxes"][0].set_facecolor(_COLOURS[place % len(_COLOURS)])
            made["medians"][0].set(color="black", linewidth=2)
    _names(axes, groups)
    axes.set(title="Scores: quarters, and 5 % to 95 %", xlabel="score")


def _quantile(counts: Counter[int], hundredths: int) -> int:
    """The least number that so many hundredths of those counted do not exceed."""
    seen = 0
    for value in sorted(counts):
        seen += counts[value]
        if seen * 100 >= hundredths * counts.total():
            return value
    raise AssertionError("all of them do not exceed the greatest")
