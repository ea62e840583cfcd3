// Typesets formulas: reads a JSON list of [TeX, display] from standard input, writes {html: [...], css} to standard
// output.
const [, , mathjax] = process.argv; // the folder of MathJax
const read = require("fs").readFileSync;

require(`${mathjax}/node-main.js`)
  .init({
    loader: { paths: { mathjax }, load: ["input/tex-full", "output/chtml", "adaptors/liteDOM", "a11y/assistive-mml"] },
    tex: {
      packages: ["base", "ams", "boldsymbol", "newcommand", "configmacros", "html", "cancel", "textmacros"],
      macros: { textcolor: ["\\class{rd-#1}{#2}", 2] }, // the style sheet knows the colors of the terms
    },
    chtml: { fontURL: "mathjax", adaptiveCSS: true },
    startup: { typeset: false },
  })
  .then(MathJax => {
    const { adaptor, document } = MathJax.startup;
    // So that a browser knows the place of a formula before it draws it.
    const box = (tex, display) => {
      const item = new document.options.MathItem(tex, document.inputJax[0], display);
      item.setMetrics(16, 8, 1e6, 1e6, 1);
      item.compile(document);
      const { w, h, d } = document.outputJax.getBBox(item, document);
      const em = x => `${Number(x.toFixed(3))}em`;
      return `style="width:${em(w)};height:${em(h + d)};vertical-align:${em(-d)}"`;
    };
    const html = JSON.parse(read(0, "utf8")).map(([tex, display]) => {
      const made = adaptor.outerHTML(MathJax.tex2chtml(tex, { display }));
      return /mjx-utext|mjx-merror|width="full"/.test(made)
        ? made
        : made.replace("<mjx-math", `<mjx-math ${box(tex, display)}`);
    });
    const css = adaptor.textContent(MathJax.chtmlStylesheet());
    process.stdout.write(JSON.stringify({ html, css }));
  })
  .catch(error => {
    console.error(error);
    process.exit(1);
  });
