import type { Rule } from "../../../schemas/index.ts";
import { renderBadges } from "./badges.ts";
import { renderImplementation } from "./implementation.ts";
import { renderOverview } from "./overview.ts";
import { downloadFile, renderRelease } from "./release.ts";
import { arrangeEntries } from "./site-entries.ts";
import type { Files, Implementation, SiteEntry } from "./types.ts";

/** Renders every file of a site. The order of the entries does not matter. */
export function renderSite(entries: readonly SiteEntry[], rules: readonly Rule[]): Files {
  const site = arrangeEntries(entries);
  const files: Files = new Map([["index.html", renderOverview(site)]]);
  for (const implementation of site.implementations)
    for (const [path, text] of renderFiles(implementation, rules)) files.set(path, text);
  return files;
}

function renderFiles(implementation: Implementation, rules: readonly Rule[]): Files {
  const { slug, releases } = implementation;
  const files: Files = new Map([[`${slug}/index.html`, renderImplementation(implementation)]]);
  const lastRelease = releases.at(-1);
  if (lastRelease !== undefined) for (const [path, text] of renderBadges(lastRelease, slug)) files.set(path, text);
  for (const release of releases) {
    const folder = `${slug}/${release.slug}`;
    files.set(`${folder}/index.html`, renderRelease(implementation, release, rules));
    for (const [path, text] of renderBadges(release, folder)) files.set(path, text);
    for (const shownRun of [...release.latest.values(), ...release.earlier])
      files.set(`${folder}/${downloadFile(shownRun)}`, shownRun.entry.download.text);
  }
  return files;
}
