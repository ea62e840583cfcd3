"""Coursework: what a student's notebook imports (`check`), and the teacher's side (`grading`); knows exercises, not the book."""
