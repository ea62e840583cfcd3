"""The loop of all searches: candidates in their order, the cheap question first, as many as were promised and no more."""

import itertools

import pytest

from coursework.check import changed_back, mistakes, search
from coursework.check.diagnosis import BY_CHANCE, Chance, Mistake, Phrase, Scope, Sort
from coursework.check.parameters import Parameters
from coursework.check.question import Question


def test_candidates_are_counted_and_keep_their_order():
    """An endless list of them ends; who asks for one alone tries no more than it takes."""
    tried = []

    def dear(n):
        tried.append(n)
        return n % 6 == 0

    assert [*search.right(itertools.count(), lambda n: n % 2 == 0, dear, most=20)] == [0, 6, 12, 18]
    assert tried == [*range(0, 20, 2)]  # what the first test refuses is asked no second
    tried.clear()
    assert next(search.right(itertools.count(1), dear)) == 6 and tried == [1, 2, 3, 4, 5, 6]
    assert [*search.right(range(5), most=2)] == [0, 1]


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_search_for_a_slip_ends_after_so_many_candidates(most, monkeypatch):
    """The third factor that is tried is a half."""
    monkeypatch.setattr(changed_back, "MOST_CANDIDATES", most)
    spec = Question("", laws=(lambda p, at, value: None if abs(value - 2.0) <= 2e-6 else "No.",))
    found = changed_back.changed_back(spec, Parameters(), [((), 1.0)])
    assert (found == "It is half as large.") == (most == 3)
    assert found is None or found.mistakes == (mistakes.HALF,)


def test_how_often_a_mistake_comes_by_chance_is_that_of_its_sort():
    """A factor of one comes out often, a sign, an order, a place or a unit seldom; all others sometimes."""
    seldom = {Sort.SIGN, Sort.ORDER, Sort.PLACE, Sort.EXCHANGED, Sort.DEGREES, Sort.UNIT}
    for sort in Sort:
        expected = Chance.OFTEN if sort is Sort.ONE else Chance.SELDOM if sort in seldom else Chance.SOMETIMES
        assert Mistake("x", Scope.VALUE, sort).chance is expected
    assert set(BY_CHANCE.values()) == {Chance.OFTEN, Chance.SELDOM}


def test_phrases_of_the_same_words_are_of_one_kind():
    """A sum in place of a number is told as any other number in its place; counted it is another mistake."""
    one, other = Phrase(mistakes.IN_PLACE), Phrase(mistakes.SUMMED)
    assert one.kind == other.kind and one.mistake.id != other.mistake.id
    assert Phrase(mistakes.SIGN, (("what", "It"),)).kind != Phrase(mistakes.SIGN, (("what", "Row 1"),)).kind
