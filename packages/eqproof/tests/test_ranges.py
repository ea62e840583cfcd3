r"""Sums over conditions, \sum_{i < j}, to sizes that nobody says, and with dots: each reading beside slips of it.

A sum over pairs is compared with the definition by hand, written out at a size; a planted slip is never proven.
"""

import itertools
import operator

import pytest

from eqproof import tree
from eqproof.checked_steps import steps_in
from eqproof.drawn_sizes import LARGEST, literals, sizes_for, written_out
from eqproof.errors import Unreadable
from eqproof.parser import parse
from eqproof.sources import sources_in

TRUE = [
    r"(\sum_i a_i)^2 = \sum_i a_i^2 + 2 \sum_{i<j} a_i a_j",
    r"\sum_{i \ne j} a_i b_j = \sum_i a_i \sum_j b_j - \sum_i a_i b_i",
    r"\sum_{i \le j} a_i a_j = \sum_{i<j} a_i a_j + \sum_i a_i^2",
    r"\sum_{i > j} a_i b_j = \sum_{1 \le j < i \le n} a_i b_j",
    r"\sum_{1 \le i < j < k \le n} a_i a_j a_k = \sum_{i=1}^{n-2} \sum_{j=i+1}^{n-1} \sum_{k=j+1}^n a_i a_j a_k",
    r"\prod_{i<j} (x_i - x_j)^2 = \prod_{i<j} (x_j - x_i)^2",
    r"\sum_{\substack{j=1 \\ j \ne 1}}^n a_j = \sum_{j=1}^n a_j - a_1",
    r"\sum_{\substack{i, j = 1 \\ i \ne j}}^n a_{ij} = \sum_{i,j=1}^n a_{ij} - \sum_{i=1}^n a_{ii}",
    r"\sum_{i=1}^n \sum_{j=1}^m a_i b_j = \sum_{j=1}^m b_j \sum_{i=1}^n a_i",
    r"\sum_{k=1}^n (a_k - a_{k-1}) = a_n - a_0",
    r"\sum_{k=0}^n \binom{n}{k} x^k y^{n-k} = (x + y)^n",
    r"1 + 2 + \dots + n = \frac{n (n+1)}{2}",
    r"1 + \cdots + n = \frac{n (n+1)}{2}",
    r"1 + 2 + \dots + (n-1) + n = \sum_{k=1}^n k",
    r"2 + 4 + \dots + 2 n = n (n + 1)",
    r"1 + 2 + \dots + 2 n = n (2 n + 1)",
    r"1 + 3 + \dots + (2 n - 1) = n^2",
    r"1 + 2 + 3 + \dots + 100 = 5050",
    r"1 + 2 + 4 + \dots + 64 = 127",
    r"1 + x + x^2 + \dots + x^n = \frac{1 - x^{n+1}}{1 - x}",
    r"a_1 + a_2 + \cdots + a_n = \sum_{i=1}^n a_i",
    r"c + a_1 + a_2 + \cdots + a_n + b = b + c + \sum_i a_i",
    r"x_1 x_2 \cdots x_n = \prod_{i=1}^n x_i",
    r"n (n-1) \cdots 2 \cdot 1 = n!",
    r"\frac{1}{1 \cdot 2} + \frac{1}{2 \cdot 3} + \dots + \frac{1}{n (n+1)} = \frac{n}{n+1}",
]
SLIPS = [  # of these, and what is true at small sizes alone
    r"(\sum_i a_i)^2 = \sum_i a_i^2 + \sum_{i<j} a_i a_j",
    r"(\sum_i a_i)^2 = \sum_i a_i^2 + 2 \sum_{i \le j} a_i a_j",
    r"\sum_{i \ne j} a_i b_j = \sum_i a_i \sum_j b_j",
    r"\prod_{i<j} (x_i - x_j) = \prod_{i<j} (x_j - x_i)",
    r"\sum_{i > j} a_i b_j = \sum_{1 \le i < j \le n} a_i b_j",
    r"\sum_{i=1}^n a_i = \sum_{i=1}^{\min(n, 3)} a_i",
    r"\sum_{i=1}^n a_i = \sum_{i=1}^{\min(n, 7)} a_i",
    r"\sum_{k=1}^n (a_k - a_{k-1}) = a_n - a_1",
    r"\sum_{i=1}^n \sum_{j=1}^m a_i b_j = \sum_{j=1}^n b_j \sum_{i=1}^m a_i",
    r"\sum_{k=1}^n k = \frac{n (n+1)}{2} + (n-1)(n-2)(n-3)",
    r"1 + 2 + \dots + n = \frac{n (n-1)}{2}",
    r"1 + 3 + \dots + (2 n - 1) = n^2 + 1",
    r"x_1 x_2 \cdots x_n = \prod_{i=1}^{n-1} x_i",
    r"a_1 + a_2 + \cdots + a_n = \sum_{i=2}^n a_i",
    r"n (n-1) \cdots 2 \cdot 1 = (n-1)!",
]
TWO_WAYS = [
    r"1 + 2 + \dots + 64 = 2080",
    r"1 + 4 + \dots + 100 = 385",
    r"1 + 2 + \dots + 2^n = 2^{n+1} - 1",
]
NO_LAW = [
    r"1 + \dots + n^2 = n",
    r"16.53 + 0.35 + \dots + 4.66 = 40.13",
    r"1 + 5 + 7 + \dots + n = n",
    r"a - \dots - b = c",
]


def judged(latex):
    """The step of a display."""
    (step,) = steps_in(sources_in(rf"\[ {latex} \]", "-", "tex"))
    return step


@pytest.mark.parametrize("latex", TRUE)
def test_a_sum_over_conditions_or_with_dots_is_proven(latex):
    """And the sizes that were tried are told, where there are any."""
    step = judged(latex)
    assert step.verdict == "proven", step
    assert "tried for" in step.why or "n" not in latex.replace("dots", "").replace("cdots", "")


@pytest.mark.parametrize("latex", SLIPS)
def test_a_slip_in_it_is_not(latex):
    """A literal moves the sizes beyond it, a polynomial that is zero at 1, 2 and 3 is seen at the sizes that are drawn."""
    assert judged(latex).verdict in ("false", "undecided"), judged(latex)


def test_a_sum_that_counts_alone_is_false_with_its_size():
    """Nothing but n stands in it: no reading of other letters can save it."""
    step = judged(SLIPS[10])
    assert step.verdict == "false" and "where n = 1" in step.why


@pytest.mark.parametrize("latex", TWO_WAYS)
def test_dots_that_fit_two_laws_are_refused(latex):
    """1, 2, .., 64 has equal steps and equal quotients."""
    step = judged(latex)
    assert step.verdict == "undecided" and "can be read in two ways" in step.why


@pytest.mark.parametrize("latex", NO_LAW)
def test_dots_without_a_law_are_refused(latex):
    """The last term, with a number for its letter, is none of those in front of the dots."""
    step = judged(latex)
    assert step.verdict == "undecided" and "does not tell what stands for them" in step.why


CONDITIONS = {
    r"i < j": operator.lt,
    r"i \le j": operator.le,
    r"i > j": operator.gt,
    r"i \ge j": operator.ge,
    r"i \ne j": operator.ne,
    r"i, j": lambda i, j: True,
    r"1 \le i < j \le n": operator.lt,
    r"1 < i \le j < n": lambda i, j: 1 < i <= j < 4,
    r"0 < j < i \le n": operator.gt,
    r"\substack{1 \le i \le n \\ j < i}": operator.gt,
    r"\substack{3 \le i \le n \\ j < i}": lambda i, j: i >= 3 and j < i,
    r"n \ge i > j \ge 1": operator.gt,
}


@pytest.mark.parametrize("below", CONDITIONS)
def test_conditions_are_those_of_the_definition(below):
    """Written out at n = 4, the terms are the pairs for which the condition holds."""
    pairs = [pair for pair in itertools.product(range(1, 5), repeat=2) if CONDITIONS[below](*pair)]
    (chain,) = parse(rf"\sum_{{{below}}} a_{{ij}} = \sum_{{k=1}}^n b_k").chains
    node = closed(chain.sides[0])
    found = [x.sub for x in tree.walk(written_out(node, {tree.Symbol("n"): 4})) if isinstance(x, tree.Symbol)]
    assert sorted(found) == sorted((str(i), str(j)) for i, j in pairs)


def closed(node):
    """A node in which sums without an upper bound count to n."""
    if isinstance(node, tree.Big) and node.high is None:
        return tree.Big(node.kind, node.index, node.low, tree.Symbol("n"), closed(node.body), node.skip)
    return tree.map_children(node, closed)


def test_a_letter_that_stands_elsewhere_does_not_count():
    r"""x_j = b_j - \sum_{i < j} l_{ji} x_i, the forward substitution: j is a number, and i goes up to j - 1."""
    (chain,) = parse(r"x_j = b_j - \sum_{i<j} l_{ji} x_i").chains
    (total,) = [x for x in tree.walk(chain) if isinstance(x, tree.Big)]
    assert total.index == "i" and {x.base for x in tree.walk(total.high) if isinstance(x, tree.Symbol)} == {"j"}
    (outer,) = [x for x in tree.walk(parse(r"\sum_j \sum_{i<j} a_{ij} = b")) if getattr(x, "index", "") == "j"]
    assert [x.index for x in tree.walk(outer) if isinstance(x, tree.Big)] == ["j", "i"]


def test_a_sum_over_a_set_is_read_and_not_compared():
    r"""\sum_{x \in S}: nobody knows how many elements S has, or what they are."""
    step = judged(r"\sum_{x \in S} (x + a_x) = \sum_{x \in S} (a_x + x)")
    assert step.verdict == "undecided" and "number to which it counts" in step.why


def test_the_sizes_are_drawn_by_the_text_beyond_what_it_prints():
    """1, 2, 3 and two more; a bound, an index or a maximum that prints a number moves these beyond it."""
    (plain,) = parse(r"\sum_{i=1}^n a_i = 9 b").chains
    drawn = {tuple(sizes_for(*plain.sides, text, 1)) for text in map(str, range(20))}
    assert len(drawn) > 5 and all(x[:3] == (1, 2, 3) and len(x) == 5 and x[-1] <= LARGEST for x in drawn)
    (beyond,) = parse(r"\sum_{i=1}^n a_i = \max(n, 7) a_5").chains
    assert sorted(literals(beyond.sides[1])) == [5, 7]
    assert sizes_for(*beyond.sides, "a text", 1) == [1, 2, 3, 8, 9]
    step = judged(r"\sum_{i=1}^n a_i = \sum_{i=1}^{\min(n, 20)} a_i")
    assert step.verdict == "undecided" and "too large to try larger sizes" in step.why


def test_a_size_at_which_a_denominator_is_zero_is_left_out():
    """The mean of squares with n - 1 below it is claimed from n = 2 on."""
    step = judged(r"\frac{1}{n-1} \sum_{i=1}^n (a_i + b) = \frac{n b + \sum_{i=1}^n a_i}{n-1}")
    assert step.verdict == "proven" and "tried for n = 2, 3" in step.why


def test_an_upper_bound_in_front_of_a_lower_one_with_an_index_is_refused():
    r"""\int^{t_1}_{t_0}: the index of the lower bound was lost, so that what begins at t_0 began at t."""
    with pytest.raises(Unreadable, match="write the lower bound first"):
        parse(r"\int^{t_1}_{t_0} x \, dx = y")
    assert parse(r"\int^b_a x \, dx = y") and parse(r"\int_{t_0}^{t_1} x \, dx = y")
