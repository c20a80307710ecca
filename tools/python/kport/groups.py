"""Groups: lists of processors, from which communicators are made."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from .requests import PROC_NULL, UNDEFINED

IDENT, CONGRUENT, SIMILAR, UNEQUAL = range(4)


class Group:
    """Processors in an order. `numbers` are those of the machine, `own` is that of this rank."""

    def __init__(self, numbers: Sequence[int] = (), own: int = -1) -> None:
        self.numbers, self.own = tuple(numbers), own

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Group) and self.numbers == other.numbers

    __hash__ = object.__hash__

    @property
    def size(self) -> int:
        return len(self.numbers)

    @property
    def rank(self) -> int:
        return self.numbers.index(self.own) if self.own in self.numbers else UNDEFINED

    def Get_size(self) -> int:
        return self.size

    def Get_rank(self) -> int:
        return self.rank

    def Incl(self, ranks: Iterable[int]) -> Group:
        """The members with these ranks, in this order."""
        return Group([self.numbers[rank] for rank in ranks], self.own)

    def Excl(self, ranks: Iterable[int]) -> Group:
        """The members without those of these ranks."""
        left_out = {self.numbers[rank] for rank in ranks}
        return Group([number for number in self.numbers if number not in left_out], self.own)

    @classmethod
    def Union(cls, first: Group, second: Group) -> Group:
        return cls([*first.numbers, *(n for n in second.numbers if n not in first.numbers)], max(first.own, second.own))

    @classmethod
    def Intersection(cls, first: Group, second: Group) -> Group:
        return cls([n for n in first.numbers if n in second.numbers], max(first.own, second.own))

    @classmethod
    def Difference(cls, first: Group, second: Group) -> Group:
        return cls([n for n in first.numbers if n not in second.numbers], max(first.own, second.own))

    def Compare(self, other: Group) -> int:
        if self.numbers == other.numbers:
            return IDENT
        return SIMILAR if sorted(self.numbers) == sorted(other.numbers) else UNEQUAL

    def Translate_ranks(self, ranks: Iterable[int] | None = None, group: Group | None = None) -> list[int]:
        """The ranks that these members have in another group; UNDEFINED if it lacks one."""
        into = self.numbers if group is None else group.numbers
        asked = range(self.size) if ranks is None else ranks
        return [rank if rank == PROC_NULL else _index(into, self.numbers[rank]) for rank in asked]

    def Free(self) -> None:
        pass


def _index(numbers: tuple[int, ...], number: int) -> int:
    return numbers.index(number) if number in numbers else UNDEFINED
