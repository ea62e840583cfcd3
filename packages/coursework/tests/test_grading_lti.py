"""Scores sent by LTI 1.3 to a platform on this machine, which checks who asks and what it gets; platforms that misbehave."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs

import pytest

pytest.importorskip("nbgrader", reason="nbgrader is not installed: pip install './packages/coursework[grade]'")
pytest.importorskip("pylti1p3", reason="PyLTI1p3 is not installed: pip install './packages/coursework[lti]'")

import jwt
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa

from coursework.__main__ import main
from coursework.grading.course import Course
from coursework.grading.key import Key

MEMBERS = [{"user_id": "u1", "email": "Ada@x.edu"}, {"user_id": "u2", "lis_person_sourcedid": "bob"},
           {"user_id": "u3", "email": "cleo@x.edu"}, {"user_id": "u9", "email": "teacher@x.edu"}]  # fmt: skip


class Platform(ThreadingHTTPServer):
    """What a platform keeps: columns, scores in the order in which they came, and how it misbehaves."""

    def __init__(self, public):
        super().__init__(("127.0.0.1", 0), Answers)
        self.public, self.columns, self.scores, self.trouble = public, [], [], ""
        self.at = f"http://127.0.0.1:{self.server_port}"
        threading.Thread(target=self.serve_forever, daemon=True).start()


class Answers(BaseHTTPRequestHandler):
    """Token, members in two pages, columns and scores, as the specifications have them."""

    def say(self, data, status=200, **headers):
        raw = data if isinstance(data, bytes) else json.dumps(data).encode()
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(raw)))
        self.end_headers()
        self.wfile.write(raw)

    def log_message(self, *words):
        """Keep silent."""

    def do_GET(self):
        assert self.headers["Authorization"] == "Bearer of-the-platform"
        if self.path == "/members":
            return self.say({"members": MEMBERS[:2]}, Link=f'<{self.server.at}/members/2>; rel="next"')
        if self.path == "/members/2":
            return self.say({"members": MEMBERS[2:]})
        return self.say(b"<html>" if self.server.trouble == "page" else self.server.columns)

    def do_POST(self):
        server, raw = self.server, self.rfile.read(int(self.headers["Content-Length"]))
        if self.path == "/token":
            if server.trouble == "moved":
                return self.say({}, 307, Location="http://192.0.2.1/token")
            (signed,) = parse_qs(raw.decode())["client_assertion"]
            try:
                claims = jwt.decode(signed, server.public, ["RS256"], audience=f"{server.at}/token")
            except jwt.InvalidTokenError:
                return self.say({"error": "invalid_client"}, 401)
            return self.say({"access_token": "of-the-platform"} if claims["iss"] == "tool-7" else {})
        assert self.headers["Authorization"] == "Bearer of-the-platform"
        if self.path == "/columns":
            server.columns.append(json.loads(raw) | {"id": f"{server.at}/columns/1/lineitem?type=3"})
            return self.say(server.columns[-1], 201)
        assert self.path == "/columns/1/lineitem/scores?type=3"
        if server.trouble == "full" and len(server.scores) == 1:
            return self.say(b"<html>sorry", 500)
        server.scores.append(json.loads(raw))
        return self.say({})


@pytest.fixture
def platform(tmp_path, monkeypatch):
    """A platform that knows the public key of the tool, and the file that names it."""
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    private = rsa.generate_private_key(65537, 2048)
    pem = private.private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    (tmp_path / "tool.pem").write_bytes(pem)
    made = Platform(private.public_key())
    named = {"client_id": "tool-7", "token_url": f"{made.at}/token", "line_items": f"{made.at}/columns",
             "members": f"{made.at}/members", "key": "tool.pem"}  # fmt: skip
    (tmp_path / "lti.json").write_text(json.dumps(named), encoding="utf-8")
    yield made
    made.shutdown()
    made.server_close()


@pytest.fixture
def graded(tmp_path, monkeypatch):
    """A class whose grades are a table: Dan is on no platform, Cleo's is not final."""
    course = Course(tmp_path / "course", new=True)
    (course.folder / "keys/two-link.json").write_text(
        Key("two-link", (), {"gravity": 6.0}, {}, "{}", "seed").to_json(), encoding="utf-8"
    )
    (tmp_path / "students.csv").write_text("id,email\nada,ada@x.edu\nbob,\ncleo,cleo@x.edu\ndan,\n", encoding="utf-8")
    table = [{"student": name, "score": score, "max_score": 6.0, "waits_for_person": waits}
             for name, score, waits in (("ada", 4.5, ""), ("bob", 6.0, ""), ("cleo", 3.0, "explain"), ("dan", 1.0, ""))]  # fmt: skip
    monkeypatch.setattr("coursework.grading.lti.rows", lambda course, assignment, roster: table)
    return table


def send(tmp_path):
    """The command."""
    words = ["--roster", str(tmp_path / "students.csv"), "--course", str(tmp_path / "course")]
    return main(["send", "two-link", str(tmp_path / "lti.json"), *words])


def test_final_scores_arrive_once(platform, graded, tmp_path, capsys):
    """In a column that is made once; the second time only what has changed; who is missing or not final is named."""
    assert send(tmp_path) == 0
    told = capsys.readouterr()
    assert "2 scores sent, 0 stood there already" in told.out
    assert "not a member on the platform: dan" in told.err and "not final, not sent: cleo" in told.err
    assert [(s["userId"], s["scoreGiven"], s["scoreMaximum"]) for s in platform.scores] == [
        ("u1", 4.5, 6),
        ("u2", 6, 6),
    ]
    assert {s["gradingProgress"] for s in platform.scores} == {"FullyGraded"} and platform.scores[0]["timestamp"][
        -1
    ] == "Z"
    assert [(c["tag"], c["scoreMaximum"]) for c in platform.columns] == [("two-link", 6)]
    graded[0]["score"] = 5.0
    assert send(tmp_path) == 0 and "1 scores sent, 1 stood there already" in capsys.readouterr().out
    assert len(platform.columns) == 1 and platform.scores[-1]["scoreGiven"] == 5.0


@pytest.mark.parametrize(
    ("trouble", "words"),
    [
        ("full", "answers 500"),
        ("page", "JSONDecodeError"),
        ("moved", "leads elsewhere"),
    ],
)
def test_a_platform_that_fails_is_named_and_nothing_is_sent_twice(platform, graded, tmp_path, capsys, trouble, words):
    """What was sent before stays sent; the same command sends the rest."""
    platform.trouble = trouble
    assert send(tmp_path) == 1
    told = capsys.readouterr().err
    assert words in told and f"{len(platform.scores)} were sent before" in told and "<html>" not in told
    platform.trouble = ""
    assert send(tmp_path) == 0
    assert sorted(s["userId"] for s in platform.scores) == ["u1", "u2"]


def test_another_key_is_refused_with_a_hint(platform, graded, tmp_path, capsys):
    """The platform does not know it."""
    platform.public = rsa.generate_private_key(65537, 2048).public_key()
    assert send(tmp_path) == 1
    assert "answers 401" in (told := capsys.readouterr().err) and "client_id, key and audience" in told


def test_grades_travel_encrypted_or_not_at_all(platform, graded, tmp_path, capsys):
    """An address without https is refused before anything is asked; so is a file in which one is missing."""
    named = json.loads((tmp_path / "lti.json").read_text(encoding="utf-8"))
    for changed, words in (({"members": "http://x.edu/m"}, "must begin with https"), ({"key": None}, "key is missing")):
        (tmp_path / "lti.json").write_text(json.dumps(named | changed), encoding="utf-8")
        assert send(tmp_path) == 1 and words in capsys.readouterr().err
    assert platform.scores == []


def test_a_member_who_could_be_two_students_is_asked_about(platform, graded, tmp_path, capsys):
    """Nothing is guessed."""
    (tmp_path / "students.csv").write_text("id,email,other\nada,,u1\nbob,,\ncleo,ada@x.edu,\ndan,,\n", encoding="utf-8")
    assert send(tmp_path) == 1 and "look at ada, cleo" in capsys.readouterr().err
    assert platform.scores == []
