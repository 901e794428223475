import type { Report } from "../../../schemas/index.ts";
import { html as text } from "../../text/escape.ts";
import type { Format, RenderOptions } from "../format.ts";
import { byId } from "../group.ts";
import { digest, script, style } from "./assets.ts";
import { pageData } from "./data.ts";
import { latest } from "./groups.ts";
import { header, over, verdict } from "./head.ts";
import { packed } from "./packed.ts";
import { plain } from "./plain.ts";
import { summary } from "./summary.ts";

/** One page that needs nothing else. Its script only ever makes text of what was said; the policy holds it to that. */
export const html: Format = {
  name: "html",
  extension: "html",
  render: (report, options) => page(report, options),
};

/** The same of a run that goes on: it asks the server that it came from what is new, and no other. */
export function livePage(report: Report, options: RenderOptions, isRunning: boolean): string {
  return page(report, options, { isRunning });
}

function page(report: Report, { rules, background }: RenderOptions, live?: { isRunning: boolean }): string {
  const known = byId(rules);
  const shown = latest(report);
  const isLive = live !== undefined;
  const stands = live?.isRunning === true ? "running" : shown === report ? "whole" : "last";
  const [styles, code] = [style(), script()];
  const policy = [
    isLive ? "default-src 'none'; connect-src 'self'" : "default-src 'none'",
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
<title>${text(`${verdict(shown, stands)} ${over(shown)} · Touchstone`)}</title>
<style>${styles}</style>
</head>
<body${isLive ? " data-live" : ""}>
<a class="skip" href="#main">Skip to the content</a>
<header id="bar"></header>
<main id="main" tabindex="-1">
<div id="head">
${header(shown, rules, stands)}
</div>
<div id="summary">
${summary(report, known)}
${plain(shown, known)}
</div>
<div id="view" hidden></div>
</main>
<footer><p class="soft">Touchstone ${text(report.tool.version)}. ${isLive ? "This page speaks to the run that shows it, on this machine." : "This page loads nothing and sends nothing."}</p></footer>
${packed(pageData(report, rules, background))}
<script>${code}</script>
</body>
</html>
`;
}
