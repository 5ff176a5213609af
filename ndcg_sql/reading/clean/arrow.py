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


class _Schema(ctypes.Structure):
    """ArrowSchema."""


class _Array(ctypes.Structure):
    """ArrowArray."""


class _Stream(ctypes.Structure):
    """ArrowArrayStream."""


_Pointer = ctypes.c_void_p
_ReleaseSchema = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Schema))
_ReleaseArray = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Array))
_ReleaseStream = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Stream))
_GetSchema = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema)
)
_GetNext = ctypes.CFUNCTYPE(
    ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array)
)

_GetError = ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(_Stream))
_Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", _Pointer),
    ("dictionary", _Pointer),
    ("release", _ReleaseSchema),
    ("private_data", _Pointer),
]
_Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", _Pointer),
    ("children", _Pointer),
    ("dictionary", _Pointer),
    ("release", _ReleaseArray),
    ("private_data", _Pointer),
]
_Stream._fields_ = [
    ("get_schema", _GetSchema),
    ("get_next", _GetNext),
    ("get_last_error", _GetError),
    ("release", _ReleaseStream),
    ("private_data", _Pointer),
]
_NEW_CAPSULE = ctypes.pythonapi.PyCapsule_New
_NEW_CAPSULE.restype = ctypes.py_object
_NEW_CAPSULE.argtypes = [_Pointer, ctypes.c_char_p, _Pointer]
# What each array that DuckDB holds is made of, by its number.
_HELD: dict[int, Any] = {}
_NUMBERS = count(1)


@_ReleaseSchema
def _release_schema(schema: Any) -> None:
    """Mark a schema as released; it is kept by its stream."""
    schema.contents.release = _ReleaseSchema()


@_ReleaseArray
def _release_array(array: Any) -> None:
    """Let go of what an array is made of."""
    _HELD.pop(array.contents.private_data or 0, None)
    array.contents.release = _ReleaseArray()


@_ReleaseStream
def _release_stream(stream: Any) -> None:
    """Mark a stream as released; it is kept by its object."""
    stream.contents.release = _ReleaseStream()


def _last_error(_stream: object) -> None:
    """Return no error: batches that fail end early instead."""


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
        stream = _Stream(
            _GetSchema(self._schema),
            _GetNext(self._next),
            _GetError(_last_error),
            _release_stream,
            None,
        )
        self._kept.append(stream)
        return _NEW_CAPSULE(ctypes.addressof(stream), b"arrow_array_stream", None)

    def _schema(self, _stream: Any, out: Any) -> int:
        """Describe the columns."""
        columns = [
            _Schema(kind, name.encode(), None, 0, 0, None, None, _release_schema, None)
            for name, kind in self._types.items()
        ]
        children = _pointers(columns)
        self._kept.append((columns, children))
        out[0] = _Schema(
            *(b"+s", b"", None, 0, len(columns), ctypes.addressof(children)),
            *(None, _release_schema, None),
        )
        return 0

    def _next(self, _stream: Any, out: Any) -> int:
        """Give the next batch, or the end: an array that is released already."""
        try:
            batch = next(self._batches, None)
            if batch is not None:
                out[0] = _array_of([batch[name] for name in self._types])
                return 0
        except BaseException as error:
            self.error = error
        out[0] = _Array()
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
