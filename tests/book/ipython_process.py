"""Runs cells as a notebook does, in a process that has the book's libraries already: most of a kernel's start is their import."""

import multiprocessing
import os
from concurrent.futures import ProcessPoolExecutor

CONTEXT = multiprocessing.get_context("forkserver")
CONTEXT.set_forkserver_preload(["IPython", "matplotlib.pyplot", "sympy", "robotdyn", "eqproof", __name__])


def run_cells(folder, cells):
    """Run the cells in a folder, one after the other, in IPython; what a cell raises is raised."""
    from IPython.core.interactiveshell import InteractiveShell

    os.chdir(folder)
    shell = InteractiveShell.instance()
    for cell in cells:
        shell.run_cell(cell).raise_error()


def run_in_ipython(folder, cells):
    """Run the cells in a folder, in a process of its own."""
    with ProcessPoolExecutor(1, mp_context=CONTEXT) as pool:
        pool.submit(run_cells, folder, cells).result()
