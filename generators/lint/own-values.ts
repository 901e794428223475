import { isObject, type Json, type JsonObject, pointer } from "../../schemas/index.ts";
import { holdsAt } from "../evaluate/evaluate.ts";
import type { Keyword, Model, Node } from "../model/model.ts";
import { rawAt } from "../mutation/mutant.ts";
import type { LintFinding } from "./finding.ts";
import { relativeName } from "./relative-names.ts";

/** Finds values of a list, a default and examples that the schema itself refuses. */
export function findRefusedValues(model: Model, schemas: readonly JsonObject[], node: Node): LintFinding[] {
  const raw = rawAt(schemas, node.location);
  if (!isObject(raw) || typeof raw.$ref === "string") return [];
  const listOf = (name: string): Json[] => (Array.isArray(raw[name]) ? raw[name] : []);
  const findings = findDeadValues(model, node, listOf("enum"));
  const examples: [path: readonly (string | number)[], value: Json][] = [
    ...(raw.default === undefined ? [] : [[["default"], raw.default] as [string[], Json]]),
    ...listOf("examples").map((value, index): [(string | number)[], Json] => [["examples", index], value]),
  ];
  for (const [path, value] of examples) {
    const at = path.reduce<string>((parent, step) => pointer.append(parent, step), node.location);
    const why = explainRefusal(model, node, value, at);
    if (why !== undefined)
      findings.push({ at, kind: "invalid-example", why: `${JSON.stringify(value)} is not valid here: ${why}` });
  }
  return findings;
}

/** If the same assertion refuses at least this many values of a list, they make one finding. */
const minSamples = 3;

function findDeadValues(model: Model, node: Node, values: readonly Json[]): LintFinding[] {
  const at = pointer.append(node.location, "enum");
  const refused = values.flatMap((value, index) => {
    const why = explainRefusal(model, node, value, at);
    return why === undefined ? [] : [{ value: JSON.stringify(value), at: pointer.append(at, index), why }];
  });
  return [...new Set(refused.map(({ why }) => why))].flatMap((why): LintFinding[] => {
    const kind = "dead-value";
    const sameReason = refused.filter((refusal) => refusal.why === why);
    const [first, second] = sameReason;
    if (sameReason.length < minSamples)
      return sameReason.map((refusal) => ({ at: refusal.at, kind, why: `${refusal.value} is never allowed: ${why}` }));
    const examples = `such as ${first?.value} and ${second?.value}`;
    return [
      { at, kind, why: `${sameReason.length} of ${values.length} values are never allowed, ${examples}: ${why}` },
    ];
  });
}

/** Explains why a value is refused; undefined if it is accepted or in doubt. */
function explainRefusal(model: Model, node: Node, value: Json, at: string): string | undefined {
  if (holdsAt(model, node.location, value, { formatDoubt: true })) return undefined;
  let firstKeyword: Keyword | undefined;
  holdsAt(model, node.location, value, {
    formatDoubt: true,
    observe: (keyword, _at, _value, holds) => {
      // Deeper keywords are observed first.
      if (!holds) firstKeyword ??= keyword;
    },
  });
  return firstKeyword === undefined ? "it is refused" : `${relativeName(firstKeyword.site, at)} refuses it`;
}

/** Finds conditions without a consequence, unless some keyword depends on the parts that they evaluate. */
export function findEmptyConditions(model: Model, node: Node): LintFinding[] {
  const conditions = node.keywords.flatMap((keyword): LintFinding[] =>
    keyword.kind === "if" && keyword.then === undefined && keyword.else === undefined
      ? [{ at: keyword.site, kind: "empty-if", why: "has neither `then` nor `else`, so it asserts nothing" }]
      : [],
  );
  const hasMarks = conditions.length > 0 && [...model.nodes.values()].some((otherNode) => otherNode.marks === true);
  return hasMarks ? [] : conditions;
}
