"""Functions of CPython's own kind around machine code:  arrays are checked, read and made without a line of Python.

A function of this kind is called with the addresses of its arguments.  A few instructions look whether each is an array of
float64 in C order of the right shape, at the places where NumPy keeps type, shape and data, and go on to the program; anything
else goes to a careful function in Python.  Where these places are others (another interpreter, a build without
the lock, 32 bits) `available` is false, and ctypes calls the program.
"""

from __future__ import annotations

import ctypes
import functools
import sys
import sysconfig
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from robotdyn.codegen.machine import ir
from robotdyn.codegen.machine.engine import Compiled
from robotdyn.codegen.machine.ir import Writer
from robotdyn.codegen.program import Program

DTYPE_ORDER, DTYPE_NUMBER = 26, 28  # bytes into a dtype: the order of its bytes, the number of its kind
NATIVE = ord("=")
# bytes into an array, 64-bit CPython and NumPy
TYPE = 8
DATA = 16
AXES = 24
SHAPE = 32
DTYPE = 56
FLAGS = 64
FLOAT = 16  # bytes into a float: its value
READABLE = 0x1 | 0x100  # in C order, aligned
WRITABLE = READABLE | 0x400
NEW_LIKE = 277  # of the functions of NumPy's C API: PyArray_NewLikeArray
TYPE_FLAGS = 168  # bytes into a class: its flags
HAVE_VECTORCALL = 1 << 11
FASTCALL = 0x80 | 0x02  # METH_FASTCALL | METH_KEYWORDS


class _Method(ctypes.Structure):
    """CPython's PyMethodDef."""

    _fields_ = (
        ("name", ctypes.c_char_p),
        ("call", ctypes.c_void_p),
        ("flags", ctypes.c_int),
        ("doc", ctypes.c_char_p),
    )


@functools.cache
def available() -> bool:
    """Tell whether arrays lie in memory as this file takes them to."""
    if sys.implementation.name != "cpython" or sys.byteorder != "little" or ctypes.sizeof(ctypes.c_void_p) != 8:
        return False
    if sysconfig.get_config_var("Py_GIL_DISABLED") or hasattr(sys, "getobjects"):  # another header of each object
        return False
    a = np.zeros((3, 5, 7))

    def field(offset: int, kind: Any) -> int:
        return int(kind.from_address(id(a) + offset).value)

    expected = (id(np.ndarray), a.ctypes.data, id(np.dtype(float)), 3)
    found = tuple(field(place, ctypes.c_uint64) for place in (TYPE, DATA, DTYPE)) + (field(AXES, ctypes.c_int),)
    for kind, native in ((float, True), (np.float32, True), (int, True), (np.dtype(float).newbyteorder(), False)):
        dtype = np.dtype(kind)
        order = ctypes.c_ubyte.from_address(id(dtype) + DTYPE_ORDER).value
        if ctypes.c_int.from_address(id(dtype) + DTYPE_NUMBER).value != dtype.num or (order == NATIVE) is not native:
            return False
    if found != expected or field(FLAGS, ctypes.c_int) & WRITABLE != WRITABLE:
        return False
    sizes = (ctypes.c_int64 * 3).from_address(field(SHAPE, ctypes.c_uint64))
    x = 0.7
    return tuple(sizes) == a.shape and ctypes.c_double.from_address(id(x) + FLOAT).value == x


def inherit_vectorcall(subclass: type) -> None:
    """Let a class be called as quickly as the class that it inherits its call from, which Python 3.11 leaves out.

    From 3.12 on Python does so by itself; where the flags of a class lie elsewhere, nothing is done.
    """
    if available() and not subclass.__flags__ & HAVE_VECTORCALL:
        flags = ctypes.c_ulong.from_address(id(subclass) + TYPE_FLAGS)
        if flags.value == subclass.__flags__:
            flags.value |= HAVE_VECTORCALL


def _numpy_function(index: int) -> int:
    """Return the address of a function of NumPy's C API."""
    api = getattr(np, "_core", None) or np.core
    kind = ctypes.PYFUNCTYPE(ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
    capsule = kind(("PyCapsule_GetPointer", ctypes.pythonapi))
    table = ctypes.cast(capsule(api._multiarray_umath._ARRAY_API, None), ctypes.POINTER(ctypes.c_void_p))
    return int(table[index] or 0)


def _python_function(name: str) -> int:
    """Return the address of a function of CPython's C API."""
    return int(ctypes.cast(getattr(ctypes.pythonapi, name), ctypes.c_void_p).value or 0)


class _CallWriter(Writer):
    """Writes the lines that look at arguments."""

    def field(self, thing: str, offset: int, kind: str) -> str:
        """Write the reading of a field of an object."""
        return self.put(f"load {kind}, ptr {self.put(f'getelementptr i8, ptr {thing}, i64 {offset}')}")

    def go_on_if(self, test: str) -> None:
        """Write a branch to `other` unless a test holds."""
        name = f"go{len(self.lines)}"
        self.do(f"br i1 {test}, label %{name}, label %other")
        self.label(name)

    def is_object(self, thing: str, place: int) -> str:
        """Write whether an address is that of an object."""
        return self.put(f"icmp eq ptr {thing}, inttoptr (i64 {place} to ptr)")

    def argument(self, k: int) -> str:
        """Write the reading of the address of an argument."""
        return self.put(f"load ptr, ptr {self.put(f'getelementptr ptr, ptr %args, i64 {k}')}")

    def data_of_array(self, k: int, shape: Sequence[int], flags: int) -> str:
        """Write the checks of an argument that shall be an array of a shape; return the address of its numbers."""
        thing = self.argument(k)
        self.go_on_if(self.is_object(self.field(thing, TYPE, "ptr"), id(np.ndarray)))
        dtype = self.field(
            thing, DTYPE, "ptr"
        )  # not every float64 has the same object: one that was unpickled has its own
        self.go_on_if(self.put(f"icmp eq i32 {self.field(dtype, DTYPE_NUMBER, 'i32')}, {np.dtype(float).num}"))
        self.go_on_if(self.put(f"icmp eq i8 {self.field(dtype, DTYPE_ORDER, 'i8')}, {NATIVE}"))
        self.go_on_if(self.put(f"icmp eq i32 {self.field(thing, AXES, 'i32')}, {len(shape)}"))
        found = self.put(f"and i32 {self.field(thing, FLAGS, 'i32')}, {flags}")
        self.go_on_if(self.put(f"icmp eq i32 {found}, {flags}"))
        sizes = self.field(thing, SHAPE, "ptr")
        for axis, size in enumerate(shape):
            self.go_on_if(self.put(f"icmp eq i64 {self.field(sizes, 8 * axis, 'i64')}, {size}"))
        return self.field(thing, DATA, "ptr")

    def data_of_float(self, k: int) -> str:
        """Write the check of an argument that shall be a float; return the address of its number."""
        thing = self.argument(k)
        self.go_on_if(self.is_object(self.field(thing, TYPE, "ptr"), id(float)))
        return self.put(f"getelementptr i8, ptr {thing}, i64 {FLOAT}")

    def begin(self, count: int) -> None:
        """Write the check of the number of arguments, none of them by name."""
        self.label("entry")
        self.go_on_if(self.put("icmp eq ptr %names, null"))
        self.go_on_if(self.put(f"icmp eq i64 %count, {count}"))

    def function(self, name: str) -> str:
        """Return the text of the function."""
        head = f"define ptr @{name}(ptr %self, ptr %args, i64 %count, ptr %names) {{"
        return "\n".join([head, *self.lines, "}"])

    def call(self, address: int, given: str) -> str:
        """Write a call of a function of C that returns an object."""
        return self.put(f"call ptr inttoptr (i64 {address} to ptr)({given})")


def function_of_new_results(
    program: Program, compiled: Compiled, defaults: Any, careful: Callable[..., Any]
) -> Callable[..., Any]:
    """Return f(q, ..) -> a new array, or a tuple of them; what is no float array (n,) goes to `careful` with its names.

    compiled: holds the function `one`; defaults: the values of the free parameters, or None where there are none.
    """
    w = _CallWriter()
    state = program.state
    w.begin(len(state))
    data = [w.data_of_array(k, i.shape, READABLE) if i.shape else w.data_of_float(k) for k, i in enumerate(state)]
    if defaults is not None:
        data.append(w.put(f"inttoptr i64 {defaults.ctypes.data} to ptr"))
    shapes = [a.shape for a in program.results]
    models = [np.empty(shape) for shape in shapes]
    results = []
    new_like = _numpy_function(NEW_LIKE)
    for number, model in enumerate(models):
        given = f"ptr inttoptr (i64 {id(model)} to ptr), i32 0, ptr null, i32 0"
        made = w.call(new_like, given)
        results.append(made)
        w.do(f"br i1 {w.put(f'icmp eq ptr {made}, null')}, label %fail{number}, label %made{number}")
        w.label(f"made{number}")
    data += [w.field(made, DATA, "ptr") for made in results]
    w.do(f"call void @one({', '.join(f'ptr {place}' for place in data)})")
    returned = results[0]
    if program.several:
        returned = w.call(_python_function("PyTuple_New"), f"i64 {len(results)}")
        w.do(f"br i1 {w.put(f'icmp eq ptr {returned}, null')}, label %fail{len(results)}, label %tuple")
        w.label("tuple")
        for k, made in enumerate(results):
            w.do(
                f"call i32 inttoptr (i64 {_python_function('PyTuple_SetItem')} to ptr)"
                f"(ptr {returned}, i64 {k}, ptr {made})"
            )
    w.do(f"ret ptr {returned}")
    for number in range(len(results) + program.several):  # no memory: what was made goes, and CPython raises
        w.label(f"fail{number}")
        for made in results[:number]:
            w.do(f"call void inttoptr (i64 {_python_function('Py_DecRef')} to ptr)(ptr {made})")
        w.do("ret ptr null")
    w.label("other")
    given = f"ptr inttoptr (i64 {id(careful)} to ptr), ptr %args, i64 %count, ptr %names"
    w.do(f"ret ptr {w.call(_python_function('PyObject_Vectorcall'), given)}")
    return _function(program, w.function("call"), compiled, (careful, models, defaults))


def function_of_given_results(program: Program, compiled: Compiled) -> Callable[..., Any]:
    """Return f(q, .., [free parameters,] out, ..) -> True, or False where an argument is no float array of its shape.

    A scalar is an array (1,).
    """
    w = _CallWriter()
    free = sum(i.size for i in program.free)
    inputs = [i.shape or (1,) for i in program.state] + [(free,)] * bool(program.free)
    results = [a.shape or (1,) for a in program.results]
    w.begin(len(inputs) + len(results))
    data = [w.data_of_array(k, shape, READABLE) for k, shape in enumerate(inputs)]
    data += [w.data_of_array(len(inputs) + k, shape, WRITABLE) for k, shape in enumerate(results)]
    w.do(f"call void @one({', '.join(f'ptr {place}' for place in data)})")
    for label, answer in ((None, True), ("other", False)):
        if label:
            w.label(label)
        w.do(f"call void inttoptr (i64 {_python_function('Py_IncRef')} to ptr)(ptr inttoptr (i64 {id(answer)} to ptr))")
        w.do(f"ret ptr inttoptr (i64 {id(answer)} to ptr)")
    return _function(program, w.function("call"), compiled, ())


def _function(program: Program, text: str, compiled: Compiled, kept: Any) -> Callable[..., Any]:
    """Return the function of CPython around a text's `call`; it keeps alive what its instructions point to."""
    code = Compiled(f"{ir.declaration_of_one(program)}\n{text}\n", {"one": compiled.address("one")}, passes=False)
    method = _Method(program.name.encode(), code.address("call"), FASTCALL, b"A program of robotdyn.")
    kind = ctypes.PYFUNCTYPE(ctypes.py_object, ctypes.POINTER(_Method), ctypes.py_object, ctypes.c_void_p)
    make = kind(("PyCFunction_NewEx", ctypes.pythonapi))
    function: Callable[..., Any] = make(ctypes.byref(method), (compiled, code, method, kept), None)
    return function
