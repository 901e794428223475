import { badgeFile, certifiedFile, certifiedProfiles } from "./badges.ts";
import { renderMatrix } from "./matrix.ts";
import { renderPage, toHtml } from "./page.ts";
import { renderTrend } from "./trend.ts";
import type { Implementation, Release } from "./types.ts";

/** Renders the page of an implementation: its releases, their trend, and the badges of the last one. */
export function renderImplementation(implementation: Implementation): string {
  const { name, releases } = implementation;
  const protocols = [...new Set(releases.flatMap(({ latest }) => [...latest.keys()]))];
  const rows = releases.map((release) => ({ release, name: release.name, address: `${release.slug}/index.html` }));
  const last = releases.at(-1);
  return renderPage(
    name,
    [["Results", "../index.html"]],
    `${renderMatrix("Releases", "release", [...rows].reverse(), protocols)}
${protocols.map((protocol) => `<h2>${toHtml(protocol)}</h2>\n${renderTrend(implementation, protocol)}`).join("\n")}
${last === undefined ? "" : renderBadgeSection(last)}`,
  );
}

/** Renders links to the badges of the last release. */
function renderBadgeSection(release: Release): string {
  const images = [...release.latest].flatMap(([protocol, shownRun]) => [
    renderBadgeLink(badgeFile(shownRun.run), `${protocol}: ${shownRun.state.summary}`),
    ...(certifiedProfiles(shownRun).length === 0
      ? []
      : [renderBadgeLink(certifiedFile(shownRun.run), `${protocol} certified`)]),
  ]);
  return `<h2>Badges</h2>
<p>Of the last release, ${toHtml(release.name)}. Their addresses stay: link to them from a README.</p>
<p>${images.join(" ")}</p>`;
}

function renderBadgeLink(file: string, altText: string): string {
  return `<a href="${file}"><img src="${file}" alt="${toHtml(altText)}" height="20"></a>`;
}
