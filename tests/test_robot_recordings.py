"""Recordings as robots, programs and people write them: one motion in each of their forms is one recording, or a sentence."""

import datetime
import io
import itertools
import re
import warnings

import numpy as np
import pytest

from robotdyn.identification import read_csv

T = np.array([0, 0.125, 0.25, 0.5, 0.625])
Q = np.stack([np.sin(3 * T), 1.5 - T**2], 1)
QD = np.stack([3 * np.cos(3 * T), -2 * T], 1)
TAU = np.stack([5 * T - 1, np.cos(T)], 1)
NS = 1_700_000_000_000_000_000  # nanoseconds since 1970, in November 2023
DEG = 180 / np.pi


def number(x):
    return x if isinstance(x, str) else repr(x.item() if isinstance(x, np.generic) else x)


def lines(header, *columns, separator=",", decimal="."):
    """The text of a file, one list of cells or array a column; arrays (T, 2) are two columns."""
    flat = [column for part in columns for column in (part.T if np.ndim(part) == 2 else [part])]
    rows = [separator.join(number(x).replace(".", decimal) for x in row) for row in zip(*flat)]
    return "\n".join(([header] if header else []) + rows) + "\n"


def stamps(form="%Y-%m-%dT%H:%M:%S.%f", end=""):
    begin = datetime.datetime(2026, 5, 31, 23, 59, 59, 750_000)
    return [(begin + datetime.timedelta(seconds=t)).strftime(form) + end for t in T]


NANOSECONDS = [NS + round(1e9 * t) for t in T]
SECONDS = [x // 10**9 for x in NANOSECONDS]
REST = [x % 10**9 for x in NANOSECONDS]
NAMES = [["arm_joint1", "arm_joint2"]] * len(T)
OWN = "t [s],q1 [rad],q2 [rad],tau1 [N m],tau2 [N m]"

# (text, options, the columns that a warning names, whether rates are read)
KINDS = {
    "own": (lines(OWN, T, Q, TAU), {}, [], False),
    "round brackets": (lines(re.sub(r"\[(.*?)\]", r"(\1)", OWN), T, Q, TAU), {}, [], False),
    "after an underscore": (lines("time_ms,q1_deg,q2_deg,qd_1_rad/s,qd_2_rad_s,tau1_Nm,tau2_mNm",
                                  1e3 * T, DEG * Q, QD, TAU * [1, 1e3]), {}, [], True),
    "spellings": (lines("Time [sec],q1 [°],q2 [degrees],qd1 [1/s],qd2 [°/s],qdd1 [rad/s²],qdd2 [deg/s^2],tau1 [N·m],tau2 [N*m]",
                        T, Q * DEG, QD * [1, DEG], Q * [1, DEG], TAU), {}, [], True),
    "dashes": (lines("time(s), q1(rad), q2(rad), tau1(N-m), tau2(Nm)", T, Q, TAU), {}, [], False),
    "from zero": (lines("t [s],q0 [rad],q1 [rad],tau0 [Nm],tau1 [Nm]", T, Q, TAU), {}, [], False),
    "names of nobody, units of all": (
        lines("Zeit [ms],A1 [deg],Joint 2 angle (degrees),M1 [mNm],Drehmoment 2 [Nm]", 1e3 * T, Q * DEG, TAU * [1e3, 1]),
        {"columns": {"t": "Zeit [ms]", "q1": "A1 [deg]", "q2": "Joint 2 angle (degrees)", "tau1": "M1 [mNm]", "tau2": "Drehmoment 2 [Nm]"}}, [], False),
    "in brackets": (lines("t [s],q[0] [rad],q[1] [rad],dq[0] [rad/s],dq[1] [rad/s],torque[0] [Nm],torque[1] [Nm]", T, Q, QD, TAU),
                    {}, [], True),
    "Matlab": (lines("t [s],q(1) [rad],q(2) [rad],qdot(1) [rad/s],qdot(2) [rad/s],tau(1) [Nm],tau(2) [Nm]", T, Q, QD, TAU),
               {}, [], True),
    "joint first": (lines("t [s],joint1_position [rad],joint2_position [rad],joint1_torque [Nm],joint2_torque [Nm]", T, Q, TAU),
                    {}, [], False),
    "units below": (lines("t;q1;q2;temp;tau1;tau2\n[ms];[deg];;[°C];Nm;mNm", 1e3 * T, Q * DEG, T, TAU * [1, 1e3], separator=";")
                    .replace("q2;", "q2 [deg];"), {}, ["temp"], False),
    "decimal commas": (lines(OWN.replace(",", ";"), T, Q, TAU, separator=";", decimal=","), {}, [], False),
    "decimal commas and tabs": (lines(OWN.replace(",", "\t"), T, Q, TAU, separator="\t", decimal=","), {}, [], False),
    "quoted decimal commas": (lines(",".join(f'"{name}"' for name in OWN.split(",")), T, Q, TAU, separator='","', decimal=",")
                              .replace('\n', '"\n"').replace('""', '"').removesuffix('"'), {}, [], False),
    "blanks": (lines("t [s]  q1 [rad]   q2 [rad] tau1 [N m] tau2 [N m] ", T, Q, TAU, separator="   "), {}, [], False),
    "blanks and decimal commas": (lines("t[s] q1[rad] q2[rad] tau1[Nm] tau2[Nm]", T, Q, TAU, separator=" ", decimal=","), {}, [], False),
    "a header that is a comment": (lines("# run 7\n# t [s] q1 [rad] q2 [rad] tau1 [N m] tau2 [N m]", T, Q, TAU, separator=" "),
                                   {}, [], False),
    "units that are a comment": (lines("% made by hand\n% t, q1, q2, tau1, tau2\n% s, deg, deg, Nm, Nm", T, Q * DEG, TAU), {}, [], False),
    "comments": ("# a run\n" + lines(OWN, T, Q, TAU).replace("\n0.25", "\n  % a pause\n\n0.25") + "# end\n", {}, [], False),
    "a spreadsheet": ("\ufeffsep=;\r\n" + lines(OWN.replace(",", ";") + ";", T, Q, TAU, [""] * 5, separator=";").replace("\n", "\r\n"),
                      {}, [], False),
    "separators at the end": (lines(OWN, T, Q, TAU, [""] * 5), {}, [], False),
    "nanoseconds since 1970": (lines("timestamp," + OWN[6:], NANOSECONDS, Q, TAU), {}, [], False),
    "seconds since 1970": (lines("timestamp [s]," + OWN[6:], [f"{s}.{r:09d}" for s, r in zip(SECONDS, REST)], Q, TAU), {}, [], False),
    "dates": (lines("time," + OWN[6:], stamps(end="Z"), Q, TAU), {}, [], False),
    "dates with blanks": (lines("time;" + OWN[6:].replace(",", ";"), stamps("%Y-%m-%d %H:%M:%S.%f", "+02:00"), Q, TAU, separator=";"),
                          {}, [], False),
    "RTDE": (lines("timestamp actual_q_0 actual_q_1 actual_qd_0 actual_qd_1 target_q_0 target_moment_0 target_moment_1",
                   T, Q, QD, T, TAU, separator=" "), {}, ["target_q_0"], True),
    "RTDE currents": (lines("timestamp,actual_q_0,actual_q_1,target_moment_0,target_moment_1,actual_current_0,actual_current_1",
                            T, Q, 7 * TAU, TAU / [10, 20]), {"torque_constants": (10, 20)}, ["target_moment_0", "target_moment_1"], False),
    "libfranka": (lines("time, success_rate, state.q[0], state.q[1], state.q_d[0], state.dq[0], state.dq[1], state.tau_J[0], "
                        "state.tau_J[1], cmd.q_d[0]", 1e3 * T, T, Q, T, QD, TAU, T),
                  {}, ["success_rate", "state.q_d[0]", "cmd.q_d[0]"], True),
    "Franka": (lines("t [s],q[0],q[1],dq[0],dq[1],tau_J[0],tau_J[1]", T, Q, QD, TAU), {}, [], True),
    "Franka with underscores": (lines("timestamp_ns,q_0,q_1,tau_J_0,tau_J_1", NANOSECONDS, Q, TAU), {}, [], False),
    "rostopic": (lines("%time,field.header.seq,field.header.stamp,field.name0,field.name1,field.position0,field.position1,"
                       "field.velocity0,field.velocity1,field.effort0,field.effort1",
                       [x + 70 for x in NANOSECONDS], range(5), NANOSECONDS, np.array(NAMES), Q, QD, TAU),
                 {}, ["%time", "field.header.seq", "field.name0", "field.name1"], True),
    "bag": (lines(".header.stamp.secs,.header.stamp.nsecs,.position[0],.position[1],.effort[0],.effort[1]", SECONDS, REST, Q, TAU),
            {}, [], False),
    "PlotJuggler": (lines("__time,/joint_states/joint1/effort,/joint_states/joint1/position,/joint_states/joint2/effort,"
                          "/joint_states/joint2/position", [f"{s}.{r:09d}" for s, r in zip(SECONDS, REST)],
                          TAU[:, 0], Q[:, 0], TAU[:, 1], Q[:, 1]), {}, [], False),
    "PlotJuggler arrays": (lines("__time,/joint_states/position[0],/joint_states/position[1],/joint_states/effort[0],/joint_states/effort[1]",
                                 T, Q, TAU), {}, [], False),
    "a table of messages": (lines("Time,position_0,position_1,velocity_0,velocity_1,effort_0,effort_1", T, Q, QD, TAU), {}, [], True),
    "named columns": (lines("zeit,schulter,ellbogen,m1,m2", 1e3 * T, Q * DEG, TAU),
                      {"columns": {"t": ("zeit", "ms"), "q1": ("schulter", "deg"), "q2": ("ellbogen", "deg"),
                                   "tau1": ("m1", "N m"), "tau2": ("m2", "Nm")}}, [], False),
    "the joints of an arm": (lines("t [s],q1 [rad],q2 [rad],q3 [rad],torque1 [Nm],torque2 [Nm],torque3 [Nm]", T, Q, T, TAU, T),
                             {"columns": {"q1": "q1 [rad]", "q2": "q2 [rad]"}}, ["q3 [rad]", "torque3 [Nm]"], False),
    "messages whose order is known": (lines("%time,field.name0,field.name1,field.position0,field.position1,field.effort0,field.effort1",
                                            NANOSECONDS, ["elbow"] * 5, ["base"] * 5, Q[:, ::-1], TAU[:, ::-1]),
                                      {"columns": {"q1": "field.position1", "q2": "field.position0", "tau1": "field.effort1",
                                                   "tau2": "field.effort0"}}, ["field.name0", "field.name1"], False),
    "a stamp with its unit": (lines(".header.stamp.secs,.header.stamp.nsecs,.position[0],.position[1],.effort[0],.effort[1]",
                                    SECONDS, REST, Q, TAU), {"columns": {"t": (".header.stamp.secs", "s")}}, [], False),
    "joints in another order": (lines("__time,/joint_states/elbow/position,/joint_states/shoulder/position,tau1 [Nm],tau2 [Nm]",
                                      T, Q[:, ::-1], TAU),
                                {"columns": {"q1": "/joint_states/shoulder/position", "q2": "/joint_states/elbow/position"}}, [], False),
}  # fmt: skip


@pytest.mark.parametrize("kind", KINDS)
def test_one_motion_is_one_recording(kind):
    """In whatever form: the same times (from the first on, where they are since 1970), angles, rates and torques."""
    text, options, skipped, rates = KINDS[kind]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        read = read_csv(io.StringIO(text), **options)
    assert np.allclose(read.t, T, rtol=0, atol=1e-9)
    assert np.allclose(read.q, Q, atol=1e-12) and np.allclose(read.tau, TAU, atol=1e-12)
    assert (read.qd is not None) == rates and (not rates or np.allclose(read.qd, QD, atol=1e-12))
    assert len(caught) == bool(skipped)
    for name in skipped:
        assert repr(name) in str(caught[0].message)


HEAD = "t [s],q1 [rad],tau1 [N m]\n"
PAIRS = "0,1,2,3,4\n1,2,3,4,5\n"
REFUSED = [
    ("time,q1 [rad],tau1 [N m]\n0,1,2\n1,2,3\n", {}, "got 'time' (line 1, column 1), which may be in s or in ms: "
     'columns={"t": (\'time\', "s"), ..} or {"t": (\'time\', "ms"), ..} says which'),
    ("time,q[0],tau_J[0]\n0,1,2\n1,2,3\n", {}, "got 'time' (line 1, column 1), which may be in s or in ms"),
    ("t [s],q1,tau1 [N m]\n0,1,2\n1,2,3\n", {}, "got 'q1' (line 1, column 2), which may be in rad or in deg"),
    ("# run\nt [s],position_1,torque_1\n0,1,2\n1,2,3\n", {}, "got 'position_1' (line 2, column 2), which may be in rad or in deg"),
    ("t [s],q1 [rad],current_1\n0,1,2\n1,2,3\n", {"torque_constants": 1}, "got 'current_1' (line 1, column 3), which may be in A or in mA"),
    ("t [s],q1 [rad],current_1 [Nm]\n0,1,2\n1,2,3\n", {}, "the unit of tau1 must be one of A, mA, got 'Nm': line 1, column 3"),
    ("t [s],q1 [rad],position_1 [rad],tau1 [Nm],x\n" + PAIRS, {}, "the header must name q1 once, but q1 may be 'q1 [rad]' (line 1, column 2) "
     "or 'position_1 [rad]' (line 1, column 3): columns={\"q1\": 'q1 [rad]', ..} or {\"q1\": 'position_1 [rad]', ..} says which"),
    ("timestamp,actual_q_0,target_moment_0,actual_current_0,x\n" + PAIRS, {},
     "tau1 may be 'target_moment_0' (line 1, column 3) or 'actual_current_0' (line 1, column 4)"),
    ("timestamp,actual_q_0,target_moment_0,actual_current_0,x\n" + PAIRS, {}, "and torque_constants= takes the currents"),
    ("timestamp,actual_q_0,actual_q_1,target_moment_0,target_moment_1,actual_flow_0,actual_current_1\n0,1,2,3,4,5,6\n1,2,3,4,5,6,7\n",
     {"torque_constants": 1}, "tau of all joints must have one name, got 'target_moment_0' (line 1, column 4) and 'actual_current_1' "
     "(line 1, column 7), which may be another thing: columns={\"tau1\": 'target_moment_0', \"tau2\": 'actual_current_1', ..} says"),
    ("__time,/js/joint1/position,/goal/joint2/position,tau1 [Nm],tau2 [Nm]\n" + PAIRS, {}, "q of all joints must have one name"),
    ("__time,/js/joint1/position,/js/finger_joint2/position,tau1 [Nm],tau2 [Nm]\n" + PAIRS, {}, "q of all joints must have one name"),
    ("time [s],timestamp [s],q1 [rad],tau1 [Nm],x\n" + PAIRS, {}, "t may be 'time [s]' (line 1, column 1) or 'timestamp [s]'"),
    ("t [s],q0 [rad],q1 [rad],tau1 [Nm],tau2 [Nm]\n" + PAIRS, {}, "the header must count all joints from 0 or all from 1, got 'q0 [rad]' "
     "(line 1, column 2) and 'tau1 [Nm]' (line 1, column 4) with none of number 0: 'q0 [rad]' may be joint 1, or 'q1 [rad]'"),
    ("t [s],/js/elbow/position,/js/base/position,/js/elbow/effort,/js/base/effort\n" + PAIRS, {},
     "each joint must have a number, got '/js/elbow/position' (line 1, column 2), which may be any joint of the arm"),
    ("%time,field.name0,field.name1,field.position0,field.position1,field.effort0,field.effort1\n0,elbow_joint,base_joint,1,2,3,4\n"
     "1,elbow_joint,base_joint,1,2,3,4\n", {}, "the joints must stand in the order of the arm, got 'elbow_joint', 'base_joint'"),
    (".header.stamp.secs,.position[0],.effort[0]\n0,1,2\n1,2,3\n", {}, "must have one column of nanoseconds beside '.header.stamp.secs'"),
    ("t [s];q1 [rad];tau1 [Nm]\n1,500;2,250;3,125\n2,500;2,250;3,125\n", {},
     "got '1,500' in line 2, column 1, which may be 1.500 or 1500"),
    ("t [s];q1 [rad];tau1 [Nm]\n0,5;2;3\n1,5;2.5;3\n", {},
     "must have decimal commas or decimal points, got '0,5' in line 2, column 1 and '2.5' in line 3, column 2"),
    ("t,q1 [deg],tau1\ns,rad,Nm\n0,1,2\n1,2,3\n", {}, "q1 must have one unit, got deg in line 1 and rad in the line of units, column 2: "
     "columns={\"q1\": ('q1 [deg]', \"deg\")} settles it"),
    ("t,q1,tau1\ns,V,Nm\n0,1,2\n1,2,3\n", {}, "the unit of q1 must be one of rad, deg, m, mm, got 'V': line 1, column 2"),
    (HEAD + "0,1,2\n#DIV/0!,2,3\n2,3,4\n", {}, "line 3 must hold numbers, got '#DIV/0!' below t [s], column 1"),
    ("q1 [rad],tau1 [N m],time\n0,1\n1,2,3\n", {}, "got 'time' (line 1, column 3), which may be in s or in ms"),
    (HEAD + "0,1,2\n1,2,\n", {}, "line 3 must hold numbers, got '' below tau1 [N m], column 3"),
    (HEAD + "#\n0,1,2\n\n1,nan,2\n", {}, "q of joint 1 must be finite, got nan at t = 1 s"),
    (HEAD + "#\n0,1,2\n\n1,nan,2\n", {}, ": line 5, column 2"),
    (HEAD + "0,1,2\n5,1,2\n3,1,2\n", {}, "t must increase, but it runs back after sample 1, from 5 to 3 s"),
    (HEAD + "0,1,2\n5,1,2\n3,1,2\n", {}, ": line 4, column 1"),
    (HEAD.replace("t [s]", "time") + "2026-05-01T12:00:00Z,1,2\n2026-05-01T12:00:01,1,2\n", {},
     "line 3 must hold a date as 2026-05-01T12:00:00Z has it, got '2026-05-01T12:00:01' below time, column 1"),
    (HEAD.replace("t [s]", "time") + "2026-02-30T12:00:00,1,2\n2026-05-01T12:00:01,1,2\n", {}, "line 2 must hold a date"),
    (HEAD + "2026-05-01T12:00:00Z,1,2\n2026-05-01T12:00:01,1,2\n", {}, "line 2 must hold numbers"),
    ("t [s],shoulder,tau1 [N m]\n0,1,2\n1,2,3\n", {}, "got 'shoulder' (line 1, column 2) and no q1: "
     "columns={\"q1\": ('shoulder', \"rad\"), ..} names columns that have other names"),
    ("t [s],A1 [deg],tau1 [Nm]\n0,1,2\n1,2,3\n", {}, "columns={\"q1\": 'A1 [deg]', ..} names columns that have other names"),
    ("t [s],q0 [rad],q1 [rad],q2 [rad],tau0 [Nm]\n" + PAIRS, {}, "no tau2, tau3: columns="),
    (HEAD + "0,1,2\n1,2,3\n", {"columns": {"q0": "q1 [rad]"}}, "columns must name t, q1, .., qd1, .., qdd1, .., tau1, .., got 'q0'"),
    (HEAD + "0,1,2\n1,2,3\n", {"columns": {"q1": "q1"}}, "columns['q1'] must be a header that line 1 has once, got 'q1', which it has not: "
     "it has 'q1 [rad]'"),
    ("t [s],a,a,tau1 [Nm]\n0,1,2,3\n1,2,3,4\n", {"columns": {"q1": ("a", "rad")}}, "got 'a', which it has 2 times"),
    (HEAD + "0,1,2\n1,2,3\n", {"columns": {"q1": ("q1 [rad]", "furlong")}}, "the unit of q1 must be one of rad, deg, m, mm, got 'furlong'"),
    (HEAD + "0,1,2\n1,2,3\n", {"columns": {"q1": "q1 [rad]", "q2": "q1 [rad]"}}, "columns must name each header of the file once"),
    (HEAD.replace("q1 [rad]", "angle") + "0,1,2\n1,2,3\n", {"columns": {"q1": "angle"}}, "got 'angle' (line 1, column 2), which may be in rad"),
]  # fmt: skip


@pytest.mark.parametrize("text, options, sentence", REFUSED, ids=range(len(REFUSED)))
def test_what_may_be_two_things_is_refused(text, options, sentence):
    """With both readings, the place in the file, and what settles it."""
    with pytest.raises(ValueError, match=re.escape(sentence)):
        read_csv(io.StringIO(text), **options)


@pytest.mark.parametrize("columns", ["q1", ["q1"], {"q1": 3}, {"q1": ("a", "b", "c")}, {"q1": (3, "rad")}])
def test_columns_are_a_dictionary_of_headers(columns):
    with pytest.raises(TypeError, match="columns"):
        read_csv(io.StringIO(HEAD + "0,1,2\n1,2,3\n"), columns=columns)


def test_what_settles_a_file_is_what_the_sentence_shows():
    """The words after columns= of a sentence, completed, make the file a recording, in the unit that they say."""
    text = "time,q1,tau1 [N m]\n0,180,2\n1000,90,3\n"
    read = read_csv(io.StringIO(text), columns={"t": ("time", "ms"), "q1": ("q1", "deg")})
    assert read.t.tolist() == [0, 1] and np.allclose(read.q, [[np.pi], [np.pi / 2]])
    both = "timestamp,actual_q_0,target_moment_0,actual_current_0\n0,1,2,3\n1,2,3,4\n"
    with pytest.warns(UserWarning, match="columns that are not read: 'actual_current_0'"):
        assert read_csv(io.StringIO(both), columns={"tau1": "target_moment_0"}).tau.tolist() == [[2], [3]]
    with pytest.warns(UserWarning, match="columns that are not read: 'target_moment_0'"):
        assert read_csv(io.StringIO(both), 10, {"tau1": "actual_current_0"}).tau.tolist() == [[30], [40]]


@pytest.mark.parametrize("form", ["%z", "%:z", "%H"])
def test_dates_of_any_zone_are_the_times_that_they_say(form):
    """Each row by the clock of another zone, east or west of Greenwich: the same seconds apart as by one clock."""
    minutes = (0, 60, -60, 120, -300, 840, -660) if form == "%H" else (0, 330, -210, 345, -570, 840, -660)
    rows = []
    for t, x in zip(T, itertools.cycle(minutes)):
        zone = datetime.timezone(datetime.timedelta(minutes=x))
        there = datetime.datetime(2026, 2, 28, 23, 59, 59, 500_000, datetime.UTC) + datetime.timedelta(seconds=float(t))
        there = there.astimezone(zone)
        end = there.strftime("%z")  # as +0530
        end = {"%z": end, "%:z": f"{end[:3]}:{end[3:]}", "%H": end[:3]}[form]
        rows.append(there.strftime("%Y-%m-%dT%H:%M:%S.%f") + end)
    assert np.allclose(read_csv(io.StringIO(lines("time," + OWN[6:], rows, Q, TAU))).t, T, rtol=0, atol=1e-9)


def test_own_times_stay():
    """A time under t in s, ms or us is kept as it is, also one since 1970; nanoseconds since 1970 lose no digit."""
    read = read_csv(io.StringIO(HEAD + "1700000000.5,1,2\n1700000001.5,2,3\n"))
    assert read.t.tolist() == [1700000000.5, 1700000001.5]
    text = f"time,q1 [rad],tau1 [Nm]\n{NS + 1},1,2\n{NS + 4},2,3\n"
    assert np.allclose(read_csv(io.StringIO(text)).t, [0, 3e-9], rtol=1e-12, atol=0)
