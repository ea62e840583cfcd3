r"""Signs of Unicode as TeX prints them: α as \alpha, x² as x^2, ≤ as \le, ½ as \tfrac12."""

import re
import unicodedata

LETTERS = dict(zip("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΦΨΩ", (
    *["alpha", "beta", "gamma", "delta", "varepsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu", "xi"],
    *["pi", "rho", "sigma", "tau", "upsilon", "varphi", "chi", "psi", "omega", "Gamma", "Delta", "Theta", "Lambda", "Xi"],
    *["Pi", "Sigma", "Phi", "Psi", "Omega"],
)))  # fmt: skip
OTHERS = {
    "µ": "mu", "ϵ": "epsilon", "ϕ": "phi", "ϑ": "vartheta", "ϱ": "varrho", "ℓ": "ell", "ℏ": "hbar", "∂": "partial",
    "∞": "infty", "∇": "nabla", "·": "cdot", "⋅": "cdot", "×": "times", "±": "pm", "∓": "mp", "≤": "le", "≥": "ge",
    "⩽": "leqslant", "⩾": "geqslant", "≠": "ne", "≈": "approx", "≡": "equiv", "∈": "in", "∑": "sum", "∏": "prod", "∫": "int",
    "→": "to", "⊤": "top", "…": "dots", "⋯": "cdots", "∆": "Delta", "Ω": "Omega", "⇒": "Rightarrow", "⊥": "perp", "∗": "ast",
    "‖": "Vert", "⌊": "lfloor", "⌋": "rfloor", "⌈": "lceil", "⌉": "rceil", "∝": "propto", "∘": "circ", "∥": "parallel",
}  # fmt: skip
COMMANDS = LETTERS | OTHERS
STYLES = {  # of the letters of mathematics in Unicode, in the words of its names
    "BOLD": r"\mathbf{%s}", "ITALIC": "%s", "BOLD ITALIC": r"\boldsymbol{%s}", "SCRIPT": r"\mathcal{%s}", "SANS-SERIF": r"\mathsf{%s}",
    "BOLD SCRIPT": r"\boldsymbol{%s}", "FRAKTUR": r"\mathfrak{%s}", "DOUBLE-STRUCK": r"\mathbb{%s}", "MONOSPACE": r"\mathrm{%s}",
}  # fmt: skip
STYLED = re.compile("[\U0001d400-\U0001d7ff]")
STYLED_NAME = re.compile(r"MATHEMATICAL ([A-Z -]+?) (?:CAPITAL|SMALL|DIGIT) ")
ONE_SIGN = {"−": "-", "–": "-", "′": "'", "″": "''", "‴": "'''", "\u00a0": " ", "\u2009": " ", "\u202f": " ", "\u2061": "", "\u2062": "", "≔": ":=", "⁄": "/", "÷": "/", "∕": "/", "°": r"^\circ ", "＝": "=", "⟂": r"\perp ", "ℝ": r"\mathbb{R}", "ℂ": r"\mathbb{C}", "ℤ": r"\mathbb{Z}", "ℕ": r"\mathbb{N}", "ℒ": r"\mathcal{L}", "ℋ": r"\mathcal{H}", "ℱ": r"\mathcal{F}", "ℎ": "h", "ℯ": "e", "ⅆ": r"\mathrm{d}", "ⅇ": "e", "ⅈ": "i"}  # fmt: skip
HALVES = {"½": "12", "⅓": "13", "⅔": "23", "¼": "14", "¾": "34", "⅕": "15", "⅛": "18", "⅙": "16"}
ABOVE = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ", "0123456789+-ni")
BELOW = str.maketrans("₀₁₂₃₄₅₆₇₈₉₊₋ₙᵢⱼₖₘₓ", "0123456789+-nijkmx")
RAISED = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻ⁿⁱ]+")
LOWERED = re.compile(r"[₀₁₂₃₄₅₆₇₈₉₊₋ₙᵢⱼₖₘₓ]+")
ROOT = re.compile(r"√(?=\s*[{\w\\])")  # in front of a bracket it is left, and refused
HALF = re.compile(rf"(?<![\d.])[{''.join(HALVES)}]")  # 3½ is a sum, and refused


def with_commands(latex: str) -> str:
    """Return a formula with commands of TeX for its signs of Unicode; those that could be read in two ways stay."""
    if latex.isascii():
        return latex
    latex = STYLED.sub(styled_letter, latex)
    latex = RAISED.sub(lambda match: f"^{{{match.group().translate(ABOVE)}}}", latex)
    latex = LOWERED.sub(lambda match: f"_{{{match.group().translate(BELOW)}}}", latex)
    latex = ROOT.sub(
        r"\\sqrt ", HALF.sub(lambda match: rf"\tfrac{HALVES[match.group()]} ", latex.replace("ᵀ", r"^\top "))
    )
    made = (rf"\{COMMANDS[x]} " if x in COMMANDS else ONE_SIGN.get(x, x) for x in latex)
    return "".join(made)


def styled_letter(match: re.Match[str]) -> str:
    """Return a letter of mathematics in Unicode, as an italic or a bold x, as a letter with its style."""
    named = STYLED_NAME.match(unicodedata.name(match.group(), ""))
    letter = unicodedata.normalize("NFKC", match.group())
    letter = rf"\{LETTERS[letter]} " if letter in LETTERS else letter
    style = STYLES.get(named[1]) if named else None
    return style % letter if style and (letter.isascii() or letter.startswith("\\")) else match.group()
