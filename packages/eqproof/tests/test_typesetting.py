r"""Commands and signs that change only the look of a formula: the verdict is that of the plain one, a false one stays false."""

import re

import pytest

from eqproof.checked_steps import steps_in
from eqproof.sources import sources_in

PLAIN = (  # true, and false
    (r"(1 + \tan^2 x) \cos^2 x = \cos^2 x + \sin^2 x = 1", r"(1 + \tan^2 x) \cos^2 x = \cos^2 x - \sin^2 x"),
    (r"\frac{1}{2} m (v_1 + v_2)^2 = \frac{1}{2} m v_1^2 + m v_1 v_2 + \frac{1}{2} m v_2^2", r"\frac{1}{2} m (v_1 + v_2)^2 = \frac{1}{2} m v_1^2 + \frac{1}{2} m v_2^2"),
    (r"\left( \alpha + \beta \right) \cdot (\alpha - \beta) = \alpha^2 - \beta^2", r"\left( \alpha + \beta \right) \cdot (\alpha - \beta) = \alpha^2 + \beta^2"),
    (r"\sqrt{a^2 + 2 a b + b^2} = |a + b|", r"\sqrt{a^2 + 2 a b + b^2} = |a - b|"),
    (r"\sum_{i=1}^{n} i = \frac{n (n + 1)}{2}", r"\sum_{i=1}^{n} i = \frac{n (n - 1)}{2}"),
    (r"\frac{d}{dx} (x^3 + a) = 3 x^2", r"\frac{d}{dx} (x^3 + a) = 2 x^2"),
    (r"\int_0^a 2 x\,dx = a^2", r"\int_0^a 2 x\,dx = a"),
    (r"\mathbf{a}^\top \mathbf{b} + 2 = 2 + \mathbf{a}^\top \mathbf{b}", r"x (y + z) = x y - x z"),
    (r"x'' + k x' - x'' = k x'", r"x'' + k x' - x'' = k x''"),
    (r"\begin{pmatrix} a & b \\ c & d \end{pmatrix} \begin{pmatrix} 1 \\ 0 \end{pmatrix} = \begin{pmatrix} a \\ c \end{pmatrix}", r"\begin{pmatrix} a & b \\ c & d \end{pmatrix} \begin{pmatrix} 1 \\ 0 \end{pmatrix} = \begin{pmatrix} a \\ b \end{pmatrix}"),
)  # fmt: skip
MOST_DISPLAYS = 2  # that are tried with each rewrite: all of them take minutes
REWRITES = {  # what TeX prints alike, or nearly so: (a pattern, what stands there instead)
    "sp": (r"\^", r"\\sp "),
    "sb": (r"_", r"\\sb "),
    "mspace": (r" \+ ", r" \\mspace{3mu}+ "),
    "mathstrut": (r"= ", r"= \\mathstrut "),
    "strut": (r"= ", r"= \\strut "),
    "hfill": (r"= ", r"=\\hfill "),
    "mathrel": (r"= (?!1\}|1)", r"\\mathrel{=} "),
    "mathbin": (r" \+ ", r" \\mathbin{+} "),
    "mathop": (r"\\sin", r"\\mathop{\\rm sin}\\nolimits "),
    "mathoprm": (r"\\(sin|cos|tan)(\^2)? x", r"\\mathop{\\mathrm{\1}}\2 x"),
    "lparen": (r"(?<!\\left)\(([^()]*)(?<!\\right )\)", r"\\lparen \1\\rparen "),
    "color": (r"= ", r"= \\color{blue} "),
    "textcolor": (r"= ", r"\\textcolor{red}{=} "),
    "primes": (r"x''", r"x^{\\prime\\prime}"),
    "prime": (r"x'(?!')", r"x^\\prime"),
    "primeb": (r"x'(?!')", r"x^{\\prime}"),
    "negspace": (r"\^\\top", r"^{\\!\\top}"),
    "braced_minus": (r" - ", r" {-} "),
    "braced_plus": (r" \+ ", r" {+} "),
    "braced_eq": (r" = ", r" {=} "),
    "braced_cdot": (r"\\cdot", r"{\\cdot}"),
    "u_alpha": (r"\\alpha", r"α"),
    "u_beta": (r"\\beta", r"β"),
    "u_cdot": (r"\\cdot", r"·"),
    "u_minus": (r"-", r"−"),
    "u_sq": (r"\^2", r"²"),
    "u_cube": (r"\^3", r"³"),
    "u_sub": (r"_1(?!\w)", r"₁"),
    "u_sub2": (r"_2", r"₂"),
    "u_sum": (r"\\sum", r"∑"),
    "u_int": (r"\\int", r"∫"),
    "u_half": (r"\\frac\{1\}\{2\}", r"½"),
    "u_prime": (r"'", r"′"),
    "u_sqrt": (r"\\sqrt", r"√"),
    "dfrac": (r"\\frac", r"\\dfrac"),
    "cfrac": (r"\\frac", r"\\cfrac"),
    "nicefrac": (r"\\frac", r"\\nicefrac"),
    "sfrac": (r"\\frac\{1\}\{2\}", r"\\sfrac{1}{2}"),
    "frac12": (r"\\frac\{1\}\{2\}", r"\\tfrac12"),
    "frac 1 2": (r"\\frac\{1\}\{2\}", r"\\frac 1 2 "),
    "frac1{2}": (r"\\frac\{1\}\{2\}", r"\\frac1{2}"),
    "over": (r"\\frac\{([^{}]*)\}\{([^{}]*)\}", r"{\1 \\over \2}"),
    "hspace": (r"= ", r"= \\hspace{1em} "),
    "hskip": (r"= ", r"=\\hskip 3pt "),
    "kern": (r"= ", r"=\\kern 1pt "),
    "mkern": (r" \+ ", r" +\\mkern3mu "),
    "mskip": (r" \+ ", r" +\\mskip 3mu "),
    "thinspace": (r" \+ ", r"\\thinspace + "),
    "medspace": (r" \+ ", r"\\medspace + "),
    "negthinspace": (r" \+ ", r"\\negthinspace + "),
    "enskip": (r" \+ ", r"+\\enskip "),
    "enspace": (r" \+ ", r"+\\enspace "),
    "hspace back": (r"= ", r"= \\hspace{-0.1em} "),
    "quads before a relation": (r"= ", r"\\qquad\\quad = "),
    "empty mathop": (r"dx(?= =)", r"\\mathop{}\\!\\mathrm{d}x"),
    "formula in a box": (r"\bm\b(?= )", r"\\mbox{$m$}"),
    "formula in text": (r"\b([ax])\b(?= [-+])", r"\\text{$\1$}"),
    "arrayt": (r"\\begin\{pmatrix\}(.*?)\\end\{pmatrix\}", r"\\left[\\begin{array}[t]{cc}\1\\end{array}\\right]"),
    "phantom": (r"= ", r"= \\phantom{-} "),
    "hphantom": (r"= ", r"= \\hphantom{x} "),
    "vphantom": (r"= ", r"= \\vphantom{\\frac{a}{b}} "),
    "vphantomnest": (r"= ", r"= \\vphantom{\\frac{a}{b_{\\mathrm{i}}}} "),
    "smash": (r"\\cos\^2 x", r"\\smash{\\cos^2 x}"),
    "smasho": (r"v_1 \+", r"\\smash[b]{v_1} +"),
    "displaystyle": (r"= ", r"= \\displaystyle "),
    "textstyle": (r"\\sum", r"\\textstyle\\sum"),
    "scriptstyle": (r"= ", r"= \\scriptstyle "),
    "limits": (r"\\sum", r"\\sum\\limits"),
    "nolimits": (r"\\sum", r"\\sum\\nolimits"),
    "intlimits": (r"\\int", r"\\int\\limits"),
    "displaylimits": (r"\\sum", r"\\sum\\displaylimits"),
    "big": (r"(?<!left)\(([^()]*)(?<!right )\)", r"\\big(\1\\big)"),
    "Biggl": (r"(?<!left)\(([^()]*)(?<!right )\)", r"\\Biggl(\1\\Biggr)"),
    "bigbar": (r"\|([^|]*)\|", r"\\bigl|\1\\bigr|"),
    "leftright": (r"(?<!left)\(([^()]*)(?<!right )\)", r"\\left(\1\\right)"),
    "mleft": (r"(?<!left)\(([^()]*)(?<!right )\)", r"\\mleft(\1\\mright)"),
    "lvert": (r"\|([^|]*)\|", r"\\lvert \1\\rvert "),
    "vert": (r"\|([^|]*)\|", r"\\vert \1\\vert "),
    "leftvert": (r"\|([^|]*)\|", r"\\left\\vert \1\\right\\vert "),
    "mathit": (r"\bm\b(?=[ ])", r"\\mathit{m}"),
    "mathnormal": (r"\bm\b(?=[ ])", r"\\mathnormal{m}"),
    "bm": (r"\\mathbf\{(.)\}", r"\\bm{\1}"),
    "symbf": (r"\\mathbf", r"\\symbf"),
    "bf": (r"\\mathbf\{(.)\}", r"{\\bf \1}"),
    "pmb": (r"\\mathbf", r"\\pmb"),
    "boldsym": (r"\\mathbf\{(.)\}", r"\\boldsymbol \1"),
    "sin_op": (r"\\(sin|cos|tan)\b", r"\\operatorname{\1}"),
    "sin_opstar": (r"\\(sin|cos|tan)\b", r"\\operatorname*{\1}"),
    "mathrmsin": (r"\\(sin|cos|tan)\^2 x", r"\\mathrm{\1}^2 x"),
    "rmsin": (r"\\(sin|cos|tan)\^2 x", r"{\\rm \1}^2 x"),
    "ensuremath": (r"= (.*)$", r"= \\ensuremath{\1}"),
    "relax": (r"= ", r"= \\relax "),
    "null": (r"= ", r"= \\null "),
    "allowbreak": (r"= ", r"=\\allowbreak "),
    "nobreak": (r"= ", r"=\\nobreak "),
    "nonumber": (r"$", r" \\nonumber"),
    "notag": (r"$", r" \\notag"),
    "label": (r"$", r" \\label{eq:a}"),
    "tag": (r"$", r" \\tag{3a}"),
    "tagstar": (r"$", r" \\tag*{[3]}"),
    "tilde": (r" \+ ", r"~+~"),
    "leftnull": (r"= (.*)$", r"= \\left.\1\\right."),
    "comment": (r"= ", '= % here = 3\n '),
    "hbox": (r"= ", r"= \\hbox{} "),
    "mbox": (r"= ", r"= \\mbox{} "),
    "text": (r"= ", r"= \\text{} "),
    "textsp": (r"= ", r"= \\text{ } "),
    "empty": (r" \+ ", r" {}+{} "),
    "emptyeq": (r" = ", r" {}={} "),
    "gathered": (r"^(.*)$", r"\\begin{gathered} \1 \\end{gathered}"),
    "aligned": (r"^(.*)$", r"\\begin{aligned} \1 \\end{aligned}"),
    "alignedt": (r"^(.*)$", r"\\begin{aligned}[t] \1 \\end{aligned}"),
    "split": (r"^(.*)$", r"\\begin{split} \1 \\end{split}"),
    "multlined": (r"^(.*)$", r"\\begin{multlined} \1 \\end{multlined}"),
    "alignedat": (r"^(.*)$", r"\\begin{alignedat}{2} \1 \\end{alignedat}"),
    "bmatrix": (r"pmatrix", r"bmatrix"),
    "Bmatrix": (r"pmatrix", r"Bmatrix"),
    "smallmatrix": (r"\\begin\{pmatrix\}(.*?)\\end\{pmatrix\}", r"\\left(\\begin{smallmatrix}\1\\end{smallmatrix}\\right)"),
    "psmallmatrix": (r"pmatrix", r"psmallmatrix"),
    "array": (r"\\begin\{pmatrix\}(.*?)\\end\{pmatrix\}", r"\\left[\\begin{array}{cc}\1\\end{array}\\right]"),
    "arraybar": (r"\\begin\{pmatrix\}(.*?)\\end\{pmatrix\}", r"\\left[\\begin{array}{@{}c@{\\;}c@{}}\1\\end{array}\\right]"),
    "tabularnewline": (r"(?<=b) \\\\ ", r" \\tabularnewline "),
    "matrixcr": (r"\\\\ ", r"\\cr "),
    "pmatrixstar": (r"\{pmatrix\}", r"{pmatrix*}"),
    "matrixlr": (r"\\begin\{pmatrix\}(.*?)\\end\{pmatrix\}", r"\\left(\\begin{matrix}\1\\end{matrix}\\right)"),
    "rowskip": (r"\\\\ ", r"\\\\[2pt] "),
    "hline": (r"\\\\ ", r"\\\\* "),
    "intercal": (r"\\top", r"\\intercal"),
    "mathsfT": (r"\\top", r"{\\mathsf T}"),
    "mathrmT": (r"\\top", r"{\\mathrm{T}}"),
    "T": (r"\\top", r"T"),
    "tran_rm": (r"\\top", r"{\\rm T}"),
    "prep": (r"\^\\top", r"^{\\scriptscriptstyle\\top}"),
    "rmd": (r"dx(?= =)", r"{\\rm d}x"),
    "mathrmd": (r"dx(?= =)", r"\\mathrm{d}x"),
    "mathrmdd": (r"\\frac\{d\}\{dx\}", r"\\frac{\\mathrm{d}}{\\mathrm{d}x}"),
    "rmdd": (r"\\frac\{d\}\{dx\}", r"\\frac{{\\rm d}}{{\\rm d}x}"),
    "operatornamed": (r"dx(?= =)", r"\\operatorname{d}\\!x"),
    "root": (r"\\sqrt\{([^{}]*)\}", r"\\root 2 \\of {\1}"),
    "sqrt2": (r"\\sqrt\{", r"\\sqrt[2]{"),
    "surd": (r"\\sqrt\{(.*?)\} =", r"\\sqrt{\1\\,} ="),
    "leftroot": (r"\\sqrt\{", r"\\sqrt[\\leftroot{2}\\uproot{2}2]{"),
    "bracesub": (r"_(\d)", r"_{\1}"),
    "sub2": (r"_(\d)", r"_{{\1}}"),
    "subrm": (r"_(\d)", r"_{\\mathrm{\1}}"),
    "subscr": (r"_(\d)", r"_{\\scriptstyle \1}"),
    "sup": (r"\^(\d)", r"^{\1}"),
    "sup2": (r"\^(\d)", r"^{{\1}}"),
    "supspace": (r"\^(\d)", r"^{\\,\1}"),
    "subspace": (r"_(\d)", r"_{\\!\1}"),
    "suptext": (r"\^(\d)", r"^{\\mathrm{\1}}"),
    "supsub": (r"v_(\d)\^2", r"v^2_\1"),
    "boxv": (r"v_1", r"{v_1}"),
    "boxv0": (r"v_", r"{v}_"),
    "boxv2": (r"v_1\^2", r"{v_1}^2"),
    "centerdot": (r"\\cdot", r"\\centerdot"),
    "cdotp": (r"\\cdot", r"\\cdotp"),
    "boxed": (r"= (.*)$", r"= \\boxed{\1}"),
    "boxedall": (r"^(.*)$", r"\\boxed{\1}"),
    "mathinner": (r"(?<!left)\(([^()]*)(?<!right )\)", r"\\mathinner{(\1)}"),
    "mathopen": (r"(?<!left)\(([^()]*)(?<!right )\)", r"\\mathopen{(}\1\\mathclose{)}"),
    "bgroup": (r"\^(\d)", r"^\\bgroup \1\\egroup "),
    "begingroup": (r"= (.*)$", r"= \\begingroup \1 \\endgroup"),
    "period": (r"$", r"\\,."),
    "comma": (r"$", r"\\;,"),
    "periodtext": (r"$", r"\\text{.}"),
    "qedhere": (r"$", r" \\qedhere"),
    "mathpunct": (r"$", r"\\mathpunct{.}"),
    "equalsstack": (r"= (?=.*$)", r"\\stackrel{(1)}{=} "),
    "nbsp": (r" \+ ", ' +\xa0'),
    "thinsp": (r" \+ ", ' +\u2009'),
    "itgreek": (r"\\alpha", r"\\mathit{\\alpha}"),
    "mathchoice": (r" \+ ", r" \\mathchoice{+}{+}{+}{+} "),
    "noexpand": (r"= ", r"= \\leavevmode "),
    "vcenter": (r"= (.*)$", r"= \\vcenter{\1}"),
    "nospace": (r"(?<=[^a-zA-Z]) (?=[^a-zA-Z])", r""),
    "sum_order": (r"\\sum_\{i=1\}\^\{n\}", r"\\sum^{n}_{i=1}"),
    "sumn": (r"\^\{n\}", r"^n"),
    "sum_over": (r"\\sum_", r"\\sum\\nolimits_"),
    "divslash": (r"\\frac\{1\}\{2\}", r"(1/2)"),
    "bigslash": (r"\\frac\{1\}\{2\}", r"(1\\big/2)"),
    "mathslash": (r"\\frac\{1\}\{2\}", r"(1{/}2)"),
    "div": (r"\\frac\{1\}\{2\}", r"(1 \\div 2)"),
    "genfrac": (r"\\frac", r"\\genfrac{}{}{}{}"),
    "genfrac0": (r"\\frac", r"\\genfrac{}{}{}0"),
}  # fmt: skip
REFUSED = {  # what moves or hides what is seen, or can mean something else: (as it is printed, the begin of the sentence)
    r"a \mkern-18mu b = a b": r"\mkern goes back",
    r"a \kern-1em b = a b": r"\kern goes back",
    r"a \hspace{-1em} b = a b": r"\hspace goes back",
    r"a \hspace{-0.2em}\hspace{-0.2em}\hspace{-0.2em} b = a b": r"\hspace goes back",
    r"{\color{white} 2} x = x": r"\color prints in a color",
    r"2 \mathrlap{3} x = 2 x": r"\mathrlap prints over",
    r"x \raisebox{1ex}{2} = x^2": r"\raisebox moves",
    r"\frac{a}{-} b = a": "'}' is not read",
    r"\mathop{\rm foo} 2 x = 2 \mathop{\rm foo} x": r"\mathop is read around",
    r"\mathop{\mathrm{foo}} 2 x = 2 \mathop{\mathrm{foo}} x": r"\mathop is read around",
    r"√(x) = x": "√ is read in front",
    r"3½ = 3.5": "½ is not known",
    r"\pmatrix{a} = a": r"\pmatrix is not read",
}
AS_TEX = {  # as it is printed: the same in plain words, where a reader may take more than TeX
    r"x^\ensuremath{12} = x^{12}": "proven",
    r"x^{-}{-}y = x^- - y": "proven",
    r"x₁₂ + x²³ = x_{12} + x^{23}": "proven",
    r"x^\mathrm{2} = x x": "proven",
    r"\smash{a + b} c = (a + b) c": "false",
    r"\underline{x} = x": "undecided",
    r"\ensuremath{a + b} c = a + b c": "proven",
    r"\mbox{$a + b$} c = (a + b) c": "unread",
    r"\boxed{a + b} c = a + b c": "unread",
    r"2 \boxed{a + b} = 2 a + b": "unread",
    r"-\fbox{$a - b$} = -a - b": "unread",
    r"\boxed{a + b}^2 = a + b^2": "unread",
    r"\colorbox{yellow}{$a + b$} c = a + b c": "unread",
    r"\boxed{a + b} \boxed{c + d} = a + b c + d": "unread",
    r"2 \boxed{(a + b)} = 2 a + 2 b": "proven",
    r"\boxed{(a + b) c = a c + b c}": "proven",
    r"50\,\mathrm{Hz} = 50\,\mathrm{rad/s}": "undecided",
    r"50\,\mathrm{Hz} = 314\,\mathrm{rad/s}": "undecided",
}
PUNCTUATED = {  # two claims with words between, also where the comma stands in the words
    r"a + a = 2 a \text{, and } b + b = 2 b \text{.}": ["proven", "proven"],
    r"a + a = 2 a \text{, and } b + b = 3 b \text{.}": ["proven", "false"],
    r"a + a = 3 a \text{, and } b + b = 2 b": ["false", "proven"],
    r"a + a^\ast + b = a + b + a^*": ["undecided"],
    r"a + a^\ast + b = a + b + a": ["undecided"],
}


def steps(latex):
    """The steps of a display."""
    return list(steps_in(sources_in(rf"\[ {latex} \]", "-", "tex")))


@pytest.fixture(scope="module")
def usual_verdicts():
    """The verdicts on each plain display."""
    return {x: [step.verdict for step in steps(x)] for pair in PLAIN for x in pair}


@pytest.mark.parametrize("name", REWRITES)
def test_the_look_changes_no_verdict(name, usual_verdicts):
    """A plain display that a rewrite changes keeps its verdicts, and so does the false one behind it."""
    pattern, instead = REWRITES[name]
    changed = {x: re.sub(pattern, instead, x) for pair in PLAIN for x in pair}
    changed = {x: odd for x, odd in changed.items() if odd != x}
    assert changed
    for plain, odd in list(changed.items())[:MOST_DISPLAYS]:
        assert [step.verdict for step in steps(odd)] == usual_verdicts[plain], odd


@pytest.mark.parametrize("latex", REFUSED)
def test_what_moves_or_hides_is_refused(latex):
    """With a sentence that names the token."""
    (step,) = steps(latex)
    assert step.verdict == "unread"
    assert step.why.startswith(REFUSED[latex])


@pytest.mark.parametrize("latex", AS_TEX)
def test_groups_are_those_of_tex(latex):
    """What holds a raised group together stays; what a reader does not see is no bracket."""
    assert [step.verdict for step in steps(latex)] == [AS_TEX[latex]]


@pytest.mark.parametrize("latex", PUNCTUATED)
def test_words_bring_their_comma(latex):
    """A comma in words parts what the words part, and a star above is one however it is written."""
    assert [step.verdict for step in steps(latex)] == PUNCTUATED[latex]


ODD = (  # what authors print, true, and false beside it: (true, false, what becomes of the false one)
    (r"\tan(\tan^{-1} x) = x", r"\tan(\tan^{-1} x) = 2 x", "false"),
    (r"\frac{d}{dx} \tan^{-1} x = \frac{1}{1+x^2}", r"\frac{d}{dx} \tan^{-1} x = -\frac{1}{\sin^2 x}", "undecided"),
    (r"\sinh(\sinh^{-1} x) = x", r"\sinh^{-1} x = \frac{1}{\sinh x}", "undecided"),
    (r"\sin 30^\circ = \frac12", r"\sin 30^\circ = \frac13", "false"),
    (r"\sin \ang{30} = \sin 30°", r"\sin \ang{30} = \sin 60°", "false"),
    (r"\log_{10} 1000 = \lg 1000", r"\log_{10} 1000 = \log_2 1000", "false"),
    (r"\left\lfloor \frac{7}{2} \right\rfloor = 3", r"\left\lceil \frac{7}{2} \right\rceil = 3", "false"),
    (r"\mathrm{sech}^2 x = 1 - \tanh^2 x", r"\mathrm{sech}^2 x = 1 + \tanh^2 x", "false"),
    (r"\left. (a + b) \right/ c = \frac ac + \frac bc", r"\left. (a + b) \right/ c = \frac ac + b", "false"),
    (r"\exp\{a + b\} = \exp\{a\} \exp[b]", r"\exp\{a + b\} = \exp\{a\} + \exp[b]", "false"),
    (r"\max\{a, b\} + \min\{a, b\} = a + b", r"\max\{a, b\} - \min\{a, b\} = a + b", "false"),
    (r"x^{^2} - 1 = (x - 1)(x + 1)", r"x^{^3} - 1 = (x - 1)(x + 1)", "false"),
    (r"{\cos^{2}} x + {\sin^{2}} x = 1", r"{\cos^{2}} x - {\sin^{2}} x = 1", "undecided"),
    (r"\upalpha \upbeta = \upbeta \alpha", r"\upalpha + \upbeta = \upbeta - \upalpha", "false"),
    (r"2 \ast 3 = 6", r"2 \ast 3 = 5", "false"),
    (r"a \ast (b + c) = a \ast b + a \ast c", r"a \ast (b + c) = a \ast b - a \ast c", "undecided"),
    (r"\frac{\cancel{x} (x + 1)}{\cancel{x}} = x + 1", r"\frac{\cancel{x} (x + 1)}{\cancel{x}} = x - 1", "false"),
    (r"a + \bcancel{b} - \xcancel{b} = a", r"a + \cancel{b} = a", "undecided"),
    (r"x \cancel{y} = \cancel{y} x", r"\cancel{2} x = 2 x", "undecided"),
    (r"(a + b)^2 \raisebox{0pt}{$=$} a^2 + 2 a b + b^2", r"(a + b)^2 \raisebox{0pt}{$=$} a^2 + b^2", "false"),
    (r"(a + b) c = \colorbox{yellow}{$a c + b c$}", r"(a + b) c = \colorbox{yellow}{$a c - b c$}", "false"),
    (r"\fbox{$(a + b) c = a c + b c$}", r"\fbox{$(a + b) c = a + b c$}", "false"),
    (r"\textcolor{green!50!black}{a b} = b \textcolor{RoyalBlue}{a}", r"\textcolor{green!50!black}{a b} = -b a", "false"),
    (r"\overbrace{(a + b)(a - b)}^{\text{factored}} = a^2 - b^2", r"\overbrace{(a + b)(a - b)}^{2} = a^2 + b^2", "false"),
    (r"\underline{a + b} = b + a", r"\underline{a} + b = b + a", "undecided"),
    (r"\sum_{\mathclap{1 \le i \le 3}} i = 6", r"\sum_{\mathclap{1 \le i \le 3}} i = 7", "false"),
    (r"a b = b a \mathrlap{\,.}", r"a b = -b a \mathrlap{\,.}", "false"),
    (r"\left.\frac{x^3}{3}\right|_{x=0}^{x=2} = \frac83", r"\left.\frac{x^3}{3}\right|_{x=1}^{x=2} = \frac83", "false"),
    (r"\left. \frac{x^2}{2} \right|_1^3 = 4", r"\Bigl[ \tfrac12 x^2 \Bigr]_{1}^{3} = 5", "false"),
    (r"\int\limits_{x=0}^{1} x\,dx = \frac12", r"\int\limits_{x=0}^{1} x\,dx = 1", "false"),
    (r"\int_0^1 \mathrm{d}x\, x^2 = \frac13", r"\int_0^1 \mathrm{d}x\, x^2 = \frac12", "false"),
    (r"\sum_{1 \le i < j \le 3} i j = 11", r"\sum_{1 \le i \le j \le 3} i j = 11", "false"),
    (r"\sum_{i=1}^2 x_i = x_1 + x_2", r"\sum_{i=1}^2 x_i = 2 x_i", "undecided"),
    (r"\sum_{i=1}^2 x^{(i)}_j = x_j^{(1)} + x_j^{(2)}", r"\sum_{i=1}^2 x^{(i)} = 2 x^{(i)}", "undecided"),
    (r"x^{(1)} + x^{(2)} y = y x^{(2)} + x^{(1)}", r"x^{(2)} x = x^3", "undecided"),
    (r"\begin{array}{rcl} (a + b)^2 & = & a^2 + 2 a b + b^2 \end{array}", r"\begin{array}{rcl} (a + b)^2 & = & a^2 + b^2 \end{array}", "false"),
    (r"\left\{ \begin{array}{l} a + a = 2 a \end{array} \right.", r"\left\{ \begin{array}{l} (a + b)^2 = a^2 + b^2 \end{array} \right.", "undecided"),
    (r"\left( \begin{array}{c|c} a & b \\ \hline c & d \end{array} \right) = \begin{pmatrix} a & b \\ c & d \end{pmatrix}", r"\left( \begin{array}{c|c} a & b \\ \hline c & d \end{array} \right) = \begin{pmatrix} a & b \\ c & -d \end{pmatrix}", "false"),
    (r"|x| = \left\{ \begin{array}{ll} x & \text{if } x > 0 \\ -x & \text{otherwise} \end{array} \right.", r"|x| = \left\{ \begin{array}{ll} x & \text{if } x > 1 \\ -x & \text{otherwise} \end{array} \right.", "false"),
    (r"\left( \begin{array}{c} n \\ 2 \end{array} \right) = \frac{n (n - 1)}{2}", r"\left( \begin{array}{c} n \\ 2 \end{array} \right) = \frac{n (n + 1)}{2}", "false"),
    (r"\mathrm{diag}(a, b) = \begin{bmatrix} a & \\ & b \end{bmatrix}", r"\mathrm{diag}(a, b) = \begin{bmatrix} b & \\ & a \end{bmatrix}", "false"),
    (r"a + b \stackrel{!}{=} b + a", r"a + b \stackrel{!}{=} b - a", "undecided"),
    (r"a + b \overset{\text{IBP}}{=} b + a", r"a + b \overset{\text{not}}{=} b + a", "unread"),
    (r"\cot x \equiv \frac{\cos x}{\sin x}", r"\cot x \equiv \frac{\sin x}{\cos x}", "undecided"),
    (r"2 : 3 = \frac23", r"2 : 3 = \frac32", "false"),
    (r"1{,}5 \cdot 2 = 3", r"1{,}5 \cdot 2 = 30", "false"),
    (r"0{,}125 \cdot 8 = 1", r"0{,}125 \cdot 8 = 1000", "false"),
    (r"\operatorname{sgn}(x) |x| = x", r"\operatorname{sgn}(x) x = -|x|", "false"),
    (r"\gcd(12, 18) = 6", r"\gcd(12, 18) = 4", "false"),
    (r"{}^A_B R + {}^{A} R = {}^{A}R + {}_B^A R", r"{}^A_B R + x = x + {}^B_A R", "undecided"),
    (r"𝑎² + 2·𝑎·𝑏 + 𝑏² = (𝑎 + 𝑏)²", r"𝑎² + 2·𝑎·𝑏 − 𝑏² = (𝑎 + 𝑏)²", "false"),
    (r"36\,\mathrm{km/h} = 10\,\mathrm{m/s}", r"36\,\mathrm{km/h} = 11\,\mathrm{m/s}", "false"),
    (r"2\,\mathrm{N}\cdot 3\,\mathrm{m} = 6\,\mathrm{J}", r"2\,\mathrm{N}\cdot 3\,\mathrm{m} = 6\,\mathrm{W}", "false"),
    (r"\SI{2}{\kilo\metre\per\second\squared} = \qty{2000}{m/s^2}", r"\SI{2}{\kilo\metre\per\second\squared} = \qty{2000}{m/s}", "false"),
    (r"\num{1.5e3} = \num{1500}", r"\num{1.5e3} = \num{15000}", "false"),
    (r"\dv[2]{x}\qty(x^3) = 6x", r"\dv[2]{x}\qty(x^3) = 3x^2", "false"),
    (r"\pdv{(x^2 y^3)}{x}{y} = 6 x y^2", r"\pdv{(x^2 y^3)}{x}{y} = 2 x y^3", "false"),
    (r"\qty[a + b]\qty(a - b) = a^2 - b^2", r"\qty[a + b]\qty(a - b) = a^2 + b^2", "false"),
    (r"\mqty(a & b \\ c & d)\mqty(1 \\ 0) = \mqty(a \\ c)", r"\mqty(a & b \\ c & d)\mqty(1 \\ 0) = \mqty(a \\ b)", "undecided"),
    (r"\int_0^1 x \dd{x} = \eval{\frac{x^2}{2}}_0^1", r"\int_0^1 x \dd{x} = \eval{\frac{x^2}{3}}_0^1", "false"),
    (r"\left\|\begin{pmatrix}3\\4\end{pmatrix}\right\|_2 = 5", r"\left\|\begin{pmatrix}3\\4\end{pmatrix}\right\|_2 = 7", "false"),
    (r"\int_1^e \frac{dx}{x} = \ln e", r"\int_1^e \frac{dx}{x} = 2 \ln e", "false"),
    (r"\partial_x (x^2 y + x) = 2xy + 1", r"\partial_y (x^2 y + x) = 2xy + 1", "false"),
    (r"(a + b) c \; {\buildrel {\rm def} \over =} \; a c + b c", r"(a + b) c {\buildrel {\rm def} \over =} a c - b c", "false"),
    (r"\underbrace{(a + b)}_{=: c} d = a d + b d", r"\underbrace{(a + b)}_{=: c} d = a d - b d", "false"),
    (r"\begin{array}{l} a + a = 2 a \\ b b = b^2 \end{array}", r"\begin{array}{l} a + a = 2 a \\ b b = b - b^2 \end{array}", "false"),
    (r"\cos 60{}^\circ = 0.5", r"\cos 60{}^\circ = 0.6", "false"),
    (r"\begin{equation*} (u + v)^2 = u^2 + 2 u v + v^2 \end{equation*}", r"\begin{equation*} (u + v)^2 = u^2 + v^2 \end{equation*}", "false"),
    (r"\sin x \cdot \cos x = \frac{\sin(2 x)}{2}", r"\sin x \cdot \cos x = \sin(2 x)", "false"),
    (r"x^2 - 2 x + 1 =: (x - 1)^2", r"x^2 - 2 x + 1 \eqqcolon (x + 1)^2", "false"),
)  # fmt: skip


@pytest.mark.parametrize(("true", "false", "told"), ODD)
def test_odd_notation_is_read_as_it_is_meant(true, false, told):
    """The true one is proven, the false one is not."""
    assert {step.verdict for step in steps(true)} == {"proven"}
    assert [step.verdict for step in steps(false)][-1] == told


CONDITIONS = {
    r"a \ast b = b \ast a": r"\ast is a product of numbers",
    r"(a + b) (a - b) = \Biggl\{ a^2 - b^2 \Biggr\}": "braces are brackets",
    r"\begin{pmatrix} n \\ 2 \end{pmatrix} = \frac{n (n - 1)}{2}": "a column of two numbers is a binomial coefficient",
}


@pytest.mark.parametrize("latex", CONDITIONS)
def test_the_less_usual_reading_is_a_condition(latex):
    """Which is told, for nobody said it."""
    (step,) = steps(latex)
    assert (step.verdict, step.condition) == ("proven", CONDITIONS[latex])


def test_an_inverse_function_is_told():
    r"""Of \tan^{-1}, which some read as a fraction."""
    (step,) = steps(r"\tan(\tan^{-1} x) = x")
    assert step.why.endswith("^{-1} of a function is read as its inverse")
    (step,) = steps(r"\tan^{-1} x = \frac{\cos x}{\sin x}")
    assert "it holds as the reciprocal" in step.why
