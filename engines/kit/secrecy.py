"""Who may know what. A secret field says so where it is declared, and what stands in its place.

    class CardDealt(Fact, frozen=True):
        seat: int
        card: Annotated[str, Secret("seat", lambda fact: "?")]

That a fact happened is public, only fields are secret. A mask is a value of the field's own type,
made from what is public of the record, canonical in order: an order is a leak.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Annotated, Any, NoReturn, TypeVar, get_args, get_origin, get_type_hints

from msgspec import Struct, structs

#: A viewer: a seat, None for a spectator, `REFEREE` for the one who sees all.
Viewer = int | None
REFEREE = -1

R = TypeVar("R", bound=Struct)

#: Stands for the seat that made the move.
MOVER = ""


class Secret(Struct, frozen=True):
    """Marks a field as secret.

    :param to: the field that holds the seat that may know it, `MOVER`, or None for nobody
    :param mask: from the whole record to what others read in the field's place
    """

    to: str | None
    mask: Callable[[Any], Any]


def secrets_of(record_type: type[Struct]) -> tuple[tuple[str, Secret], ...]:
    """The secret fields of a record type, in order."""
    return tuple(
        (name, extra)
        for name, hint in get_type_hints(record_type, include_extras=True).items()
        if get_origin(hint) is Annotated
        for extra in get_args(hint)[1:]
        if isinstance(extra, Secret)
    )


_plans: dict[type[Struct], tuple[tuple[str, Secret], ...]] = {}


def seen(record: R, viewer: Viewer, actor: int | None = None) -> R:
    """The record as `viewer` may read it; `actor` is the seat whose move it belongs to."""
    if viewer == REFEREE:
        return record
    plan = _plans.get(type(record))
    if plan is None:
        plan = _plans[type(record)] = secrets_of(type(record))
    hidden = {
        name: secret.mask(record)
        for name, secret in plan
        if secret.to is None
        or viewer is None
        or (actor if secret.to == MOVER else getattr(record, secret.to)) != viewer
    }
    return structs.replace(record, **hidden) if hidden else record


class Hidden(Exception):
    """A rule looked at what the viewer may not see."""


class Veil(str):
    """Stands in a state for a text that a viewer may not see: it can be carried and counted, never looked at."""

    __slots__ = ()

    def _no(self, *_: object) -> NoReturn:
        raise Hidden(str.__str__(self))

    __eq__ = __ne__ = __lt__ = __gt__ = __le__ = __ge__ = _no  # pyright: ignore[reportAssignmentType]
    __hash__ = __getitem__ = __contains__ = __iter__ = __len__ = __format__ = _no  # pyright: ignore[reportAssignmentType]
    split = startswith = endswith = __add__ = __mod__ = _no  # pyright: ignore[reportAssignmentType]


def veiled(state: Any, concealed: Any) -> Any:
    """`concealed` with a veil over each text that is not the state's own.

    Both are the same state, whole and as a seat may see it; lists may lie in another order there, so a
    text of a list is open if the whole one holds it.
    """
    if isinstance(concealed, str):
        return concealed if concealed == state else Veil(concealed)
    if isinstance(concealed, Struct):
        return type(concealed)(
            **{
                name: veiled(getattr(state, name), getattr(concealed, name))
                for name in concealed.__struct_fields__
            }
        )
    if isinstance(concealed, dict):
        return {key: veiled(state.get(key, ""), value) for key, value in _items(concealed)}
    if isinstance(concealed, (list, tuple)):
        return type(concealed)(_veiled_items(list(state), list(concealed)))  # pyright: ignore[reportUnknownArgumentType, reportUnknownVariableType]
    return concealed


def _items(mapping: Any) -> Iterator[tuple[Any, Any]]:
    yield from mapping.items()


def _veiled_items(whole: list[Any], shown: list[Any]) -> Iterator[Any]:
    if all(isinstance(item, str) for item in shown):
        rest = list(whole)
        for item in shown:
            if item in rest:
                rest.remove(item)
                yield item
            else:
                yield Veil(item)
    else:
        for index, item in enumerate(shown):
            yield veiled(whole[index] if index < len(whole) else "", item)
