"""Generic mistakes, as tables: words, and what a mistake does to a number, to entries, to what a formula or a function is given."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from functools import partial
from typing import Any

from coursework.check.aliases import Entries
from coursework.check.diagnosis import Mistake, Said
from coursework.check.laws import powered
from coursework.lazy_numpy import np

COUNTS = 20  # whole numbers below count, or say which: nobody takes their opposite or their half
MOST_ENTRIES = 12  # of an answer, or of a list of numbers, whose entries are tried one by one
# where: teach the checks a mistake that they find by themselves
# a line here or in `UNITS`, `OF_ONE`, `CHANGED`, `ANGLES`, `OF_ARGUMENTS`, a row in `FORMULAS` of
# `packages/coursework/tests/test_check_slips.py`; parts of one question's expected number: `laws.of_parts`; what may
# be wrong with code: a rule of `coursework.check.rewrites`
FACTORS = {
    -1.0: Said("{} has the opposite sign.", mistake=Mistake.SIGN),
    2.0: Said("{} is twice as large.", mistake=Mistake.FACTOR),
    0.5: Said("{} is half as large.", mistake=Mistake.FACTOR),
}  # factor of what is wrong, {}: words
OF_TWO = {
    -1.0: Said("{} have the opposite sign.", mistake=Mistake.SIGN),
    2.0: Said("{} are twice as large.", mistake=Mistake.FACTOR),
    0.5: Said("{} are half as large.", mistake=Mistake.FACTOR),
}  # the same of several
UNITS = {
    1000.0: Said("{} is 1000 times as large: look at the units.", mistake=Mistake.UNIT),
    1e-3: Said("{} is 1000 times too small: look at the units.", mistake=Mistake.UNIT),
    1e6: Said("{} is 10^6 times as large: look at the units.", mistake=Mistake.UNIT),
    math.tau: Said("{} is 2 pi times as large: turns or radians?"),
    1 / math.tau: Said("{} is 2 pi times too small: turns or radians?"),
    math.tau**2: Said("{} is (2 pi)^2 times as large: turns or radians?"),
    math.tau**-2: Said("{} is (2 pi)^2 times too small: turns or radians?"),
    math.pi: Said("{} is pi times as large: turns or radians?"),
    1 / math.pi: Said("{} is pi times too small: turns or radians?"),
    180 / math.pi: Said("{} is 180 / pi times as large: degrees or radians?", mistake=Mistake.DEGREES),
    math.pi / 180: Said("{} is 180 / pi times too small: degrees or radians?", mistake=Mistake.DEGREES),
    60 / math.tau: Said("{} is 60 / (2 pi) times as large: turns a minute, or rad/s?"),
    9.81: Said("{} is g times as large."),
    1 / 9.81: Said("{} is g times too small: is g missing?"),
    10 / 9.81: Said("{} is that of g = 10, and g is 9.81 m/s^2 here."),
    9.8 / 9.81: Said("{} is that of g = 9.8, and g is 9.81 m/s^2 here."),
    math.sqrt(2): Said("{} is as large as with a factor 2 too many under a root."),
    math.sqrt(0.5): Said("{} is as large as with a factor 2 too few under a root."),
    math.sqrt(9.81): Said("{} is larger by the root of g."),
    math.sqrt(1 / 9.81): Said("{} is smaller by the root of g: is g missing under a root?"),
    4.0: Said("{} is four times as large."),
    0.25: Said("{} is a quarter."),
}  # factor of a wrong answer, {}: words
TRANSPOSED = Said("{} is transposed.", mistake=Mistake.TRANSPOSED)
EXCHANGED = Said("{} are exchanged.", mistake=Mistake.EXCHANGED)

OF_ONE: dict[Said, Callable[[float], float]] = {
    Said("{} is the inverse."): lambda x: powered(x, -1),
    Said("{} is the square."): lambda x: powered(x, 0.5),
    Said("{} is the root."): lambda x: powered(x, 2),
    Said("A period stands for a rate in rad/s, or the other way around."): lambda x: math.tau / x,
    Said("Half a period stands for a rate in rad/s, or the other way around."): lambda x: math.pi / x,
    Said("{} is the root of the inverse."): lambda x: powered(x, -2),
    Said("{} is the square of the inverse."): lambda x: powered(x, -0.5),
    Said("{} is one too few."): lambda x: x + 1,
    Said("{} is one too many."): lambda x: x - 1,
    Said("{} is off by a quarter of a turn: from which axis does it count?"): lambda x: x - math.pi / 2,
    Said("{} is off by a quarter of a turn, backward: from which axis does it count?"): lambda x: x + math.pi / 2,
    Said("{} is the other acute angle of a right triangle: sine or cosine?"): lambda x: math.pi / 2 - x,
    Said("{} is what is left to half a turn."): lambda x: math.pi - x,
}  # words: what a number should have been


def sums(x: Entries, *, step: int) -> Entries:
    """Return each entry with those before it added, or with step = -1 those after it."""
    return [*itertools.accumulate(x[::step])][::step]


def differences(x: Entries, *, step: int) -> Entries:
    """Return each entry less the one before it, or with step = -1 less the one after it."""
    ordered = x[::step]
    return [a - b for a, b in zip(ordered, [0.0, *ordered])][::step]


# words: what the entries of a list should have been
OF_LIST: dict[Said, Callable[[Entries], Entries]] = {
    Said("The entries are in the other order.", mistake=Mistake.ORDER): lambda x: x[::-1],
    Said("Each entry would be right less the one before it: does that count twice?"): partial(differences, step=1),
    Said("Each entry would be right with those before it added: are they missing, or subtracted?"): partial(
        sums, step=1
    ),
    Said("Each entry would be right less the one after it: does that count twice?"): partial(differences, step=-1),
    Said("Each entry would be right with those after it added: are they missing, or subtracted?"): partial(
        sums, step=-1
    ),
    Said("{} is as if each entry was in the next one's place.", mistake=Mistake.PLACE): lambda x: [*x[1:], x[0]],
    Said("{} is as if each entry was in the place of the one before.", mistake=Mistake.PLACE): lambda x: [
        x[-1],
        *x[:-1],
    ],
}
OF_PLOT = {
    math.pi / 2: "The height of the line is off by a quarter of a turn: from where does it count?",
    -math.pi / 2: "The height of the line is off by a quarter of a turn, backward: from where does it count?",
    math.pi: "The height of the line is off by half a turn: from where does it count?",
}  # what is added to the height of a line: words
CHANGED: dict[Said, tuple[Callable[[Any], Any], ...]] = {
    Said("without {0}: is a term with it missing?", clause=True): (lambda x: 0.0,),
    Said("with the opposite sign of {0}", clause=True, mistake=Mistake.SIGN): (lambda x: -x,),
    Said("with a factor 2 or 1/2, or a root of it, too many or too few at {0}", clause=True, mistake=Mistake.FACTOR): (
        lambda x: 2 * x,
        lambda x: x / 2,
        lambda x: x / math.sqrt(2),
        lambda x: x * math.sqrt(2),
    ),
    Said("without the factor {0}, as if it was 1", clause=True, mistake=Mistake.ONE): (lambda x: 1.0,),
    Said("with another power of {0}: squared, under a root, above or below the line?", clause=True): (
        lambda x: x * x,
        math.sqrt,
        lambda x: 1 / x,
    ),
}  # what comes out so, where something else stands for a number, a symbol, an argument {0}
ANGLES: dict[Said, tuple[Callable[[Any], Any], ...]] = {
    Said("with {0} off by a quarter of a turn: sine or cosine, or from which axis does it count?", clause=True): (
        lambda x: x - math.pi / 2,
        lambda x: x + math.pi / 2,
    ),
    Said(
        "with sine and cosine of {0} exchanged: from which axis does it count?", clause=True, mistake=Mistake.EXCHANGED
    ): (lambda x: math.pi / 2 - x,),
    Said("with 1 for the sine of {0}, or 0 for its cosine: is a factor missing, or a term?", clause=True): (
        lambda x: math.pi / 2,
    ),
    Said("with {0} off by half a turn, as with the opposite sign of a weight", clause=True, mistake=Mistake.SIGN): (
        lambda x: x + math.pi,
    ),
    Said("with {0} turned from degrees into radians once too often", clause=True, mistake=Mistake.DEGREES): (
        math.radians,
    ),
    Said("with the number of degrees of {0} where radians belong", clause=True, mistake=Mistake.DEGREES): (
        math.degrees,
    ),
}
ARE_EXCHANGED = Said("with {0} exchanged", clause=True, mistake=Mistake.EXCHANGED)
IN_PLACE = Said("with {0}", clause=True)  # one "in place of" another
OF_ARGUMENTS: dict[Said, tuple[Callable[[Any], Any], ...]] = {
    Said("with {0} in the other order", clause=True, mistake=Mistake.ORDER): (lambda x: x[::-1],),
    Said("with sums for {0}: relative or absolute?", clause=True): (lambda x: np.cumsum(x),),
    Said("with differences for {0}: relative or absolute?", clause=True): (lambda x: np.diff(x, prepend=0.0),),
    Said("with {0} transposed", clause=True, mistake=Mistake.TRANSPOSED): (lambda x: x.T,),
    Said("without {0}, as if it was the identity", clause=True, mistake=Mistake.IDENTITY): (lambda x: np.eye(len(x)),),
}
OF_MATRICES = {Mistake.TRANSPOSED, Mistake.IDENTITY}  # of OF_ARGUMENTS, those of a matrix; the others are of a list
COUNTED = ("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth")


class Group(str):
    """A name for several, told where none for one of them is."""
