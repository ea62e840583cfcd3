"""Where a value is known to few digits, an equation prints no digit that may be another one."""

import pytest

from eqproof import Chapter

ABOUT = 0.50001  # of b: a value from a computation that is not exact


def judged(tmp_path, text, tolerance):
    """Return the Result of an equation that is proven within a tolerance."""
    (tmp_path / "proofs").mkdir()
    (tmp_path / "page.md").write_text(f"$$ {text} $$ (eq-x)\n", encoding="utf-8")
    chapter = Chapter(tmp_path / "proofs" / "page.py")
    chapter.prove("eq-x", lambda n: {"a": n * ABOUT, "b": float(n)}, n=[1, 2], by="measured", tolerance=tolerance)
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
