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

    @property
    def pads_last_layer(self) -> bool:
        """Whether rows that only pad must go through the last layer as well.

        The last layer is computed only for rows whose logits are wanted; where widths differ in their
        bits, its width counts too.
        """
        return self.width(1) > 1


EVERY_WIDTH = RowClass()
