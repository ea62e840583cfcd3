"""Checks in a student's notebook: which law or mistake, where; hints; answers handed in as data.

    p = check.begin("two-link", student="ada")      # your own numbers
    check.answer("mass-matrix", M)                  # hands in, and says what the checks found
    check.hint("mass-matrix")                       # three levels
    check.show("let-go")                            # the run, once its prediction is in
    check.progress()                                # 3 of 7 parts hold

Plain Python: it works in any kernel, also in a browser without NumPy.  There a question that asks for a function, an
array or a plot says that it needs NumPy, and all others are checked.  No check prints the value that it expects.
"""

from coursework.check.session import answer, begin, export, export_calls, hint, progress, show

__all__ = ["answer", "begin", "export", "export_calls", "hint", "progress", "show"]
