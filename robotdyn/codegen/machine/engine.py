"""From a text in the language of LLVM to machine code of this processor."""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import itertools
import os
import re
import threading
from collections.abc import Callable, Sequence
from typing import Any

_LOCK = threading.RLock()  # around all that LLVM does, its end included
if hasattr(os, "register_at_fork"):  # a process that is forked while another thread compiles could never compile
    os.register_at_fork(before=_LOCK.acquire, after_in_parent=_LOCK.release, after_in_child=_LOCK.release)
# what an object file may be for: LLVM ends the process for some of the others
TRIPLE = re.compile(
    r"(aarch64|arm64|arm|thumb|x86_64|i[3-6]86|riscv32|riscv64|wasm32|wasm64|powerpc64le|powerpc64|s390x|loongarch64)"
    r"[a-z0-9_.]*(-[A-Za-z0-9_.]+)*"
)
DEFINED = re.compile(r"^define \w+ @(\w+)\(", re.M)
_NUMBERS = itertools.count(1)
CPU = re.compile(r"[A-Za-z0-9_.+-]*")
# SIMD registers by the features of a processor, widest first: numbers (of 8 bytes) in one
WIDTHS = {"avx512f": 8, "avx": 4}
NARROW = 2  # SSE2, which every x86-64 has, and NEON


def missing() -> str | None:
    """Return why LLVM cannot be used, or None."""
    try:
        if importlib.util.find_spec("llvmlite") is None:
            return "needs llvmlite, which is not installed: pip install robotdyn[fast]"
        _try_once()
    except Exception as error:  # whatever another version, or a broken file, raises
        return f"needs llvmlite, which cannot be used here ({error}): pip install --upgrade robotdyn[fast]"
    return None


@functools.cache
def _try_once() -> None:
    """Load LLVM, and make what compiles; raises whatever is wrong with it."""
    with _LOCK:
        _machine()


@functools.cache
def _binding() -> Any:
    import llvmlite.binding as llvm

    llvm.initialize_native_target()
    llvm.initialize_native_asmprinter()
    return llvm


@functools.cache
def _features() -> dict[str, bool]:
    with _LOCK:
        return dict(_binding().get_host_cpu_features())


def width() -> int:
    """Return how many numbers a register of this processor holds."""
    features = _features()
    return next((size for name, size in WIDTHS.items() if features.get(name)), NARROW)


def _machine(level: int = 1) -> Any:
    """Return what compiles for this processor, with much (2) or little (1) search; one each time, for a linker keeps it."""
    llvm = _binding()
    features = llvm.get_host_cpu_features().flatten()
    target = llvm.Target.from_default_triple()
    return target.create_target_machine(cpu=llvm.get_host_cpu_name(), features=features, opt=level, jit=True)


def _module(text: str, machine: Any, passes: bool) -> Any:
    """Return the module of a text; passes: whether LLVM rewrites it first, single numbers to SIMD above all."""
    llvm = _binding()
    module = llvm.parse_assembly(text)
    module.verify()
    if passes:
        builder = llvm.create_pass_builder(machine, llvm.create_pipeline_tuning_options(speed_level=1))
        builder.getModulePassManager().run(module, builder)
    return module


@functools.cache
def _linker(level: int) -> Any:
    """Return what holds all code of a level: its library of one text each goes with it."""
    return _binding().create_lljit_compiler(_machine(level), use_jit_link=False, suppress_errors=False)


class Compiled:
    """The machine code of a text: `address` of each of its functions, as long as this object lives."""

    def __init__(self, text: str, known: dict[str, int] | None = None, passes: bool = True, level: int = 1) -> None:
        """Compile; known: {name: address} of declared functions that were compiled before; the rest as in `_module`."""
        with _LOCK:
            library = _binding().JITLibraryBuilder()
            library.add_ir(str(_module(text, _machine(level), True)) if passes else text)
            for name, place in (known or {}).items():
                library.import_symbol(name, place)
            for name in DEFINED.findall(text):
                library.export_symbol(name)
            library.add_current_process()  # where the functions of the mathematical library are
            self._library = library.link(_linker(level), f"program{next(_NUMBERS)}")

    def address(self, name: str) -> int:
        """Return where a function begins."""
        with _LOCK:
            return int(self._library[name])

    def __del__(self) -> None:
        with _LOCK:
            self.__dict__.clear()

    def function(self, name: str, types: Sequence[Any], result: Any = None) -> Callable[..., Any]:
        """Return a function of C, which keeps its code alive and lets go of Python's lock while it runs."""
        return functools.partial(_run, self, ctypes.CFUNCTYPE(result, *types)(self.address(name)))


def _run(_: Compiled, function: Callable[..., Any], *given: Any) -> Any:
    return function(*given)


def assembly(text: str, passes: bool = True, level: int = 1, triple: str | None = None, cpu: str = "") -> str:
    """Return the instructions for a text: of this processor, or of another one by its triple and name."""
    with _LOCK:
        machine = _machine(level) if triple is None else _other_machine(triple, cpu)
        return str(machine.emit_assembly(_module(text, machine, passes)))


def object_code(text: str, triple: str, cpu: str = "") -> bytes:
    """Return the object file of a text for a processor, such as "aarch64-linux-gnu" or "thumbv7em-none-eabihf"."""
    with _LOCK:
        machine = _other_machine(triple, cpu)
        return bytes(machine.emit_object(_module(f'target triple = "{triple}"\n{text}', machine, True)))


def _other_machine(triple: str, cpu: str) -> Any:
    llvm = _binding()
    if not isinstance(triple, str) or not TRIPLE.fullmatch(triple):
        raise ValueError(
            f'triple must name a processor, as "aarch64-linux-gnu", "thumbv7em-none-eabihf" or "wasm32", got {triple!r}'
        )
    if not isinstance(cpu, str) or not CPU.fullmatch(cpu):
        raise ValueError(f'cpu must be a name that LLVM knows, such as "cortex-m7", got {cpu!r}')
    llvm.initialize_all_targets()
    llvm.initialize_all_asmprinters()
    try:
        target = llvm.Target.from_triple(triple)
    except RuntimeError as error:
        raise ValueError(f"triple must name a processor, got {triple!r}: {error}") from None
    return target.create_target_machine(cpu=cpu, opt=2, reloc="pic")
