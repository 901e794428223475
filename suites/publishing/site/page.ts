import { version } from "../../../schemas/index.ts";
import { escapeHtml, truncate } from "../../base/text/escape.ts";
import { sourceHash } from "../../reports/html/assets.ts";
import { style } from "./style.ts";
import type { SiteState } from "./types.ts";

/** The maximum number of characters of a name from a report. */
const maxNameLength = 200;

const policy = `default-src 'none'; style-src ${sourceHash(style)}; img-src 'self'; base-uri 'none'; form-action 'none'`;

/** Renders a page without scripts. `trail` lists its parent pages; `body` is HTML. */
export function renderPage(title: string, trail: readonly [name: string, address: string][], body: string): string {
  const parentLinks = trail.map(([name, address]) => `<a href="${address}">${toHtml(name)}</a>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${toHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${parentLinks.length === 0 ? "" : `<nav aria-label="Above this page">${parentLinks.join(" › ")}</nav>\n`}<main>
<h1>${toHtml(title)}</h1>
${body}
</main>
<footer><p class="soft">Touchstone ${escapeHtml(version)}. These pages run no script, load nothing from elsewhere and send nothing.</p></footer>
</body>
</html>
`;
}

/** Escapes a text as HTML, and limits its length. */
export function toHtml(name: string): string {
  return escapeHtml(truncate(name, maxNameLength));
}

const stateStyles: Record<SiteState["name"], { tone: string; sign: string; word: string }> = {
  conforms: { tone: "good", sign: "✓", word: "conforms" },
  fails: { tone: "bad", sign: "✕", word: "does not conform" },
  open: { tone: "open", sign: "?", word: "not shown to conform" },
};

/** Renders a state. The sign and the word repeat the meaning of the colour, for readers who do not see it. */
export function renderState({ name, summary }: SiteState): string {
  const { tone, sign, word } = stateStyles[name];
  return `<strong class="${tone}"><span aria-hidden="true">${sign}</span> ${word}</strong><br><span class="soft">${toHtml(summary)}</span>`;
}

/** Renders a table that scrolls by itself in a narrow window. Cells are HTML. */
export function renderTable(caption: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const renderRow = ([first = "", ...otherCells]: readonly string[]): string =>
    `<tr><th scope="row">${first}</th>${otherCells.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  return `<div class="wide" tabindex="0" role="region" aria-label="${toHtml(caption)}"><table><caption>${toHtml(caption)}</caption>
<thead><tr>${head.map((name) => `<th scope="col">${name}</th>`).join("")}</tr></thead>
<tbody>
${rows.map(renderRow).join("\n")}
</tbody></table></div>`;
}
