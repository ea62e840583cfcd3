"""x"""
from robotdyn.proof.bindings import abbreviation, abbreviations, field, letters, measure, Bindings
from robotdyn.proof.chapter import Chapter
from robotdyn.proof.check import check
