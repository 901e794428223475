import { isObject, type Json, type JsonObject, pointer } from "../../schemas/index.ts";
import { holdsAt } from "../evaluate/evaluate.ts";
import type { Keyword, Model, Node } from "../model/model.ts";
import { rawAt } from "../mutation/mutant.ts";
import type { LintFinding } from "./finding.ts";
import { relativeName } from "./relative-names.ts";

/** Values of a list, a default and examples that the schema itself refuses. */
export function findRefusedValues(model: Model, schemas: readonly JsonObject[], node: Node): LintFinding[] {
  const raw = rawAt(schemas, node.location);
  if (!isObject(raw) || typeof raw.$ref === "string") return [];
  const list = (name: string): Json[] => (Array.isArray(raw[name]) ? raw[name] : []);
  const found = findDeadValues(model, node, list("enum"));
  const examples: [path: readonly (string | number)[], value: Json][] = [
    ...(raw.default === undefined ? [] : [[["default"], raw.default] as [string[], Json]]),
    ...list("examples").map((value, index): [(string | number)[], Json] => [["examples", index], value]),
  ];
  for (const [path, value] of examples) {
    const at = path.reduce<string>((above, step) => pointer.append(above, step), node.location);
    const why = explainRefusal(model, node, value, at);
    if (why !== undefined)
      found.push({ at, kind: "invalid-example", why: `${JSON.stringify(value)} is not valid here: ${why}` });
  }
  return found;
}

/** At least this many values of a list that the same assertion refuses make one finding. */
const minSamples = 3;

function findDeadValues(model: Model, node: Node, values: readonly Json[]): LintFinding[] {
  const at = pointer.append(node.location, "enum");
  const refused = values.flatMap((value, index) => {
    const why = explainRefusal(model, node, value, at);
    return why === undefined ? [] : [{ value: JSON.stringify(value), at: pointer.append(at, index), why }];
  });
  return [...new Set(refused.map(({ why }) => why))].flatMap((why): LintFinding[] => {
    const kind = "dead-value";
    const refusedAlike = refused.filter((each) => each.why === why);
    const [first, second] = refusedAlike;
    if (refusedAlike.length < minSamples)
      return refusedAlike.map((each) => ({ at: each.at, kind, why: `${each.value} is never allowed: ${why}` }));
    const examples = `such as ${first?.value} and ${second?.value}`;
    return [
      { at, kind, why: `${refusedAlike.length} of ${values.length} values are never allowed, ${examples}: ${why}` },
    ];
  });
}

/** Why a value is refused; undefined if it is accepted or in doubt. */
function explainRefusal(model: Model, node: Node, value: Json, at: string): string | undefined {
  if (holdsAt(model, node.location, value, { formatDoubt: true })) return undefined;
  let first: Keyword | undefined;
  holdsAt(model, node.location, value, {
    formatDoubt: true,
    observe: (keyword, _at, _value, holds) => {
      // Deeper keywords are observed first.
      if (!holds) first ??= keyword;
    },
  });
  return first === undefined ? "it is refused" : `${relativeName(first.site, at)} refuses it`;
}

/** A condition without a consequence, unless the parts that it evaluates matter. */
export function findEmptyConditions(model: Model, node: Node): LintFinding[] {
  const found = node.keywords.flatMap((keyword): LintFinding[] =>
    keyword.kind === "if" && keyword.then === undefined && keyword.else === undefined
      ? [{ at: keyword.site, kind: "empty-if", why: "has neither `then` nor `else`, so it asserts nothing" }]
      : [],
  );
  const marks = found.length > 0 && [...model.nodes.values()].some((each) => each.marks === true);
  return marks ? [] : found;
}
