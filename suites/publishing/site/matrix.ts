import { certifiedProfiles } from "./badges.ts";
import { renderState, renderTable, toHtml } from "./page.ts";
import type { Release, ShownRun } from "./types.ts";

/** A row of the matrix: a release, its name on this page, and the address of its own page. */
export interface MatrixRow {
  release: Release;
  name: string;
  address: string;
}

/** Renders a table with a row for each release and a column for each protocol. */
export function renderMatrix(
  caption: string,
  rowHeading: string,
  rows: readonly MatrixRow[],
  protocols: readonly string[],
): string {
  const mixedProtocols = protocols.filter((protocol) => isMixed(rows, protocol));
  const note =
    mixedProtocols.length === 0
      ? ""
      : `<p class="soft">Run with different sets of vectors: ${mixedProtocols.map(toHtml).join(", ")}. Compare with care; each page has the digest of its set.</p>`;
  const body = rows.map(({ release, name, address }) => [
    `<a href="${address}">${toHtml(name)}</a>`,
    ...protocols.map((protocol) => renderCell(release.latest.get(protocol))),
  ]);
  return `${renderTable(caption, [rowHeading, ...protocols.map(toHtml)], body)}\n${note}`;
}

function renderCell(shownRun: ShownRun | undefined): string {
  if (shownRun === undefined) return '<span class="soft">not run</span>';
  const passedProfiles = certifiedProfiles(shownRun);
  return `${renderState(shownRun.state)}${passedProfiles.length === 0 ? "" : `<br><span class="good">certified: ${toHtml(passedProfiles.join(", "))}</span>`}`;
}

function isMixed(rows: readonly MatrixRow[], protocol: string): boolean {
  return new Set(rows.flatMap(({ release }) => release.latest.get(protocol)?.run.set.digest ?? [])).size > 1;
}
