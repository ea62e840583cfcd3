// The order of search results: chapters that explain come first, tables of symbols, proofs and functions behind them;
// excerpts are sentences.
const BEHIND = /^book\/(notation|sources|proof-ledger|api|bibliography|proofs\/.*)$/;
const plainWords = text =>
  text
    .replace(/<[^>]*>/g, " ")
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu) || [];
const asked = plainWords(new URLSearchParams(location.search).get("q") || "");

var Scorer = {
  score: ([page, title, , , score]) => {
    // the more of a heading is what was asked for, the better
    const words = plainWords(title.split(">").pop());
    const hits = words.filter(word => asked.includes(word)).length;
    return score + (words.length ? (40 * hits) / words.length : 0) - (BEHIND.test(page) ? 100 : 0);
  },
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: { 0: 15, 1: 5, 2: -5 },
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};

document.addEventListener("DOMContentLoaded", () => {
  // before the search begins: an excerpt is made of paragraphs alone
  const whole = Search.htmlToText;
  Search.htmlToText = (html, anchor) => {
    const page = new DOMParser().parseFromString(html, "text/html");
    page
      .querySelectorAll("mjx-math, .eqno, details.check, div.cell, .proof-said, .rd-figure")
      .forEach(part => part.remove());
    const part = (anchor && page.querySelector(anchor)) || page.querySelector("article.bd-article");
    const text = part ? [...part.querySelectorAll("p")].map(p => p.textContent.trim()).join(" ") : "";
    return text || whole(html, anchor);
  };
  Search.makeSearchSummary = (html, words, anchor) => {
    // the sentence that has the most of what was asked, and the next
    const sentences = Search.htmlToText(html, anchor).match(/[^.?!:]+(?:[.?!:]+(?=\s|$)|[.?!:]+\S[^.?!:]*)*\s*/g) || [];
    const hits = sentences.map(
      said => [...words].filter(word => said.toLowerCase().includes(word.toLowerCase())).length,
    );
    const best = Math.max(hits.indexOf(Math.max(...hits)), 0);
    const said = sentences
      .slice(best, best + 2)
      .join("")
      .replace(/\s+/g, " ")
      .trim();
    if (!said) return null;
    const summary = document.createElement("p");
    summary.className = "context";
    summary.textContent = said.length > 300 ? `${said.slice(0, 300).replace(/\s+\S*$/, "")} …` : said;
    return summary;
  };
});
