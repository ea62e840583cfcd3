"""Two colors that change places change no equation, and are seen all the same."""

from eqproof.colors import miscolored
from eqproof.ledger import judge

SETTINGS = """pages = ["page.md"]
[colors]
blue = '\\\\ddot'
green = '^(?!.*\\\\ddot).*g'
"""
PAGE = r"$$ \textcolor{blue}{m \ddot{q}} + \textcolor{green}{m g} = \textcolor{red}{f} $$ (eq-fall)"


def test_a_color_belongs_to_its_letters(tmp_path):
    """Declared colors are compared, others are not looked at; a project that declares none is free."""
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    (tmp_path / "eqproof.toml").write_text(SETTINGS, encoding="utf-8")
    assert miscolored(page) == []
    page.write_text(PAGE.replace("blue", "?").replace("green", "blue").replace("?", "green"), encoding="utf-8")
    first, second = miscolored(page)
    assert first.startswith(r"'eq-fall': m \ddot{q} is printed in green, which means what matches")
    assert second.startswith("'eq-fall': m g is printed in blue")
    assert {first, second} <= set(judge(page).wrong)
    (tmp_path / "eqproof.toml").write_text('pages = ["page.md"]', encoding="utf-8")
    assert miscolored(page) == []


def test_each_term_of_a_color_belongs_to_it(tmp_path):
    """A term of another kind hides behind none that matches; what stands in brackets or a matrix is one term."""
    (tmp_path / "eqproof.toml").write_text(SETTINGS, encoding="utf-8")
    page = tmp_path / "page.md"
    page.write_text(r"$$ \textcolor{blue}{m \ddot q + c \dot q - m g} = f $$ (eq-fall)", encoding="utf-8")
    assert [x.partition(" is printed")[0] for x in miscolored(page)] == [r"'eq-fall': c \dot q", "'eq-fall': m g"]
    whole = r"-m (\ddot q - a) + \begin{bmatrix} \ddot q \\ -1 \end{bmatrix} - \{b - \ddot q\}"
    page.write_text(rf"$$ \textcolor{{blue}}{{{whole}}} = f $$ (eq-fall)", encoding="utf-8")
    assert miscolored(page) == []
