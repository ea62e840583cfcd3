# The commands of the project. Each one first makes or updates .venv from the exact pins; `make help` lists them.
# PYTHON=python3.12 chooses an interpreter; PINS=newest takes the newest versions that pyproject.toml allows;
# JOBS=4 sets how many processes tests and notebooks may use (all cores if not given);
# make book EDITION=student leaves out solutions and the teacher's pages, EDITION=teacher adds the exams; serve, pdf, epub
# and lite know the two as well.

PINS ?= exact
JOBS ?= auto
RUN  := .venv/bin/python
PORT ?= 8000
SAMPLE ?= 12
SITE := _build/$(if $(filter-out reader,$(EDITION)),$(EDITION)/)html

# Kernels, figures and caches depend on this folder alone, never on what the home folder holds (or on there being one).
export PYTHON PINS JOBS EDITION NOTEBOOKS
export JUPYTER_PREFER_ENV_PATH := 1
export JUPYTER_CONFIG_DIR  := $(CURDIR)/.venv/var/jupyter
export JUPYTER_DATA_DIR    := $(CURDIR)/.venv/var/jupyter
export JUPYTER_RUNTIME_DIR := $(CURDIR)/.venv/var/runtime
export IPYTHONDIR          := $(CURDIR)/.venv/var/ipython
export MPLCONFIGDIR        := $(CURDIR)/.venv/var/matplotlib
export ROBOTDYN_PROGRESS   := 0
export PYTHONDONTWRITEBYTECODE :=    # hundreds of kernels and commands begin here: each would compile all files again

.PHONY: help setup peers lab browser javascript lite test-lite book pdf epub test-paper slides test-slides book-sphinx serve test test-all long-tests test-processors exercises prove prove-mutants mutants release new-chapter new-question lint format bench clean

help:    ## say what there is
	@sed -n 's/^\([a-z-]*\):[^#]*## */  make \1	/p' Makefile

setup:   ## make or update .venv from the exact pins (every other target does this by itself)
	@sh packages/bookbuild/setup.sh $(filter setup,$(MAKECMDGOALS))

peers:   ## add Pinocchio, MuJoCo and LLVM to .venv, so that the tests compare with them
	@sh packages/bookbuild/setup.sh peers

lab:     ## add JupyterLab in an environment of its own, so that the tests meet the live figures
	@sh packages/bookbuild/setup.sh lab

browser: ## fetch Pyodide and Lighthouse, so that the tests run students' notebooks in a browser and see pages as a phone does
	@sh packages/bookbuild/setup.sh browser

javascript:    ## fetch esbuild, TypeScript and ESLint, and make the script of the moving figures anew from its modules
	@sh packages/bookbuild/setup.sh javascript
	@$(RUN) -m bookbuild.javascript

lite: exercises    ## beside the built book, the site in which its notebooks and the assignments run in a browser
	@sh packages/bookbuild/setup.sh lite
	@$(RUN) -m bookbuild.lite

book: setup    ## build the book, strictly, every notebook executed; says which page to open
	@$(RUN) -m bookbuild.build_book

pdf: setup    ## print the book: _build/robotdyn.pdf, or of an EDITION: _build/robotdyn-student.pdf
	@sh packages/bookbuild/setup.sh paper
	@$(RUN) -m bookbuild.build_pdf pdf

epub: setup    ## the book for reading devices: _build/robotdyn.epub, or of an EDITION
	@sh packages/bookbuild/setup.sh paper
	@$(RUN) -m bookbuild.build_pdf epub

slides: setup    ## lecture slides, a deck for each chapter, with its moving figures: _build/slides
	@sh packages/bookbuild/setup.sh slides
	@$(RUN) -m bookbuild.slides

serve: book    ## show the book, or an EDITION of it, at http://localhost:8000, or at another PORT
	@$(RUN) -m http.server $(PORT) --bind 127.0.0.1 --directory $(SITE)

test: setup    ## run the tests but the slow and the long ones, and every notebook: before each commit, a few minutes
	@$(RUN) -m pytest -n $(JOBS) --dist loadscope --no-loadscope-reorder -m "not slow and not long"

test-all: setup    ## run all tests, with browsers, hostile classes, kills, containers and servers, where these are installed
	@$(RUN) -m pytest -n $(JOBS) --dist loadscope --no-loadscope-reorder

long-tests: setup    ## measure all tests but the slow ones, and list those that `make test` leaves out for their length
	@$(RUN) -m pytest -n $(JOBS) --dist loadscope --no-loadscope-reorder -m "not slow" --write-long-tests

test-lite: setup    ## run every notebook and assignment in the site that `make lite` built, in Chromium, and a page in Firefox, or ONLY="rp or ilqr"
	@$(RUN) -m pytest -s tests/book/lite_notebooks.py $(if $(ONLY),-k "$(ONLY)")

test-paper: setup    ## look at the PDF and the EPUB that `make pdf epub` made
	@$(RUN) -m pytest tests/book/paper_pages.py

test-slides: setup    ## look at each slide that `make slides` made, in Chromium
	@$(RUN) -m pytest tests/book/slides_pages.py

book-sphinx: setup    ## build the book without Jupyter Book, by the newest Sphinx, and compare the words of its pages
	@sh packages/bookbuild/setup.sh sphinx
	@$(RUN) -m bookbuild.build_without_jupyter_book

exercises: setup    ## make student's notebooks, solutions and keys of all assignments, in _build/course
	@$(RUN) -m coursework release --course _build/course exercises/*/*.ipynb

test-processors: setup    ## run numeric tests and notebooks as on other processors, in other locales, time zones and places; ONLY="haswell places" chooses
	@$(RUN) -m bookbuild.processors --jobs $(JOBS) $(if $(ONLY),--only "$(ONLY)") $(if $(TESTS),--tests "$(TESTS)") $(if $(SEED),--seed $(SEED))

prove: setup    ## prove every displayed equation of the book (part of `make test`, too)
	@$(RUN) -m eqproof --no-cache --jobs $(JOBS)

prove-mutants: setup    ## change one token of each equation, 12 times by chance or SAMPLE=n, and see it refused
	@$(RUN) -m eqproof --mutants --sample $(SAMPLE) --jobs $(JOBS)

mutants: setup    ## change each place of the code, one at a time, and count what the tests see (hours), or ONLY="optimal decide" SAMPLE=100
	@$(RUN) tests/mutation.py $(ONLY) $(if $(SAMPLE),--sample $(SAMPLE))

release: setup    ## build a release in _build/release, and try it in an empty environment
	@$(RUN) -m bookbuild.release

new-chapter: setup    ## begin a page of the book, NAME=slug TITLE="..." AFTER=page, or say what the page NAME lacks
	@$(RUN) -m bookbuild.new_chapter "$(NAME)" $(if $(TITLE),--title "$(TITLE)") $(if $(AFTER),--after "$(AFTER)")

new-question: setup    ## begin a graded question, ASSIGNMENT=rp NAME=slug TITLE="...", or say what the question NAME lacks
	@$(RUN) -m bookbuild.new_question "$(ASSIGNMENT)" "$(NAME)" $(if $(TITLE),--title "$(TITLE)")

lint: setup    ## check style, spelling, imports, types, stripped notebooks and first lines
	@$(RUN) -m bookbuild.lint

format: setup    ## put code and notebooks into the style that lint asks for
	@$(RUN) -m bookbuild.lint --fix

bench:   ## compare with Pinocchio, MuJoCo, SymPy and others, one script a comparison: hours, or with QUICK=1 minutes, without a table
	@sh packages/bookbuild/setup.sh bench
	@for script in benchmarks/*.py; do echo "== $$script"; $(RUN) "$$script" $(if $(QUICK),--quick) || exit 1; done

clean:   ## remove what make made: .venv, the built book, caches, packages of npm
	@rm -rf .venv _build .pytest_cache .ruff_cache .mypy_cache .hypothesis packages/movingfigures/js/node_modules
