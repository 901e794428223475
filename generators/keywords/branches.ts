import type { Json } from "../../schemas/index.ts";
import type { Location } from "../model/model.ts";
import { listedChildren } from "./children.ts";
import type { KeywordHandler } from "./handler.ts";
import { plainLocation } from "./reading.ts";
import type { Visit } from "./visit.ts";

type Branching = "allOf" | "anyOf" | "oneOf";

type BranchHandler = Pick<KeywordHandler<Branching>, "readers" | "children" | "relocate" | "inPlace" | "passages">;

/** Makes the common part of the handlers of keywords with a list of branches. */
export function branchHandler(kind: Branching): BranchHandler {
  return {
    ...listedChildren,
    inPlace: true,
    readers: { [kind]: (site, value) => [{ kind, site, nodes: (value as string[]).map(plainLocation) }] },
    passages: ({ nodes }) => nodes.map((node, key) => ({ node, key })),
  };
}

/** Counts the valid branches. All are evaluated if they mark evaluated parts or are observed; otherwise counting ends at `enough`. */
export function countMatching(nodes: readonly Location[], value: Json, visit: Visit, enough: number): number {
  const evaluatesAll = visit.isObserved || visit.marks !== undefined;
  let matching = 0;
  for (const node of nodes) {
    if (visit.valueHolds(node, value)) matching += 1;
    if (matching >= enough && !evaluatesAll) break;
  }
  return matching;
}
