import type { Rule } from "../../../schemas/index.ts";
import { badgesOf } from "./badges.ts";
import { implementationPage } from "./implementation.ts";
import { renderOverview } from "./overview.ts";
import { downloadFile, releasePage } from "./release.ts";
import { arrangeEntries } from "./site-entries.ts";
import type { Files, Implementation, SiteEntry } from "./types.ts";

/** Every file of a site: the same for the same entries in any order. */
export function siteOf(entries: readonly SiteEntry[], rules: readonly Rule[]): Files {
  const site = arrangeEntries(entries);
  const files: Files = new Map([["index.html", renderOverview(site)]]);
  for (const implementation of site.implementations)
    for (const [path, text] of filesOf(implementation, rules)) files.set(path, text);
  return files;
}

function filesOf(implementation: Implementation, rules: readonly Rule[]): Files {
  const { slug, releases } = implementation;
  const files: Files = new Map([[`${slug}/index.html`, implementationPage(implementation)]]);
  const last = releases.at(-1);
  if (last !== undefined) for (const [path, text] of badgesOf(last, slug)) files.set(path, text);
  for (const release of releases) {
    const folder = `${slug}/${release.slug}`;
    files.set(`${folder}/index.html`, releasePage(implementation, release, rules));
    for (const [path, text] of badgesOf(release, folder)) files.set(path, text);
    for (const shown of [...release.latest.values(), ...release.earlier])
      files.set(`${folder}/${downloadFile(shown)}`, shown.entry.download.text);
  }
  return files;
}
