// What ESLint asks of the scripts: its recommended rules, and a few that hold the style.
// @ts-check

import js from "@eslint/js";
import { defineConfig } from "eslint/config";
import globals from "globals";

export default defineConfig([
  js.configs.recommended,
  {
    languageOptions: { ecmaVersion: 2022, sourceType: "module", globals: globals.browser },
    linterOptions: { reportUnusedDisableDirectives: "error" },
    rules: {
      eqeqeq: "error",
      "no-var": "error",
      "prefer-const": ["error", { destructuring: "all" }],
      "object-shorthand": "error",
      // what a function and a file may be, as bookbuild.function_limits has it for Python
      complexity: ["error", 15],
      "max-lines-per-function": ["error", { max: 60, skipComments: true, skipBlankLines: true }],
      "max-lines": ["error", { max: 400, skipComments: true, skipBlankLines: true }],
      "no-unused-vars": ["error", { argsIgnorePattern: "^_" }], // of a method that others override
    },
  },
  { files: ["*.js", "test/*.js"], languageOptions: { globals: globals.node } },
]);
