"""Columns of numpy, given to DuckDB as Arrow's C stream, without a library for Arrow.

The structures are those of https://arrow.apache.org/docs/format/CStreamInterface.html.
DuckDB reads them through the method __arrow_c_stream__, batch after batch, while it
executes a statement, and from any of its threads.
"""

import ctypes
from collections.abc import Iterator, Mapping
from itertools import count
from typing import Any

from ndcg_sql.reading.clean.arrays import Words, np
from ndcg_sql.reading.clean.rankings import Batch
from ndcg_sql.reading.clean.texts import Texts

# Arrow's names of types: views of texts, numbers.
TEXT, INTEGER, DOUBLE = b"vu", b"i", b"g"
# A view has the bytes of a text up to this length; of a longer one, its first four.
_INSIDE = 12
_LOW, _HALF = np.uint64((1 << 32) - 1), np.uint64(32)

_Number, _Pointer = ctypes.c_int64, ctypes.c_void_p
_Release = ctypes.CFUNCTYPE(None, _Pointer)
_Get = ctypes.CFUNCTYPE(ctypes.c_int, _Pointer, _Pointer)
_GetText = ctypes.CFUNCTYPE(ctypes.c_char_p, _Pointer)


class _Schema(ctypes.Structure):
    """ArrowSchema."""

    _fields_ = (
        *((name, ctypes.c_char_p) for name in ("format", "name", "metadata")),
        *((name, _Number) for name in ("flags", "n_children")),
        *((name, _Pointer) for name in ("children", "dictionary")),
        *(("release", _Release), ("private_data", _Pointer)),
    )


class _Array(ctypes.Structure):
    """ArrowArray."""

    _fields_ = (
        *((name, _Number) for name in ("length", "null_count", "offset")),
        *((name, _Number) for name in ("n_buffers", "n_children")),
        *((name, _Pointer) for name in ("buffers", "children", "dictionary")),
        *(("release", _Release), ("private_data", _Pointer)),
    )


class _Stream(ctypes.Structure):
    """ArrowArrayStream."""

    _fields_ = (
        *(("get_schema", _Get), ("get_next", _Get), ("get_last_error", _GetText)),
        *(("release", _Release), ("private_data", _Pointer)),
    )


_NEW_CAPSULE = ctypes.pythonapi.PyCapsule_New
_NEW_CAPSULE.restype = ctypes.py_object
_NEW_CAPSULE.argtypes = [_Pointer, ctypes.c_char_p, _Pointer]
# What each array that DuckDB holds is made of, by its number.
_HELD: dict[int, Any] = {}
_NUMBERS = count(1)


@_Release
def _release_schema(address: int) -> None:
    """Mark a schema as released; it is kept by its stream."""
    _Schema.from_address(address).release = _Release()


@_Release
def _release_array(address: int) -> None:
    """Let go of what an array is made of."""
    array = _Array.from_address(address)
    _HELD.pop(array.private_data or 0, None)
    array.release = _Release()


@_Release
def _release_stream(address: int) -> None:
    """Mark a stream as released; it is kept by its object."""
    _Stream.from_address(address).release = _Release()


@_GetText
def _last_error(_stream: object) -> None:
    """Return no error: batches that fail end early instead."""


def _give(structure: ctypes.Structure, address: int) -> None:
    """Copy a structure to where DuckDB wants it."""
    ctypes.memmove(address, ctypes.addressof(structure), ctypes.sizeof(structure))


class ArrowStream:
    """Batches of columns that a statement of DuckDB can read once, as a table.

    error is what the batches raised, if anything: they then end early, and without an
    error in DuckDB, which would end its transaction, too.
    """

    def __init__(self, types: Mapping[str, bytes], batches: Iterator[Batch]) -> None:
        """Take the types of columns, and batches that have these columns."""
        self.error: BaseException | None = None
        self._batches = batches
        self._types = types
        # DuckDB asks for the stream more than once, to see the types of columns.
        self._kept: list[Any] = []

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """Return the stream as a capsule of Python."""
        get_schema, get_next = _Get(self._schema), _Get(self._next)
        stream = _Stream(get_schema, get_next, _last_error, _release_stream, None)
        self._kept.append(stream)
        return _NEW_CAPSULE(ctypes.addressof(stream), b"arrow_array_stream", None)

    def _schema(self, _stream: int, out: int) -> int:
        """Describe the columns."""
        columns = [
            _Schema(kind, name.encode(), None, 0, 0, None, None, _release_schema, None)
            for name, kind in self._types.items()
        ]
        children = _pointers(columns)
        schema = _Schema(
            *(b"+s", b"", None, 0, len(columns), ctypes.addressof(children)),
            *(None, _release_schema, None),
        )
        self._kept.append((schema, columns, children))
        _give(schema, out)
        return 0

    def _next(self, _stream: int, out: int) -> int:
        """Give the next batch, or the end: an array that is released already."""
        array = _Array()
        try:
            batch = next(self._batches, None)
            if batch is not None:
                array = _array_of([batch[name] for name in self._types])
        except BaseException as error:
            self.error = error
        _give(array, out)
        return 0


def _array_of(columns: list[Any]) -> _Array:
    """Return an array of rows, whose columns it keeps until it is released."""
    rows = len(columns[0])
    number = next(_NUMBERS)
    kept: list[Any] = []
    arrays: list[_Array] = []
    for column in columns:
        parts = _buffers(column)
        buffers = (_Pointer * (1 + len(parts)))(
            None, *(part.ctypes.data for part in parts)
        )
        kept += [parts, buffers]
        addresses = ctypes.addressof(buffers)
        sizes = (rows, 0, 0, len(buffers), 0)
        arrays.append(_Array(*sizes, addresses, None, None, _release_array, None))
    children = _pointers(arrays)
    # Rows have no bytes of their own; no bitmap means that none is null.
    nothing = (_Pointer * 1)(None)
    _HELD[number] = (kept, arrays, children, nothing)
    return _Array(
        *(rows, 0, 0, 1, len(arrays)),
        *(ctypes.addressof(nothing), ctypes.addressof(children)),
        *(None, _release_array, number),
    )


def _pointers(structures: list[Any]) -> Any:
    return (_Pointer * len(structures))(*map(ctypes.addressof, structures))


def _buffers(column: Any) -> list[Any]:
    """Return the buffers of a column, without the bitmap of nulls."""
    if not isinstance(column, Texts):
        return [np.ascontiguousarray(column)]
    # A text is a view of the block that it was read from; the last buffer has the
    # sizes of those that are viewed.
    sizes = np.array([len(column.data)], np.int64)
    return [_views(column), column.data, sizes]


def _views(texts: Texts) -> Words:
    """Return two words for each text: its length and bytes, or where they are."""
    first, second = texts.word(0), texts.word(1)
    views = np.empty((len(texts), 2), np.uint64)
    views[:, 0] = texts.lengths.view(np.uint64) | (first << _HALF)
    # In place of a longer text's other bytes: which buffer, and where in it.
    is_long = texts.lengths > _INSIDE
    views[:, 1] = np.where(
        is_long,
        texts.starts.view(np.uint64) << _HALF,
        (first >> _HALF) | ((second & _LOW) << _HALF),
    )
    return views
