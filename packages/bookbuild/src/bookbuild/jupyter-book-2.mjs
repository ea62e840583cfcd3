// Loaded by Jupyter Book 2 (through myst.yml): says for which version the book is written, and stops before harm is
// done.
console.error(
  "\nThis book is written for Jupyter Book 1 (Sphinx, _config.yml, _toc.yml); " +
    "this is Jupyter Book 2, another program " +
    "(MyST, myst.yml) that does not read these files.\n" +
    "Run `make book`: it installs version 1 into .venv, " +
    "leaves everything else on this machine alone, and builds the book.\n",
);
process.exit(1);
