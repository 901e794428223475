import { type Report, type Source, sourceIn } from "../../schemas/index.ts";
import { kept } from "./described.ts";

/**
 * Where assertions of a report stand in the files of the user's packs, as far as these are there. Of a pack that was made of an OpenAPI document
 * without being asked for, nothing is: its files are not the user's.
 */
export async function sourcesOf(report: Report): Promise<(site: string) => Source | undefined> {
  const isAsked = report.runs.some(({ results }) =>
    results.some(({ rule, site, outcome }) => rule === undefined && site !== undefined && outcome !== "conforms"),
  );
  if (!isAsked) return () => undefined;
  const { protocolsIn } = await import("./packs.ts");
  // A pack may have gone, or changed beyond reading, since the run: the report is written all the same.
  const protocols = await protocolsIn([report]).catch(() => []);
  return (site) => {
    const source = protocols.map((protocol) => sourceIn(protocol, site)).find((found) => found !== undefined);
    return source?.file.split(/[\\/]/).includes(kept) === true ? undefined : source;
  };
}
