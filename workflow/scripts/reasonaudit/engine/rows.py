"""Widths of batches among which a row's arithmetic does not change."""

from dataclasses import dataclass


@dataclass(frozen=True)
class RowClass:
    """Widths that all give the same bits: ``least``, ``least + multiple`` and so on."""

    least: int = 1
    multiple: int = 1

    def width(self, rows: int) -> int:
        """Smallest width of the class that holds ``rows`` rows."""
        return -(-max(rows, self.least) // self.multiple) * self.multiple


EVERY_WIDTH = RowClass()
