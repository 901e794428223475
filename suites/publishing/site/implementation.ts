import { badgeFile, certifiedFile, certifiedProfiles } from "./badges.ts";
import { renderMatrix } from "./matrix.ts";
import { renderPage, text } from "./page.ts";
import { renderTrend } from "./trend.ts";
import type { Implementation, Release } from "./types.ts";

/** The page of an implementation: its releases, their trend, and badges of the last one. */
export function implementationPage(implementation: Implementation): string {
  const { name, releases } = implementation;
  const protocols = [...new Set(releases.flatMap(({ latest }) => [...latest.keys()]))];
  const rows = releases.map((release) => ({ release, name: release.name, address: `${release.slug}/index.html` }));
  const last = releases.at(-1);
  return renderPage(
    name,
    [["Results", "../index.html"]],
    `${renderMatrix("Releases", "release", [...rows].reverse(), protocols)}
${protocols.map((protocol) => `<h2>${text(protocol)}</h2>\n${renderTrend(implementation, protocol)}`).join("\n")}
${last === undefined ? "" : badgeSection(last)}`,
  );
}

/** The badges beside the page, which are those of the last release. */
function badgeSection(release: Release): string {
  const images = [...release.latest].flatMap(([protocol, shown]) => [
    image(badgeFile(shown.run), `${protocol}: ${shown.state.says}`),
    ...(certifiedProfiles(shown).length === 0 ? [] : [image(certifiedFile(shown.run), `${protocol} certified`)]),
  ]);
  return `<h2>Badges</h2>
<p>Of the last release, ${text(release.name)}. Their addresses stay: link to them from a README.</p>
<p>${images.join(" ")}</p>`;
}

function image(file: string, what: string): string {
  return `<a href="${file}"><img src="${file}" alt="${text(what)}" height="20"></a>`;
}
