import { renderMatrix } from "./matrix.ts";
import { renderPage } from "./page.ts";
import type { SiteContent } from "./types.ts";

/** Renders the first page: a table of the last releases, and one of all releases. */
export function renderOverview({ implementations, protocols }: SiteContent): string {
  const lastReleases = implementations.flatMap(({ name, slug, releases }) => {
    const release = releases.at(-1);
    return release === undefined ? [] : [{ release, name: `${name} ${release.name}`, address: `${slug}/index.html` }];
  });
  const allReleases = implementations.flatMap(({ name, slug, releases }) =>
    releases.map((release) => ({
      release,
      name: `${name} ${release.name}`,
      address: `${slug}/${release.slug}/index.html`,
    })),
  );
  return renderPage(
    "Conformance results",
    [],
    `<p>Results of implementations of these protocols with the vectors of Touchstone. <em>Conforms</em>: the whole set was run, each vector got an answer
or was skipped because the implementation does not claim a capability, and none is violated. Disputed vectors, on which readings of a specification differ, count for and
against nobody. <em>Certified</em>: a signed statement
of a key that the maintainer of these pages trusts; it is there for download, and <code>touchstone certify verify</code> checks it.</p>
${renderMatrix("Last releases", "implementation", lastReleases, protocols)}
${allReleases.length === lastReleases.length ? "" : renderMatrix("All releases", "release", allReleases, protocols)}`,
  );
}
