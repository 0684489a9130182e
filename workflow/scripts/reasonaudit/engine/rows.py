"""Widths of batches among which a row's arithmetic does not change."""

from dataclasses import dataclass


@dataclass(frozen=True)
class RowClass:
    """Widths that all give the same bits: ``least``, ``least + multiple`` and so on."""

    least: int = 1
    multiple: int = 1

    def width(self, rows: int) -> int:
        """Smallest width of the class that holds ``rows`` rows, even from 3 on.

        Many kernels take rows in pairs: an odd width costs up to half as much again as the next even one
        (Q8_0), and where they do not (Q4_1) the even one costs 2% more.
        """
        width = -(-max(rows, self.least) // self.multiple) * self.multiple
        return width + width % 2 if width > 2 else width


EVERY_WIDTH = RowClass()
