import { version } from "../../../schemas/index.ts";
import { escapeHtml, truncate } from "../../base/text/escape.ts";
import { digest } from "../../reports/html/assets.ts";
import { style } from "./style.ts";
import type { SiteState } from "./types.ts";

/** The maximum characters of a name that others have chosen. */
const maxNameLength = 200;

const policy = `default-src 'none'; style-src ${digest(style)}; img-src 'self'; base-uri 'none'; form-action 'none'`;

/** A page without a script. `trail` has the pages above it, each with its name and address; the body is HTML already. */
export function renderPage(title: string, trail: readonly [name: string, address: string][], body: string): string {
  const above = trail.map(([name, address]) => `<a href="${address}">${text(name)}</a>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${text(title)}</title>
<style>${style}</style>
</head>
<body>
${above.length === 0 ? "" : `<nav aria-label="Above this page">${above.join(" › ")}</nav>\n`}<main>
<h1>${text(title)}</h1>
${body}
</main>
<footer><p class="soft">Touchstone ${escapeHtml(version)}. These pages run no script, load nothing from elsewhere and send nothing.</p></footer>
</body>
</html>
`;
}

/** Any text, of limited length and without markup. */
export function text(name: string): string {
  return escapeHtml(truncate(name, maxNameLength));
}

const looks: Record<SiteState["name"], { tone: string; sign: string; word: string }> = {
  conforms: { tone: "good", sign: "✓", word: "conforms" },
  fails: { tone: "bad", sign: "✕", word: "does not conform" },
  open: { tone: "open", sign: "?", word: "not shown to conform" },
};

/** A state: its sign and its words mean the same as its colour. */
export function renderState({ name, says }: SiteState): string {
  const { tone, sign, word } = looks[name];
  return `<strong class="${tone}"><span aria-hidden="true">${sign}</span> ${word}</strong><br><span class="soft">${text(says)}</span>`;
}

/** A table that scrolls separately in a narrow window. Cells are HTML already. */
export function renderTable(caption: string, head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = ([first = "", ...otherItems]: readonly string[]): string =>
    `<tr><th scope="row">${first}</th>${otherItems.map((cell) => `<td>${cell}</td>`).join("")}</tr>`;
  return `<div class="wide" tabindex="0" role="region" aria-label="${text(caption)}"><table><caption>${text(caption)}</caption>
<thead><tr>${head.map((name) => `<th scope="col">${name}</th>`).join("")}</tr></thead>
<tbody>
${rows.map(line).join("\n")}
</tbody></table></div>`;
}
