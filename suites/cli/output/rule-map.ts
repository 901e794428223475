import type { Protocol } from "../../../schemas/index.ts";
import type { TableRow } from "../../base/text/table.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { placesOfRules, ruleParts } from "../../reports/explain/index.ts";

/** Lists each rule with the places of its parts and the number of its vectors. */
export function mapRows(protocols: readonly Protocol[], folder: string | undefined): TableRow[] {
  return protocols.flatMap((protocol) => {
    const places = placesOfRules(protocol);
    const vectors = loadVectors(protocol, folder).files.flatMap(({ tests }) => tests);
    return protocol.rules.map(({ id }) => {
      const place = places.get(id);
      const parts = ruleParts.map((part): [string, string] => [part, (place?.[part] ?? []).join(" ")]);
      return { rule: id, vectors: vectors.filter(({ rule }) => rule === id).length, ...Object.fromEntries(parts) };
    });
  });
}
