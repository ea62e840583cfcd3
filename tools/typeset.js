// Typesets formulas: reads a JSON list of [TeX, display] from standard input, writes {html: [...], css} to standard output.
const [, , mathjax] = process.argv; // the folder of MathJax
const read = require("fs").readFileSync;

require(`${mathjax}/node-main.js`).init({
  loader: { paths: { mathjax }, load: ["input/tex-full", "output/chtml", "adaptors/liteDOM", "a11y/assistive-mml"] },
  tex: {
    packages: ["base", "ams", "boldsymbol", "newcommand", "configmacros", "html", "cancel", "textmacros"],
    macros: { textcolor: ["\\class{rd-$1}{#2}".replace("$", "#"), 2] }, // the style sheet knows the colors of the terms
  },
  chtml: { fontURL: "mathjax", adaptiveCSS: true },
  startup: { typeset: false },
}).then(MathJax => {
  const { adaptor } = MathJax.startup, formulas = JSON.parse(read(0, "utf8"));
  const html = formulas.map(([tex, display]) => adaptor.outerHTML(MathJax.tex2chtml(tex, { display })));
  const css = adaptor.textContent(MathJax.chtmlStylesheet());
  process.stdout.write(JSON.stringify({ html, css }));
}).catch(error => { console.error(error); process.exit(1); });
