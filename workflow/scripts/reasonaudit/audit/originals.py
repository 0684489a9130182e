"""Which correct solutions are edited: drawn round-robin over questions, and the balanced panel of them."""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from reasonaudit.audit.streams import named_stream

Key = tuple[str, str, str, int, str, int]  # model, dataset, method, run, question_id, sample_index


def eligible(answer: Mapping, min_tokens: int) -> bool:
    """Answer-correct, stopped by itself, and longer than ``min_tokens`` generated tokens.

    Args:
        answer: a row of the answers table. An unknown token count is only eligible where no length is
            asked for (``min_tokens`` 0).
    """
    if not answer["correct"] or answer["stopped_by_length"]:
        return False
    tokens = answer["generated_tokens"]
    return min_tokens == 0 if tokens is None else tokens > min_tokens


def draw_originals(keys: Iterable[Key], *, seed: int, per_question: int, per_cell: int) -> list[Key]:
    """Originals of one cell (model x data set x method), in the order of the draw.

    Questions come in one seeded order and give one solution a round, so that the draw spreads over
    questions before it takes a second solution of any. A larger ``per_cell`` extends a smaller one.

    Args:
        keys: keys of the eligible solutions of the cell.
    """
    by_question: dict[str, list[Key]] = defaultdict(list)
    for key in sorted(keys):
        by_question[key[4]].append(key)
    if not by_question:
        return []
    questions = sorted(by_question)
    cell = by_question[questions[0]][0][:3]
    order = named_stream(seed, "originals", *cell).permutation(len(questions))
    shuffled = {}
    for question in questions:
        stream = named_stream(seed, "originals", *cell, question)
        solutions = by_question[question]
        shuffled[question] = [solutions[int(i)] for i in stream.permutation(len(solutions))]
    rounds = (
        shuffled[questions[int(i)]][turn]
        for turn in range(per_question)
        for i in order
        if turn < len(shuffled[questions[int(i)]])
    )
    return [key for key, _ in zip(rounds, range(per_cell), strict=False)]


def choose_panel(supported: Mapping[tuple, list[Key]], per_cell: int | None) -> dict[tuple, list[Key]]:
    """The originals that are judged, the same number from every cell where that is possible.

    Args:
        supported: cell -> its originals that support every condition, in the order of the draw.
        per_cell: how many to keep of each; None keeps the largest number that all cells have (cells
            without a single one cannot take part and do not count).

    Returns:
        cell -> kept originals. A cell that has fewer than ``per_cell`` keeps what it has.
    """
    if per_cell is None:
        per_cell = min((len(keys) for keys in supported.values() if keys), default=0)
    return {cell: keys[:per_cell] for cell, keys in supported.items()}
