"""The teacher's side: release, intake, run, merge, feedback, export; `python -m coursework --help`.

Answers leave a student's notebook as data; another process judges the data.  Needs the extra `grade`.
"""
