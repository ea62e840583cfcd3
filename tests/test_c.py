"""C for firmware: it compiles without a warning, runs without a fault, and computes what Python computes."""

import ctypes
import keyword
import re
import shutil
import subprocess

import numpy as np
import pytest
from arms import MIXES, arm_and_state

import robotdyn as rd

COMPILER = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
STRICT = ["-std=c99", "-Wall", "-Wextra", "-Wpedantic", "-Wdouble-promotion", "-Wconversion", "-Werror", "-O1"]
ALGORITHMS = {rd.forward_dynamics: 3, rd.inverse_dynamics: 3, rd.mass_matrix: 1, rd.link_poses: 1, rd.kinetic_energy: 2}


@pytest.fixture
def compiled(tmp_path):
    """Return the function that compiles sources into a library or a program, and skips where there is no compiler."""
    if COMPILER is None:
        pytest.skip("no C compiler is installed (cc, gcc or clang)")

    def compile_(paths, *flags, output="program"):
        made = tmp_path / output
        subprocess.run([COMPILER, *STRICT, *flags, *map(str, paths), "-o", str(made), "-lm"], check=True)
        return made

    return compile_


def called(library, program, *given, scalar=float):
    """Return the results of the function of a library for one state."""
    function = getattr(ctypes.CDLL(str(library)), program.name)
    arrays = [np.asarray(x, dtype=scalar) for x in given]
    results = [np.empty(a.shape or (1,), dtype=scalar) for a in program.results]
    values = [ctypes.c_void_p(x.ctypes.data) if x.shape else ctypes.c_double(x) for x in (*arrays, *results)]
    function(*values)
    return results


SHORT = [mix for mix in MIXES if len(mix) < 4]
LONG = [pytest.param(mix, marks=pytest.mark.slow) for mix in ("psrs", "rprprp", "rrrrrrr")]


@pytest.mark.parametrize("mix", SHORT + LONG)
def test_c_computes_what_python_computes(compiled, tmp_path, mix):
    """Every algorithm and a derivative of each kind of arm, to the last digits."""
    arm, *state = arm_and_state(mix)
    scripts = [rd.specialize(algorithm, arm, "c") for algorithm in ALGORITHMS]
    if arm.n < 4:  # those of more are thousands of lines, which a compiler takes minutes for
        scripts.append(rd.specialize(rd.trace(rd.forward_dynamics, arm).jacobian("q"), target="c"))
    sources = [script.write(tmp_path)[0] for script in scripts]
    library = compiled(sources, "-shared", "-fPIC", output="library.so")
    for script in scripts:
        given = state[: len(script.program.state)]
        plain = rd.specialize(script.program, target="python")
        expected = plain(*given) if script.program.several else (plain(*given),)
        for found, array in zip(called(library, script.program, *given), expected):
            assert np.allclose(found.ravel(), np.ravel(array), rtol=1e-14, atol=1e-14 * abs(np.asarray(array)).max())


@pytest.mark.parametrize("target", ["c", "c-float"])
def test_the_test_program_agrees_and_sees_a_slip(compiled, tmp_path, target):
    """Under the sanitizers of addresses and of undefined behavior, with free parameters; a changed sign is seen."""
    checks = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]
    probe = tmp_path / "probe.c"
    probe.write_text("int main(void) { return 0; }\n", encoding="utf-8")
    if (
        COMPILER
        and subprocess.run([COMPILER, *checks, str(probe), "-o", str(tmp_path / "probe")], check=False).returncode
    ):
        pytest.skip("this C compiler has no sanitizers")
    arm, *_ = arm_and_state("rpr")
    for algorithm, free in ((rd.forward_dynamics, ()), (rd.inverse_dynamics, ("mass", "com")), (rd.link_poses, ())):
        script = rd.specialize(algorithm, arm, target, free=free)
        source, header, test = script.write(tmp_path / algorithm.__name__)
        assert source.read_text(encoding="utf-8") == script and header.suffix == ".h"
        done = subprocess.run([compiled([source, test], *checks)], capture_output=True, text=True, check=False)
        assert done.returncode == 0 and not done.stderr and "largest difference" in done.stdout
    source.write_text(
        re.sub(r"= ([^;]+);\n\}", r"= -(\1) - 1;\n}", source.read_text(encoding="utf-8")), encoding="utf-8"
    )
    assert subprocess.run([compiled([source, test], "-Wno-error")], capture_output=True, check=False).returncode == 1


def test_floats_are_floats_throughout(compiled, tmp_path):
    """No constant and no function of double precision is left: the compiler would warn of each."""
    script = rd.specialize(rd.forward_dynamics, rd.robots.panda(), "c-float")
    assert "double" not in script and "sinf(" in script
    source, *_ = script.write(tmp_path)
    library = compiled([source], "-shared", "-fPIC", output="library.so")
    state = np.random.default_rng(1).uniform(-1, 1, (3, 7))
    (found,) = called(library, script.program, *state, scalar=np.float32)
    expected = rd.forward_dynamics(rd.robots.panda(), *state)
    assert np.allclose(found, expected, rtol=0, atol=1e-3 * abs(expected).max())


def test_numbers_and_inputs_of_every_shape(compiled, tmp_path):
    """A time, a matrix, an input that nothing reads, a result that is an input."""

    def odd(t, K, unread, x):
        return t * (K @ x), x, np.sum(K) * 1e-30 + t, K.T

    script = rd.specialize(odd, target="c", inputs={"t": (), "K": (2, 2), "unread": 3, "x": 2})
    library = compiled([script.write(tmp_path)[0]], "-shared", "-fPIC", output="library.so")
    K = np.array([[1.0, 2.0], [3.0, 5.0]])
    found = called(library, script.program, 0.5, K, np.zeros(3), [1.0, -1.0])
    for one, expected in zip(found, odd(0.5, K, None, np.array([1.0, -1.0]))):
        assert np.allclose(one, expected, rtol=1e-15)


WORDS = """double restrict j0 sinf out1 main new this delete template xor wchar_t printf puts remove stdin NULL FILE FP_NAN
HUGE_VALF M_E M_PI_2 linux size_t float_t abs malloc index lgamma_r worst farther a__b _Bad"""


@pytest.mark.parametrize("word", [word for word in WORDS.split() if not keyword.iskeyword(word)])
def test_words_of_c_are_refused(word):
    """As the name of an input, those of C++ and of the libraries, too."""
    with pytest.raises(ValueError, match=f"free in target 'c', got '{word}': rename it"):
        rd.specialize(eval(f"lambda {word}: 2 * {word}"), target="c", inputs={word: 2})


def test_a_script_of_another_target_is_written_too(tmp_path):
    """JavaScript into one file."""
    script = rd.specialize(rd.mass_matrix, rd.robots.two_link(), "javascript")
    (path,) = script.write(tmp_path / "new" / "folder")
    assert path.name == "mass_matrix.js" and path.read_text(encoding="utf-8") == script


@pytest.mark.parametrize("name", ["worst", "printf", "remove", "math", "sincos", "FILE", "double_t", "f_", "F_"])
def test_a_function_of_such_a_name_gives_way(compiled, tmp_path, name):
    """Its test program compiles, and passes."""

    def function(x):
        return 2 * x

    function.__name__ = name
    script = rd.specialize(function, target="c", inputs={"x": 2})
    source, header, test = script.write(tmp_path)
    assert (
        subprocess.run([compiled([source, test], "-I", str(tmp_path))], capture_output=True, check=False).returncode
        == 0
    )
    assert f"ROBOTDYN_{script.program.name}_H" in header.read_text(encoding="utf-8")


def test_the_header_can_be_read_by_cpp(tmp_path):
    """With the names that its words allow."""
    compiler = shutil.which("g++")
    if compiler is None:
        pytest.skip("no C++ compiler is installed (g++)")
    _, header, _ = rd.specialize(rd.forward_dynamics, rd.robots.two_link(), "c", free="mass").write(tmp_path)
    main = tmp_path / "main.cpp"
    main.write_text(
        f'#include "{header.name}"\nint main() {{ return forward_dynamics_mass[0] > 0.0 ? 0 : 1; }}\n', encoding="utf-8"
    )
    subprocess.run([compiler, "-Wall", "-Wextra", "-Werror", str(main), "-o", str(tmp_path / "a")], check=True)
    assert subprocess.run([tmp_path / "a"], check=False).returncode == 0


def test_what_c_cannot_hold_is_told(tmp_path):
    """A constant beyond a float, a result without entries, a function without a value anywhere."""
    with pytest.raises(ValueError, match=r"a float holds 1.2e-38 to 3.4e38, got 1e\+39"):
        rd.specialize(lambda x: 1e39 * x, target="c-float", inputs={"x": 1})
    with pytest.raises(ValueError, match="a result in C must have an entry"):
        rd.specialize(lambda x: x[:0], target="c", inputs={"x": 2})
    nowhere = rd.specialize(lambda x: np.sqrt(-1 - x * x), target="c", inputs={"x": 1})
    with pytest.raises(ValueError, match="no state was found at which program has a value"):
        nowhere.write(tmp_path)
    assert len(rd.specialize(lambda x: np.sqrt(x - 5), target="c", inputs={"x": 1}).write(tmp_path)) == 3


def test_a_small_result_beside_a_large_one_is_looked_at(compiled, tmp_path):
    """Each result is compared with its own size: a slip in one of 1e-6 is seen beside one of 1e6."""

    def two(x):
        return 1e6 * x, 1e-6 * x

    source, _, test = rd.specialize(two, target="c", inputs={"x": 1}).write(tmp_path)
    run = lambda: subprocess.run([compiled([source, test])], capture_output=True, check=False).returncode
    assert run() == 0
    source.write_text(source.read_text(encoding="utf-8").replace("1e-06", "1.0001e-06"), encoding="utf-8")
    assert run() == 1
