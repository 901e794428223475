import type { Json } from "../../schemas/index.ts";
import type { Location } from "../model/model.ts";
import { listedChildren } from "./children.ts";
import type { KeywordHandler } from "./handler.ts";
import { plainLocation } from "./reading.ts";
import type { Visit } from "./visit.ts";

type Branching = "allOf" | "anyOf" | "oneOf";

type BranchHandler = Pick<KeywordHandler<Branching>, "reads" | "children" | "moved" | "inPlace" | "passages">;

/** The common part of keywords with a list of branches. */
export function branchHandler(kind: Branching): BranchHandler {
  return {
    ...listedChildren,
    inPlace: true,
    reads: { [kind]: (site, value) => [{ kind, site, nodes: (value as string[]).map(plainLocation) }] },
    passages: ({ nodes }) => nodes.map((node, key) => ({ node, key })),
  };
}

/** The number of valid branches. All are evaluated if they mark evaluated parts or are observed; otherwise counting ends at `enough`. */
export function countMatching(nodes: readonly Location[], value: Json, visit: Visit, enough: number): number {
  const evaluatesAll = visit.isObserved || visit.marks !== undefined;
  let found = 0;
  for (const node of nodes) {
    if (visit.inPlace(node, value)) found += 1;
    if (found >= enough && !evaluatesAll) break;
  }
  return found;
}
