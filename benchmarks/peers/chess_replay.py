"""python-chess: random games replayed from their moves in UCI."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import chess

from benchmarks.tables import power_vacuum, writer
from benchmarks.timing import Beside, Sizes, Work, interleaved, median, rate, ratio, seconds
from events.model import Row
from projections.fold import fold
from projections.position import first_row

_PLIES = 200


def _recorded(number: int) -> list[str]:
    board, choice = chess.Board(), random.Random(number)  # noqa: S311 -- stands in for players
    moves: list[str] = []
    while len(moves) < _PLIES and not board.is_game_over():
        move = choice.choice(list(board.legal_moves))
        moves.append(move.uci())
        board.push(move)
    return moves


def _trusting(moves: list[str]) -> None:
    board = chess.Board()
    for move in moves:
        board.push(chess.Move.from_uci(move))


def _checking(moves: list[str]) -> None:
    board = chess.Board()
    for move in moves:
        board.push_uci(move)


def _folded(games: list[list[Row]]) -> Work:
    projector = power_vacuum().projector
    codec = projector.codec

    def work() -> None:
        for rows in games:
            state = projector.begin(codec.decode(rows[0]))
            for row in rows:
                fold(projector.reducers, state, codec.deed(row).facts)

    units = sum(map(len, games))
    return lambda: seconds(work, units)


def compare(folder: Path, sizes: Sizes) -> Iterator[Beside]:
    """Ours reads JSON and applies facts, and asks no rule: as python-chess does where it trusts the moves."""
    log = writer(folder / "whole.db")
    try:
        games = [[first_row(log, game), *log.rows(game, after=1)] for game in log.games()]
    finally:
        log.close()
    recorded = [_recorded(number) for number in range(sizes.games)]
    plies = sum(map(len, recorded))
    samples = interleaved(
        sizes.runs,
        _folded(games),
        lambda: seconds(lambda: [_trusting(moves) for moves in recorded], plies),
        lambda: seconds(lambda: [_checking(moves) for moves in recorded], plies),
    )
    for which, what in ((1, "moves trusted"), (2, "moves checked")):
        yield Beside(
            "replay of whole games, moves",
            rate(median(samples, 0)),
            f"python-chess: {what}",
            rate(median(samples, which)),
            ratio(samples, which, 0),
        )
