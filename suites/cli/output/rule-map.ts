import type { Protocol } from "../../../schemas/index.ts";
import type { TableRow } from "../../base/text/table.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { placesOfRules, ruleParts } from "../../reports/explain/index.ts";

/** The places of the parts of each rule, and the number of its vectors. */
export function mapRows(all: readonly Protocol[], folder: string | undefined): TableRow[] {
  return all.flatMap((protocol) => {
    const places = placesOfRules(protocol);
    const vectors = loadVectors(protocol, folder).files.flatMap(({ tests }) => tests);
    return protocol.rules.map(({ id }) => {
      const place = places.get(id);
      const parts = ruleParts.map((part): [string, string] => [part, (place?.[part] ?? []).join(" ")]);
      return { rule: id, vectors: vectors.filter(({ rule }) => rule === id).length, ...Object.fromEntries(parts) };
    });
  });
}
