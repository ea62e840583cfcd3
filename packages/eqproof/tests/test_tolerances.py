"""Where a value is known to few digits, an equation prints no digit that may be another one."""

import pytest

from eqproof import Chapter

ABOUT = 0.50001  # of b: a value from a computation that is not exact


def judged(tmp_path, text, tolerance, size=1.0):
    """Return the Result of an equation that is proven within a tolerance; size: of its values."""
    (tmp_path / "proofs").mkdir()
    (tmp_path / "page.md").write_text(f"$$ {text} $$ (eq-x)\n", encoding="utf-8")
    chapter = Chapter(tmp_path / "proofs" / "page.py")
    chapter.prove(
        "eq-x", lambda n: {"a": size * n * ABOUT, "b": size * n}, n=[1, 2], by="measured", tolerance=tolerance
    )
    (result,) = chapter.run()
    return result


@pytest.mark.parametrize("text", [r"a = \frac{b}{2}", "a = 0.5 b", "a = b - 0.5 b"])
def test_what_the_tolerance_tells_passes(text, tmp_path):
    """Another digit would be seen."""
    assert judged(tmp_path, text, 1e-2).kind == "compared"


@pytest.mark.parametrize(
    ("text", "token", "other"),
    [
        (r"a = \frac{b}{2.01}", "2.01", "2.02"),
        (r"a = 0.501 b", "0.501", "0.502"),
        (r"a = \frac{201}{400} b", "201", "202"),
        (r"a = (1 + 10^{-4}) \frac{b}{2}", "10^{-4}", "+ 0"),
    ],
)
def test_what_the_tolerance_hides_is_refused(text, token, other, tmp_path):
    """The sentence names the number, and what it may be as well."""
    result = judged(tmp_path, text, 1e-2)
    assert result.kind == "failed"
    assert f"{token} may be {other} as well within the tolerance 0.01: print fewer digits" in result.how


@pytest.mark.parametrize("size", [1e-5, 1.0, 1e5])
@pytest.mark.parametrize(
    ("text", "kind"), [(r"a = \frac{b}{2}", "compared"), ("a = b", "failed"), (r"a = -\frac{b}{2}", "failed")]
)
def test_a_tolerance_is_a_share_of_the_sides_whatever_their_size(text, kind, size, tmp_path):
    """Values of 1e-5 that differ by a half do not agree within 3 %."""
    assert judged(tmp_path, text, 3e-2, size).kind == kind


def test_what_is_zero_but_for_rounding_is_zero(tmp_path):
    """0.1 + 0.2 - 0.3 is 6e-17: no share of it is smaller."""
    (tmp_path / "proofs").mkdir()
    (tmp_path / "page.md").write_text("$$ a + b - c = 0 $$ (eq-x)\n", encoding="utf-8")
    chapter = Chapter(tmp_path / "proofs" / "page.py")
    chapter.prove("eq-x", lambda n: {"a": 0.1 * n, "b": 0.2 * n, "c": 0.3 * n}, n=[1, 2], by="measured", tolerance=1e-9)
    (result,) = chapter.run()
    assert result.kind == "compared"
