"""Prints as JSON what stands on the pages of a PDF: run by tests/paper_pages.py with the Python of .venv/paper."""

import json
import sys

import pypdfium2

MM = 72 / 25.4
INSIDE, OUTSIDE, TOP, BOTTOM = (
    22 * MM,
    18 * MM,
    10 * MM,
    10 * MM,
)  # of bookbuild/paper.typ; running heads stand above the block

document = pypdfium2.PdfDocument(sys.argv[1])
texts, outside = [], []
for k, page in enumerate(document):
    wide, high = page.get_size()
    left, right = (INSIDE, OUTSIDE) if k % 2 == 0 else (OUTSIDE, INSIDE)
    words = page.get_textpage()
    texts.append(words.get_text_range())
    for i in range(words.count_chars()):
        x, y, far, top = words.get_charbox(i)
        beyond = x < left - 1 or far > wide - right + 1 or y < BOTTOM or top > high - TOP
        if beyond and far > x and words.get_text_range(i, 1).strip():
            outside.append([k + 1, words.get_text_range(max(0, i - 20), 40)])
marks = [mark.get_title() for mark in document.get_toc()]
print(json.dumps({"texts": texts, "outside": outside, "bookmarks": marks}))
