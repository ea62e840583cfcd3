"""Recordings from arrays and from CSV files: units as the header says, and a sentence for whatever is wrong with them."""

import io
import re
import warnings

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import robotdyn as rd
from robotdyn.identification import Recording, excite, identify, payload, physical_parameters, read_csv

ARM, ONE = rd.robots.two_link(), rd.robots.planar(1)
T = np.linspace(0, 1, 50)
Q = np.stack([np.sin(3 * T), np.cos(5 * T)], 1)
QD = np.stack([3 * np.cos(3 * T), -5 * np.sin(5 * T)], 1)
GOOD = Recording(T, Q, Q, QD, -Q)


def without(array, *place):
    """Return a copy with NaN at a place."""
    copy = array.copy()
    copy[place] = np.nan
    return copy


GAPPY = Recording(np.r_[T[:20], T[20:] + 0.5], Q, Q)
SENTENCES = [
    (lambda: Recording(T, Q, None), ValueError, "tau must be given: without torques no mass can be known"),
    (lambda: Recording(T, Q[:9], Q), ValueError, "q must have shape (T, n) with a row for each of the 50 times, got (9, 2)"),
    (lambda: Recording(T, Q, Q[:, :1]), ValueError, "tau must have shape (50, 2), as q has, got (50, 1)"),
    (lambda: Recording(T[0], Q, Q), ValueError, "t must be an array of at least two times in s, got shape ()"),
    (lambda: Recording(T, "abc", Q), TypeError, "q must hold real numbers"),
    (lambda: Recording(T, Q, without(Q, 7, 1)), ValueError,
     "tau of joint 2 must be finite, got nan at t = 0.142857 s (1 of 100 values are not): leave these samples out"),
    (lambda: Recording(without(T, 3), Q, Q), ValueError, "t must be finite, got nan at sample 3"),
    (lambda: Recording(T[::-1], Q, Q), ValueError,
     "t must increase, but it runs back after sample 0, from 1 to 0.979592 s: is this a second recording"),
    (lambda: Recording(T // 0.1, Q, Q), ValueError, "t must increase, but it stands still after sample 0"),
    (lambda: Recording(T, np.degrees(Q), Q, QD), ValueError,
     "qd of joint 1 is 0.0175 times the slope of q, which looks like rad/s while the angles are in degrees: convert"),
    (lambda: Recording(T, Q, Q, QD * 30 / np.pi), ValueError, "which looks like rpm while the angles are in rad"),
    (lambda: Recording(T, Q, Q, QD * [1, 57.3]), ValueError, "qd of joint 2 is 57.4 times the slope of q, which looks like degrees/s"),
    (lambda: GAPPY.filtered(5), ValueError,
     "t has a gap, the first of 0.5204 s after 0.387755 s, where samples are 0.02041 s apart: a filter needs even steps"),
    (lambda: GOOD.filtered(30), ValueError, "cutoff must be < 19.6 Hz, 0.8 of half the 49 samples a second, got 30"),
    (lambda: GOOD.filtered(-1), ValueError, "cutoff must be > 0 Hz, got -1"),
    (lambda: GOOD.filtered(0.5), ValueError, "a cutoff of 0.5 Hz needs at least"),
    (lambda: identify(ARM, Recording(T, Q, Q)), ValueError,
     "the recording must have rates and accelerations: recording.filtered(cutoff) makes them"),
    (lambda: identify(ONE, GOOD), ValueError, "the recording must have 1 joints, as the arm has, got 2"),
    (lambda: identify(ARM, [T]), TypeError, "recording must be a Recording, or a list of them, got list"),
    (lambda: identify(ARM, GOOD, method="magic"), ValueError,
     "method must be one of ordinary, weighted, robust, instrumental, got 'magic'"),
    (lambda: identify(ARM, GOOD, method="instrumental"), ValueError,
     'instruments must be given with method="instrumental", and with no other'),
    (lambda: identify(ARM, GOOD, method="instrumental", instruments=np.sin), ValueError,
     "instruments must be a function of times (T,) that returns (q, qd, qdd), or have these, of shape (50, 2)"),
    (lambda: identify(ARM, Recording(T, Q, Q, 0 * Q, 0 * Q)), ValueError,
     "the motion excites 4 of 6 base parameters: its torques do not tell I_1zz, I_2zz"),
    (lambda: identify(ARM, GOOD.thinned(30)), ValueError,
     "the recording must have at least 7 samples for an estimate of 6 base parameters by the weighted method, got 2: fewer leave"),
    (lambda: identify(ARM, GOOD.thinned(9), method="ordinary"), ValueError, "at least 7 samples for an estimate of 6 base parameters"),
    (lambda: identify(ARM, GOOD.thinned(3), method="robust"), ValueError, "at least 18 samples for an estimate of 6 base parameters"),
    (lambda: identify(ARM, GOOD, width=0), ValueError, "width must be > 0 rad/s (or m/s), got 0"),
    (lambda: identify(ARM, GOOD, width="a"), TypeError, "width must hold real numbers"),
    (lambda: rd.regressor(ARM, Q, QD, Q, "coulomb", -1), ValueError, "width must be > 0 rad/s (or m/s), got -1"),
    (lambda: rd.regressor(ARM, Q, QD, Q, "coulomb", [1, 2]), ValueError, "width must have shape ()"),
    (lambda: excite(ARM, (0, 1), 1, width=0), ValueError, "width must be > 0 rad/s (or m/s), got 0"),
    (lambda: GOOD.thinned(0), ValueError, "every must be a whole number from 1 to 49, so that two samples stay, got 0"),
    (lambda: GOOD.thinned(1.5), ValueError, "every must be a whole number from 1 to 49, so that two samples stay, got 1.5"),
    (lambda: GOOD.thinned("a"), ValueError, "got 'a'"),
    (lambda: GOOD.thinned(True), ValueError, "got True"),
    (lambda: GOOD.thinned(50), ValueError, "got 50"),
    (lambda: GOOD.between("a", 2), TypeError, "begin must hold real numbers or SymPy expressions, got 'a'"),
    (lambda: GOOD.between(0, np.nan), ValueError, "end must be finite, got nan"),
    (lambda: GOOD.between(0, None), TypeError, "end must hold real numbers"),
    (lambda: GOOD.between(3, np.inf), ValueError,
     "between(3, inf) must hold at least two samples, got 0: t runs from 0 to 1 s"),
    (lambda: GOOD.between(0.5, 0.4), ValueError, "between(0.5, 0.4) must hold at least two samples, got 0"),
    (lambda: GOOD.between(0, 0.01), ValueError, "between(0, 0.01) must hold at least two samples, got 1"),
    (lambda: GOOD.filtered(15).filtered(15), ValueError,
     "the recording must be one that no filter has passed, got one that is filtered at 15 Hz: filter the measured one"),
    (lambda: GOOD.filtered(15).between(0.3, 0.7).filtered(10), ValueError, "one that is filtered at 15 Hz"),
    (lambda: GOOD.filtered(15).resampled(), ValueError, "the recording must be resampled before it is filtered"),
    (lambda: GAPPY.resampled(), ValueError, "t has a gap, the first of 0.5204 s after 0.387755 s"),
    (lambda: Recording(T + 0.0015 * (-1) ** np.arange(50), Q, Q).filtered(15), ValueError,
     "t must have even steps for a filter, got steps that differ by 15 % (root mean square) and samples up to 0.14 steps off"),
    (lambda: Recording(T + 0.02 * np.sin(5 * T), Q, Q).filtered(15), ValueError, "filter recording.resampled(), or"),
    (lambda: identify(rd.robots.two_link(symbolic=True), GOOD), TypeError, "identify needs numbers, got an arm with symbols"),
    (lambda: identify(ARM, GOOD)["m_7"], KeyError, "leads no base parameter, these do: m_1 c_1x"),
    (lambda: excite(ARM, (0, 1, 2), 1), ValueError, "q_limits must be (lower, upper), got (0, 1, 2)"),
    (lambda: excite(ARM, (1, 0), 1), ValueError, "q_limits must be (lower, upper) with lower < upper"),
    (lambda: excite(ARM, (0, 1), [1, -1]), ValueError, "qd_limits must be > 0, got [1.0, -1.0]"),
    (lambda: excite(ARM, (0, 1), 1, [1, 2, 3]), ValueError, "tau_limits must have shape (2,), got (3,)"),
    (lambda: excite(ARM, (0, 1), 1, harmonics=2), ValueError, "harmonics must be a whole number >= 3, got 2"),
    (lambda: excite(ARM, (0, 1), 1, rounds=0.5), ValueError, "rounds must be a whole number >= 1, got 0.5"),
    (lambda: excite(ARM, (0, 1), 1, period=0), ValueError, "period must be > 0 s, got 0"),
    (lambda: excite(ARM, (-0.1, 0.1), 1, 2), ValueError,
     "tau_limits must leave torque for a motion beside the weight, but about q = [0.0, 0.0] none was found"),
    (lambda: physical_parameters(identify(ARM, GOOD), ONE), ValueError, "prior must have 2 links, as the arm of the estimate has, got 1"),
    (lambda: physical_parameters(identify(ARM, GOOD), rd.robots.two_link(masses=(1, 0))), ValueError,
     "prior must give each link a mass, link 2 has none: a rough guess will do"),
    (lambda: physical_parameters(identify(ARM, GOOD), spread=0), ValueError, "spread must be > 0 as a part of the guess, got 0"),
    (lambda: payload(identify(ARM, GOOD), Recording(T, Q, Q)), ValueError, "the recording must have rates and accelerations"),
]  # fmt: skip


@pytest.mark.parametrize("call, kind, sentence", SENTENCES, ids=range(len(SENTENCES)))
def test_bad_data_end_in_a_sentence(call, kind, sentence):
    with pytest.raises(kind, match=re.escape(sentence)):
        call()


def written(tmp_path, text):
    path = tmp_path / "run.csv"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


@pytest.mark.parametrize("separator", [",", ";", "\t"])
def test_units_of_the_header(tmp_path, separator):
    """One motion in SI units, and in degrees, rpm and milliampere, columns in another order, is one recording."""
    names = ["tau2 [mA]", "t [ms]", "q1 [deg]", "q2 [rad]", "qd2 [rad/s]", "qd1 [rpm]", "tau1 [N m]"]
    columns = [1e3 * Q[:, 1] / 20, 1e3 * T, np.degrees(Q[:, 0]), Q[:, 1], QD[:, 1], QD[:, 0] * 30 / np.pi, Q[:, 0]]
    lines = [separator.join(names), *(separator.join(map(repr, map(float, row))) for row in zip(*columns))]
    read = read_csv(written(tmp_path, "\ufeff" + "\r\n".join(lines) + "\n\n"), torque_constants=[1, 20])
    assert np.allclose(read.t, T) and np.allclose(read.q, Q) and np.allclose(read.qd, QD) and np.allclose(read.tau, Q)
    assert read.qdd is None and read.n == 2


def test_pieces_of_a_recording():
    """between and thinned keep what belongs together."""
    piece = GOOD.between(0.2, 0.6).thinned(3)
    places = np.searchsorted(T, piece.t)
    assert piece.t[0] >= 0.2 and piece.t[-1] <= 0.6 and len(piece) == 7
    assert (piece.q == Q[places]).all() and (piece.qd == QD[places]).all() and (piece.qdd == -Q[places]).all()


HEAD = "t [s],q1 [rad],tau1 [N m]\n"
BAD = [
    ("", "run.csv must hold a header and at least two samples, got 0 lines"),
    (HEAD + "0,1,2\n", "must hold a header and at least two samples, got 2 lines"),
    (b"\xff\xfe\x00t", "run.csv must be text in UTF-8, byte 0 is none: save it as CSV again"),
    (b"PK\x03\x04\x00", "run.csv must be text, but holds zero bytes: is it a spreadsheet? Export it as CSV"),
    ("1,2,3\n" * 3, "the header must hold names with units as in t [s], q1 [deg], tau1 [N m], got '1'"),
    ("t,q1,tau1\n" + "0,1,2\n" * 2, "the header must hold names with units as in t [s], q1 [deg], tau1 [N m], got 't'"),
    ("t [s],q1 [grad],tau1 [N m]\n" + "0,1,2\n" * 2, "the unit of q1 must be one of rad, deg, m, mm, got 'grad'"),
    ("t [s],q1 [rad],q1 [rad]\n" + "0,1,2\n" * 2, "the header must name q1 once, got it twice"),
    ("t [s],q1 [rad],q0 [rad]\n" + "0,1,2\n" * 2, "the header must hold names with units"),
    ("t [s],q1 [rad],q3 [rad]\n" + "0,1,2\n" * 2, "the header must name q2, too: 3 joints have columns here"),
    ("q1 [rad],tau1 [N m]\n" + "0,1\n" * 2, "the header must name t, too"),
    ("t [s],q1 [rad]\n" + "0,1\n" * 2, "the header must name tau1, too"),
    ("t [s],q999 [rad]\n" + "0,1\n" * 2, "the header must name q1, q2, q3, q4, q5, .., too: 999 joints"),
    ("t [s],t [s]\n" + "0,1\n" * 2, "the header must name t once"),
    ("t [s]\n0\n1\n", "the header must name q1 and tau1 at least, got t alone"),
    (HEAD + "0,1,2\n1,2\n", "line 3 must have 3 cells, as the header has, got 2: is the file cut off"),
    (HEAD.replace(",", ";") + "0;1,5,5;2\n1;2;3\n", "line 2 must hold numbers, got '1,5,5' below q1 [rad], column 2"),
    (HEAD + "0,1,2\n\n1,2,=SUM(A1:A9)\n", "line 4 must hold numbers, got '=SUM(A1:A9)' below tau1 [N m]"),
    (HEAD + "0,1,2\n1,nan,3\n", "q of joint 1 must be finite, got nan at t = 1 s"),
    (HEAD + "0,1,2\n1,1,1e999\n", "tau of joint 1 must be finite, got inf at t = 1 s"),
    (HEAD + "1,1,2\n0,1,2\n", "t must increase, but it runs back after sample 0, from 1 to 0 s"),
    (HEAD.replace("N m", "A") + "0,1,2\n1,2,3\n", "torque_constants must be given, N m/A at the joint"),
    (HEAD + "0,1," + "9" * 200000 + "\n1,2,3\n", "run.csv is no CSV file: field larger than field limit"),
    (HEAD + '0,1,"2\n1,2,3\n', "must hold a header and at least two samples"),
]  # fmt: skip


@pytest.mark.parametrize("text, sentence", BAD, ids=range(len(BAD)))
def test_hostile_files_end_in_a_sentence(tmp_path, text, sentence):
    with pytest.raises(ValueError, match=re.escape(sentence)):
        read_csv(written(tmp_path, text))


def test_a_text_is_read_as_a_file_is(tmp_path):
    """Open as text; what is neither a path nor a text file ends in a sentence."""
    text = HEAD + "0,1,2\n1,2,3\n2,2,5\n"
    assert read_csv(io.StringIO(text)).tau.tolist() == read_csv(written(tmp_path, text)).tau.tolist() == [[2], [3], [5]]
    for wrong in (io.BytesIO(text.encode()), 3, None):
        with pytest.raises(TypeError, match="path must be the path of a file, or a text file to read, got a"):
            read_csv(wrong)


CELLS = st.sampled_from(
    ["t [s]", "q1 [deg]", "q2 [m]", "tau1 [N m]", "tau1 [A]", "0", "1", "-2e3", "nan", '"', "x" * 50, "٣", ""]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(CELLS, max_size=4), max_size=6), st.sampled_from([",", ";"]), st.binary(max_size=9))
def test_no_file_ends_in_anything_else(tmp_path_factory, rows, separator, more):
    """Cells at random, and bytes at random behind them: a recording or a ValueError."""
    path = tmp_path_factory.mktemp("csv") / "run.csv"
    path.write_bytes("\n".join(separator.join(row) for row in rows).encode() + more)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of columns that are not read
        try:
            read_csv(path)
        except ValueError as error:
            assert "must" in str(error) or "no CSV file" in str(error)
