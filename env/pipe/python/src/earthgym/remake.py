"""Copies of what holds a connection."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Literal, cast

if TYPE_CHECKING:
    from typing_extensions import Self


class Remade:
    """Pickled, or copied, it is the arguments of its constructor: the copy begins anew, as the original did.

    Where it is entered by ``with``, it is closed at the end.
    """

    _arguments: tuple[tuple[Any, ...], dict[str, Any]]

    def __new__(cls, *args: Any, **kwargs: Any) -> Self:
        """Remembers the arguments."""
        self = super().__new__(cls)
        self._arguments = args, kwargs
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> Literal[False]:
        cast(Any, self).close()
        return False

    def __reduce__(self) -> tuple[Any, ...]:
        args, kwargs = self._arguments
        return functools.partial(type(self), *args, **kwargs), ()
