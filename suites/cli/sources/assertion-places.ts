import { type Protocol, type Report, type Source, sourceAmong } from "../../../schemas/index.ts";
import { isDescription } from "../../authoring/openapi/description-names.ts";
import type { RenderOptions } from "../../reports/index.ts";
import { packsFolder } from "./description.ts";

/** Finds the places of a report's assertions and rules in the files of the user's packs, if these are available. For a pack that was generated from an API description, the place is in the description. */
export async function sourcesOf(report: Report): Promise<Pick<RenderOptions, "sourceOf" | "describedAt">> {
  const hasProblems = report.runs.some(({ results }) => results.some(({ outcome }) => outcome !== "conforms"));
  if (!hasProblems) return {};
  const { protocolsIn } = await import("./protocols.ts");
  // Since the run, a pack may have been removed or become unreadable: the report is still written.
  const protocols = await protocolsIn([report]).catch(() => []);
  const findWithin = (candidates: readonly Protocol[], location: string): Source | undefined => {
    const source = sourceAmong(candidates, location);
    return source?.file.split(/[\\/]/).includes(packsFolder) === true ? undefined : source;
  };
  const descriptionByPrefix = new Map(
    report.runs.flatMap(({ protocol, version, options = report.options }) =>
      isDescribed(options) ? [[`${protocol}/${version}/`, options?.protocol as string]] : [],
    ),
  );
  return {
    sourceOf: (site) => findWithin(protocols, site),
    describedAt({ id, rule, site }) {
      const protocolsOfId = protocols.filter(({ name, version }) => id.startsWith(`${name}/${version}/`));
      const rulePlace = rule === undefined ? undefined : findWithin(protocolsOfId, `rules#${rule}`);
      const file = [...descriptionByPrefix].find(([prefix]) => id.startsWith(prefix))?.[1];
      if (rulePlace !== undefined) return rulePlace;
      const document = protocolsOfId[0]?.profile.documents.find(({ name }) => name === id.split("/")[2]);
      const documentPlace = document === undefined ? undefined : findWithin(protocolsOfId, `${document.schema}#`);
      // A message that breaks several assertions concerns the schema as a whole.
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
