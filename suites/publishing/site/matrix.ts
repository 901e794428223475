import { certifiedProfiles } from "./badges.ts";
import { renderState, renderTable, text } from "./page.ts";
import type { Release, ShownRun } from "./types.ts";

/** A row of the matrix: a release, its name on this page, and the address of its own page. */
export interface MatrixRow {
  release: Release;
  name: string;
  address: string;
}

/** Releases by protocols. */
export function renderMatrix(
  caption: string,
  of: string,
  rows: readonly MatrixRow[],
  protocols: readonly string[],
): string {
  const mixedProtocols = protocols.filter((protocol) => isMixed(rows, protocol));
  const note =
    mixedProtocols.length === 0
      ? ""
      : `<p class="soft">Run with different sets of vectors: ${mixedProtocols.map(text).join(", ")}. Compare with care; each page has the digest of its set.</p>`;
  const body = rows.map(({ release, name, address }) => [
    `<a href="${address}">${text(name)}</a>`,
    ...protocols.map((protocol) => cell(release.latest.get(protocol))),
  ]);
  return `${renderTable(caption, [of, ...protocols.map(text)], body)}\n${note}`;
}

function cell(shownRun: ShownRun | undefined): string {
  if (shownRun === undefined) return '<span class="soft">not run</span>';
  const passedProfiles = certifiedProfiles(shownRun);
  return `${renderState(shownRun.state)}${passedProfiles.length === 0 ? "" : `<br><span class="good">certified: ${text(passedProfiles.join(", "))}</span>`}`;
}

function isMixed(rows: readonly MatrixRow[], protocol: string): boolean {
  return new Set(rows.flatMap(({ release }) => release.latest.get(protocol)?.run.set.digest ?? [])).size > 1;
}
