"""Makes the fonts of the pages, which are kept in book/_static/fonts, from their packages on npm: run when a face or a letter changes.

    npm pack @fontsource-variable/source-serif-4@5.3.1 @fontsource-variable/inter@5.3.0 @fontsource-variable/fira-code@5.3.0
    python -m pip install fonttools==4.68.0 brotli==1.2.1
    python -m bookbuild.text_fonts FOLDER      # the folder of the three .tgz

No build needs this: a fresh machine has no npm, and fontTools packs WOFF2 with Brotli alone, which is no pin. Each face keeps the
letters that the book uses, one optical size and at most the weights from regular to semibold. The SIL Open Font License reserves the
name Source for the original, so what is cut out of it has another name; the licenses lie beside the fonts.
"""

import io
import sys
import tarfile
from dataclasses import dataclass
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

from bookbuild import ROOT

FOLDER = ROOT / "book" / "_static" / "fonts"
ASCII = tuple(range(0x20, 0x7F))
MARKS = tuple(
    map(
        ord,
        "\u00a0\u00a9\u00b0\u00b1\u00b2\u00b3\u00b5\u00b7\u00d7\u2013\u2014\u2018\u2019\u201c\u201d\u2026\u2022\u2212",
    )
)
NAMED = tuple(
    map(
        ord,
        "\u00c5\u00c4\u00d6\u00d8\u00dc\u00df\u00e0\u00e1\u00e4\u00e5\u00e7\u00e8\u00e9\u00ea\u00ed\u00f1\u00f3\u00f6\u00f8\u00fc",
    )
)
LATIN = (*ASCII, *MARKS, *NAMED)  # NAMED: letters of names in the bibliography
NAMES = {1: "{family}", 2: "Regular", 3: "{file}", 4: "{family}", 6: "{file}", 16: "{family}", 17: "Regular"}
KEPT_NAMES = (0, 13, 14)  # copyright and license


@dataclass(frozen=True)
class Face:
    """A font of the pages: where it is cut from, and what of it stays."""

    file: str
    family: str
    package: str
    source: str
    axes: dict[str, float | tuple[float, float]]
    characters: tuple[int, ...] = LATIN
    features: tuple[str, ...] = ("kern", "liga", "ccmp", "tnum")


SERIF = "fontsource-variable-source-serif-4-5.3.1"
SANS = "fontsource-variable-inter-5.3.0"
MONO = "fontsource-variable-fira-code-5.3.0"
# where: change the type of the pages, or take a letter into their fonts
# `book/_static/typography.css`; how the fonts are made anew say the first lines of this file; what a page asks for at
# once: `NEEDED_BY` in `bookbuild.preload_fonts`
FACES = (
    Face("serif", "Book Serif", SERIF, "source-serif-4-latin-opsz-normal", {"opsz": 18, "wght": (400, 600)}),
    Face("serif-italic", "Book Serif", SERIF, "source-serif-4-latin-opsz-italic", {"opsz": 18, "wght": 400}),
    Face(
        "display", "Book Display", SERIF, "source-serif-4-latin-opsz-normal", {"opsz": 36, "wght": 600}, ASCII + MARKS
    ),
    Face("sans", "Book Sans", SANS, "inter-latin-opsz-normal", {"opsz": 14, "wght": (400, 600)}),
    Face("mono", "Book Mono", MONO, "fira-code-latin-wght-normal", {"wght": 400}, ASCII + MARKS, ("ccmp",)),
)


def cut(face: Face, packed: bytes) -> tuple[bytes, str]:
    """Return the WOFF2 of a face, from that of its package, and whose copyright it is."""
    font = TTFont(io.BytesIO(packed), recalcTimestamp=False)
    copyright_notice = str(font["name"].getDebugName(0))
    options = subset.Options(layout_features=list(face.features), hinting=False, notdef_outline=True)
    options.name_IDs = [*KEPT_NAMES, *NAMES]
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=face.characters)
    subsetter.subset(font)
    plain = io.BytesIO()
    font.flavor = None
    font.save(plain)
    font = instancer.instantiateVariableFont(TTFont(plain, recalcTimestamp=False), face.axes)
    for number, pattern in NAMES.items():
        name = pattern.format(family=face.family, file=face.file)
        font["name"].removeNames(nameID=number)
        font["name"].setName(name, number, 3, 1, 0x409)
    font.flavor = "woff2"
    made = io.BytesIO()
    font.save(made)
    return made.getvalue(), copyright_notice


def main(arguments: list[str]) -> int:
    """Write all faces and the licenses of their packages; return the exit code."""
    if len(arguments) != 1:
        print(
            "text_fonts takes the folder in which npm packed the three packages; see its first lines.", file=sys.stderr
        )
        return 2
    FOLDER.mkdir(exist_ok=True)
    for face in FACES:
        with tarfile.open(Path(arguments[0]) / f"{face.package}.tgz") as package:
            packed = package.extractfile(f"package/files/{face.source}.woff2")
            license_text = package.extractfile("package/LICENSE")
            if packed is None or license_text is None:
                raise FileNotFoundError(f"{face.package} has no {face.source} or no license")
            made, copyright_notice = cut(face, packed.read())
            terms = license_text.read().decode("utf-8")
        (FOLDER / f"{face.file}.woff2").write_bytes(made)
        terms = f"{copyright_notice}\n\n{terms[terms.index('This Font Software is licensed') :]}"  # its first line may name the packer
        (FOLDER / f"OFL-{face.package.split('-')[2]}.txt").write_text(terms, encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
