import { isObject, type Json, type JsonObject, pointer } from "../../schemas/index.ts";
import { holdsAt } from "../evaluate/evaluate.ts";
import type { Keyword, Model, Node } from "../model/model.ts";
import { rawAt } from "../mutation/mutant.ts";
import type { LintFinding } from "./finding.ts";
import { beside } from "./named.ts";

/** Values of a list, a default and examples that the schema itself refuses. */
export function ownValues(model: Model, schemas: readonly JsonObject[], node: Node): LintFinding[] {
  const raw = rawAt(schemas, node.location);
  if (!isObject(raw) || typeof raw.$ref === "string") return [];
  const list = (name: string): Json[] => (Array.isArray(raw[name]) ? raw[name] : []);
  const found: LintFinding[] = [];
  for (const [index, value] of list("enum").entries()) {
    const at = pointer.append(pointer.append(node.location, "enum"), index);
    const why = refusal(model, node, value, at);
    if (why !== undefined)
      found.push({ at, kind: "dead-value", why: `${JSON.stringify(value)} is never allowed: ${why}` });
  }
  const told: [path: readonly (string | number)[], value: Json][] = [
    ...(raw.default === undefined ? [] : [[["default"], raw.default] as [string[], Json]]),
    ...list("examples").map((value, index): [(string | number)[], Json] => [["examples", index], value]),
  ];
  for (const [path, value] of told) {
    const at = path.reduce<string>((above, step) => pointer.append(above, step), node.location);
    const why = refusal(model, node, value, at);
    if (why !== undefined)
      found.push({ at, kind: "invalid-example", why: `${JSON.stringify(value)} is not valid here: ${why}` });
  }
  return found;
}

/** What refuses a value, if anything does that nobody disputes. */
function refusal(model: Model, node: Node, value: Json, at: string): string | undefined {
  if (holdsAt(model, node.location, value, { formatDoubt: true })) return undefined;
  let first: Keyword | undefined;
  holdsAt(model, node.location, value, {
    formatDoubt: true,
    observe: (keyword, _at, _value, holds) => {
      // What is deeper comes first.
      if (!holds) first ??= keyword;
    },
  });
  return first === undefined ? "it is refused" : `${beside(first.site, at)} refuses it`;
}

/** A condition without anything that follows, unless what it evaluates counts. */
export function emptyIfs(model: Model, node: Node): LintFinding[] {
  const marks = [...model.nodes.values()].some((each) => each.marks === true);
  if (marks) return [];
  return node.keywords.flatMap((keyword): LintFinding[] =>
    keyword.kind === "if" && keyword.then === undefined && keyword.else === undefined
      ? [{ at: keyword.site, kind: "empty-if", why: "has neither `then` nor `else`, so it asserts nothing" }]
      : [],
  );
}
