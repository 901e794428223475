import { createHash } from "node:crypto";
import type { Run } from "../../../schemas/index.ts";
import { byRelease, byText } from "./order.ts";
import { slugOf } from "./slug.ts";
import { stateOf } from "./state.ts";
import type { Implementation, Release, ShownRun, SiteContent, SiteEntry } from "./types.ts";

/** The name of the release for a report without one. */
const unnamedRelease = "unstated";

/** Groups entries by implementation, release and protocol. The order of the entries does not matter. */
export function arrangeEntries(entries: readonly SiteEntry[]): SiteContent {
  const runsByName = new Map<string, Map<string, ShownRun[]>>();
  for (const entry of distinctEntries(entries))
    for (const run of entry.report.runs) {
      const { name, release } = entry.implementation ?? { name: run.target.name, release: unnamedRelease };
      const releases = runsByName.get(name) ?? new Map<string, ShownRun[]>();
      runsByName.set(name, releases);
      releases.set(release, [...(releases.get(release) ?? []), { entry, run, state: stateOf(run, entry.report) }]);
    }
  const implementations = [...runsByName]
    .sort(([a], [b]) => byText(a, b))
    .map(([name, releases]): Implementation => {
      const sortedReleases = [...releases]
        .sort(([a], [b]) => byRelease(a, b))
        .map(([release, runs]) => releaseOf(release, runs));
      return { name, slug: slugOf(name), releases: sortedReleases };
    });
  const protocolVersions = implementations.flatMap(({ releases }) =>
    releases.flatMap(({ latest }) => [...latest.keys()]),
  );
  return { implementations, protocols: [...new Set(protocolVersions)].sort(byRelease) };
}

/** Removes duplicates of an entry. */
function distinctEntries(entries: readonly SiteEntry[]): SiteEntry[] {
  return [
    ...new Map(entries.map((entry) => [JSON.stringify([entry.implementation, entry.download.text]), entry])).values(),
  ];
}

function releaseOf(name: string, runs: readonly ShownRun[]): Release {
  const latest = new Map<string, ShownRun>();
  const earlier: ShownRun[] = [];
  for (const run of [...runs].sort(latestFirst)) {
    const protocol = protocolOf(run.run);
    if (latest.has(protocol)) earlier.push(run);
    else latest.set(protocol, run);
  }
  return { name, slug: slugOf(name), latest: new Map([...latest].sort(([a], [b]) => byRelease(a, b))), earlier };
}

/** Orders the latest run first. A trusted certificate precedes any other report, even a later one. */
function latestFirst(a: ShownRun, b: ShownRun): number {
  const byTrust = Number(b.entry.certificate?.isTrusted ?? false) - Number(a.entry.certificate?.isTrusted ?? false);
  const byTime = Date.parse(b.entry.report.started) - Date.parse(a.entry.report.started);
  return byTrust || byTime || byText(digestOf(a), digestOf(b));
}

function digestOf({ entry, run }: ShownRun): string {
  return createHash("sha256").update(entry.download.text).update(JSON.stringify(run.target)).digest("hex");
}

export function protocolOf({ protocol, version }: Pick<Run, "protocol" | "version">): string {
  return `${protocol} ${version}`;
}
