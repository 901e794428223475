import type { Json } from "../../../schemas/index.ts";
import { type Keyword, type KeywordOf, type Model, type Node, nodeAt } from "../../model/model.ts";
import { withKeyword } from "../keyword-change.ts";
import type { Operator, UnnamedMutant } from "../mutant.ts";

/** The effect of a missing branch. */
const effectOfRemoval = { allOf: "weaker", anyOf: "stronger", oneOf: "other" } as const;

/** Mutants of a choice: a branch is missing or requires the members of another, and `oneOf` is read as `anyOf` or the reverse. */
export const branchOperator: Operator = {
  name: "branch",
  *mutate(node, model, raw) {
    for (const keyword of node.keywords) {
      if (keyword.kind !== "oneOf" && keyword.kind !== "anyOf" && keyword.kind !== "allOf") continue;
      if (keyword.nodes.length > 1) {
        for (const index of keyword.nodes.keys()) {
          yield {
            effect: effectOfRemoval[keyword.kind],
            site: `${keyword.site}/${index}`,
            entryOf: keyword.site,
            keyword: keyword.kind,
            says: `branch ${index} is missing`,
            edits: [{ at: `${keyword.site}/${index}` }],
            nodes: [
              withKeyword(node, keyword, {
                ...keyword,
                nodes: keyword.nodes.filter((_, otherIndex) => otherIndex !== index),
              }),
            ],
          };
        }
      }
      yield* requireMembersOfOtherBranch(keyword, model);
      if (keyword.kind === "allOf" || keyword.nodes.length < 2 || raw[keyword.kind] === undefined) continue;
      const otherKind = keyword.kind === "oneOf" ? "anyOf" : "oneOf";
      if (raw[otherKind] !== undefined) continue;
      yield {
        effect: otherKind === "anyOf" ? "weaker" : "stronger",
        site: keyword.site,
        keyword: keyword.kind,
        says: otherKind === "anyOf" ? "several branches may match" : "at most one branch may match",
        edits: [{ at: `${node.location}/${otherKind}`, value: raw[keyword.kind] as Json }, { at: keyword.site }],
        nodes: [withKeyword(node, keyword, { kind: otherKind, site: keyword.site, nodes: keyword.nodes })],
      };
    }
  },
};

/** Lets each branch with required members require those of the next such branch instead. */
function* requireMembersOfOtherBranch(
  { nodes, site }: KeywordOf<"allOf" | "anyOf" | "oneOf">,
  model: Model,
): Generator<UnnamedMutant> {
  const branches = nodes.flatMap((location, index) =>
    location === `${site}/${index}` ? findRequiringSchemas(model, location) : [],
  );
  for (const [index, { node, keyword, origin }] of branches.entries()) {
    const otherBranches = [...branches.slice(index + 1), ...branches.slice(0, index)];
    const otherBranch = otherBranches.find(
      (requiringSchema) =>
        requiringSchema.origin === origin && requiringSchema.keyword.names.join() !== keyword.names.join(),
    );
    if (otherBranch === undefined) continue;
    const { names } = otherBranch.keyword;
    yield {
      effect: "other",
      site: keyword.site,
      keyword: "required",
      says: `required lists the members of another branch: ${names.join(", ")}`,
      edits: [{ at: keyword.site, value: names }],
      nodes: [withKeyword(node, keyword, { ...keyword, names })],
    };
  }
}

interface RequiringSchema {
  node: Node;
  keyword: KeywordOf<"required">;
  /** Whether the branch itself requires the members, or its `then`. */
  origin: "branch" | "then";
}

function findRequiringSchemas(model: Model, location: string): RequiringSchema[] {
  const findRequiring = (node: Node, origin: RequiringSchema["origin"]): RequiringSchema[] =>
    node.keywords.flatMap((keyword) =>
      keyword.kind === "required" && keyword.site === `${node.location}/required` ? [{ node, keyword, origin }] : [],
    );
  const branch = nodeAt(model, location);
  const inConsequence = branch.keywords.flatMap((keyword: Keyword) =>
    keyword.kind === "if" && keyword.then === `${location}/then`
      ? findRequiring(nodeAt(model, keyword.then), "then")
      : [],
  );
  return [...findRequiring(branch, "branch"), ...inConsequence];
}
