import { html as text } from "../../text/escape.ts";
import type { Format } from "../format.ts";
import { byId } from "../group.ts";
import { conclusion } from "../words.ts";
import { digest, script, style } from "./assets.ts";
import { pageData } from "./data.ts";
import { plain } from "./plain.ts";
import { header, summary } from "./summary.ts";

/** One page that needs nothing else. Its script only ever makes text of what was said; the policy holds it to that. */
export const html: Format = {
  name: "html",
  extension: "html",
  render(report, { rules }) {
    const known = byId(rules);
    const [styles, code] = [style(), script()];
    const policy = [
      "default-src 'none'",
      `style-src ${digest(styles)}`,
      `script-src ${digest(code)}`,
      "base-uri 'none'",
      "form-action 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ];
    return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join("; ")}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<title>${text(`${conclusion(report)} Touchstone report`)}</title>
<style>${styles}</style>
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header id="bar"></header>
<main id="main" tabindex="-1">
<div id="head">
${header(report, rules)}
</div>
<div id="summary">
${summary(report, known)}
${plain(report, known)}
</div>
<div id="view" hidden></div>
</main>
<footer><p class="soft">Touchstone ${text(report.tool.version)}. This page loads nothing and sends nothing.</p></footer>
<script type="application/json" id="data">${JSON.stringify(pageData(report, rules)).replaceAll("<", "\\u003c")}</script>
<script>${code}</script>
</body>
</html>
`;
  },
};
