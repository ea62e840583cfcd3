"""Arguments are called the same everywhere: each name stands in the table of book/notation.md, "Names of arguments"."""

import importlib
import inspect
import re
from pathlib import Path

import pytest
from test_house_api import PARTS, public

import robotdyn

PAGE = Path(__file__).resolve().parent.parent / "book" / "notation.md"


def table(page):
    """The names in the first column of the table in the section (notation-arguments)=; `x`, `y` in a cell are two."""
    section = re.search(r"^\(notation-arguments\)=\n(.*?)(?=^\(|\Z)", page, re.M | re.S)
    assert section, "book/notation.md must have a section (notation-arguments)="
    cells = re.findall(r"^\|([^|]*)\|", section[1], re.M)
    return {name for cell in cells for name in re.findall(r"`(\w+)`", cell)}


def functions():
    """Public functions and classes by name, with the public methods of the classes."""
    for module in [robotdyn, *(importlib.import_module(f"robotdyn.{part}") for part in PARTS)]:
        for name in public(module):
            value = getattr(module, name)
            if callable(value):
                yield f"{module.__name__}.{name}", value
            if inspect.isclass(value):
                for method, function in inspect.getmembers(value, callable):
                    if not method.startswith("_") and (getattr(function, "__module__", "") or "").startswith(
                        "robotdyn"
                    ):
                        yield f"{module.__name__}.{name}.{method}", function


def unknown(function, names):
    """The arguments of a function that have no place in the table."""
    return [name for name in inspect.signature(function).parameters if name not in names | {"self"}]


FUNCTIONS = dict(functions())


@pytest.mark.parametrize("name", FUNCTIONS)
def test_arguments_have_the_names_of_the_table(name):
    """A reader who knows one function knows the arguments of the next."""
    missing = unknown(FUNCTIONS[name], table(PAGE.read_text()))
    assert not missing, f"{name} takes {missing}: use a name of the table in book/notation.md, or add a row there"


def test_the_functions_are_those_of_the_library():
    """A function, a function of each part, a class and a constructor are among those that are looked at."""
    wanted = ["mass_matrix", "simulate", "Link", "Trajectory", "Arm.from_dh", "derive"]
    wanted += ["planar.absolute", "robots.rp", "forces.spring", "relations.symmetry"]
    wanted += ["lagrange.euler_lagrange", "show.draw_arm"]
    assert not [name for name in wanted if f"robotdyn.{name}" not in FUNCTIONS]


def test_the_table_is_read_from_its_own_section_and_first_column():
    """Names in other columns, in prose and in other sections do not count."""
    page = "`a`\n(notation-arguments)=\n## Names\n`b`\n\n| name | x |\n|---|---|\n| `q`, `qd` | not `c` |\n(next)=\n| `d` | |\n"
    assert table(page) == {"q", "qd"}


def test_a_new_name_is_seen():
    """Positional, keyword, starred: an argument that the table lacks is reported, whatever its kind."""

    def stranger(arm, joint_angles, /, *more, speed=0, **others):
        pass

    assert unknown(stranger, table(PAGE.read_text())) == ["joint_angles", "more", "speed", "others"]
