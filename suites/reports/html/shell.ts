import { escapeHtml as text } from "../../base/text/escape.ts";
import { readScript, readStyle, sourceHash } from "./assets.ts";
import { packData } from "./packing.ts";
import type { PageData } from "./shape.ts";

/** The content of a page. */
export interface ShellContent {
  title: string;
  /** The markup of the head. The summary follows it; its element `#plain` is for browsers without scripts. */
  head: string;
  summary: string;
  version: string;
  data: PageData;
  /** Whether the page polls the server from which it was loaded. */
  isLive?: boolean;
}

/** Renders a page without external resources. Its policy allows only its own script, which can only write text. */
export function renderShell({ title, head, summary, version, data, isLive = false }: ShellContent): string {
  const [styles, code] = [readStyle(), readScript()];
  const policy = [
    isLive ? "default-src 'none'; connect-src 'self'" : "default-src 'none'",
    `style-src ${sourceHash(styles)}`,
    `script-src ${sourceHash(code)}`,
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
<title>${text(`${title} · Touchstone`)}</title>
<style>${styles}</style>
</head>
<body${isLive ? " data-live" : ""}>
<a class="skip" href="#main">Skip to the content</a>
<header id="bar"></header>
<main id="main" tabindex="-1">
<div id="head">
${head}
</div>
<div id="summary">
${summary}
</div>
<div id="view" hidden></div>
</main>
<footer><p class="soft">Touchstone ${text(version)}. ${isLive ? "This page communicates with the run that shows it, on this machine." : "This page loads nothing and sends nothing."}</p></footer>
${packData(data)}
<script>${code}</script>
</body>
</html>
`;
}
