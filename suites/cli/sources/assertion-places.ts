import { type Protocol, type Report, type Source, sourceAmong } from "../../../schemas/index.ts";
import { isDescription } from "../../authoring/openapi/description-names.ts";
import type { RenderOptions } from "../../reports/index.ts";
import { packsFolder } from "./description.ts";

/** The places of a report's assertions in the files of the user's packs, and the subjects of its other results, as far as they are available. A pack that was made automatically from an OpenAPI document is not the user's, but the document is. */
export async function sourcesOf(report: Report): Promise<Pick<RenderOptions, "sourceOf" | "describedAt">> {
  const isAsked = report.runs.some(({ results }) => results.some(({ outcome }) => outcome !== "conforms"));
  if (!isAsked) return {};
  const { protocolsIn } = await import("./protocols.ts");
  // Since the run, a pack may have been removed or become unreadable: the report is still written.
  const protocols = await protocolsIn([report]).catch(() => []);
  const findWithin = (candidates: readonly Protocol[], location: string): Source | undefined => {
    const source = sourceAmong(candidates, location);
    return source?.file.split(/[\\/]/).includes(packsFolder) === true ? undefined : source;
  };
  const schemasOf = new Map(
    report.runs.flatMap(({ protocol, version, options = report.options }) =>
      isDescribed(options) ? [[`${protocol}/${version}/`, options?.protocol as string]] : [],
    ),
  );
  return {
    sourceOf: (site) => findWithin(protocols, site),
    describedAt({ id, rule, site }) {
      const protocolsOfId = protocols.filter(({ name, version }) => id.startsWith(`${name}/${version}/`));
      const ofRule = rule === undefined ? undefined : findWithin(protocolsOfId, `rules#${rule}`);
      const file = [...schemasOf].find(([start]) => id.startsWith(start))?.[1];
      if (ofRule !== undefined) return ofRule;
      const document = protocolsOfId[0]?.profile.documents.find(({ name }) => name === id.split("/")[2]);
      const documentPlace = document === undefined ? undefined : findWithin(protocolsOfId, `${document.schema}#`);
      // A message that breaks several assertions at once concerns the schema as a whole.
      if (file === undefined) return rule === undefined && site === undefined ? documentPlace : undefined;
      return (
        (site === undefined ? undefined : findWithin(protocolsOfId, site)) ??
        documentPlace ?? { file, line: 1, column: 1 }
      );
    },
  };
}

/** Whether vectors were made automatically from an OpenAPI document: they are in a hidden folder. */
export function isDescribed(options: Report["options"]): boolean {
  const { vectors, protocol = "" } = options ?? {};
  return vectors === undefined && isDescription(protocol);
}
