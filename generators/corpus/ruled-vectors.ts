import { type Document, type Level, levels, type RuledProtocol, type Vector } from "../../schemas/index.ts";
import type { Draft } from "../drafts/draft.ts";
import { findings, type RuleViolation } from "../rules/check.ts";
import type { JudgedDraft } from "./judge.ts";

/** Vectors that the schema alone judges, and vectors that a semantic rule decides. */
export interface VectorsByJudge {
  judged: JudgedDraft[];
  semantic: Vector[];
}

/**
 * Turns vectors of named families that the schema accepts and exactly one rule refuses into vectors of that rule. `idOf` returns the id of the parent, which
 * breaks no rule.
 */
export function separateRuleVectors(
  protocol: RuledProtocol,
  document: Document,
  judged: readonly JudgedDraft[],
  idOf: (draft: Draft) => string | undefined,
): VectorsByJudge {
  const separated: VectorsByJudge = { judged: [], semantic: [] };
  for (const judgedDraft of judged) {
    const semanticVector = vectorOfRule(protocol, document, judgedDraft, idOf);
    if (semanticVector === undefined) separated.judged.push(judgedDraft);
    else separated.semantic.push(semanticVector);
  }
  return separated;
}

function vectorOfRule(
  protocol: RuledProtocol,
  document: Document,
  { draft: { injected, named }, kind, vector }: JudgedDraft,
  idOf: (draft: Draft) => string | undefined,
): Vector | undefined {
  // Messages are signed later, so rules about signatures cannot judge them yet.
  if (injected === undefined || named !== "only" || kind !== "valid" || protocol.seal !== undefined) return undefined;
  const parent = idOf(injected.parent);
  if (parent === undefined || vector.data === undefined) return undefined;
  const violations = findings(protocol, document.name, vector.data);
  const bindingViolations = violations.filter(({ level }) => level === "MUST" || level === "SHOULD");
  const [rule, ...others] = new Set(bindingViolations.map((ruleViolation) => ruleViolation.rule));
  if (rule === undefined || others.length > 0) return undefined;
  if (protocol.rules.find(({ id }) => id === rule)?.verdict === "either") return undefined;
  if (findings(protocol, document.name, injected.parent.data).length > 0) return undefined;
  const { id, description, data, at = "", needs, tags } = vector;
  const level = strongestLevel(bindingViolations);
  return {
    id: id.replace("/valid/", `/semantic/${rule}/`),
    description,
    valid: false,
    data,
    rule,
    ...(level === "MUST" ? {} : { level }),
    at,
    fault: injected.fault,
    parent,
    change: injected.change,
    needs: ["semantic", ...needs],
    tags,
  };
}

function strongestLevel(violations: readonly RuleViolation[]): Level {
  return (
    violations.map(({ level }) => level).sort((first, second) => levels.indexOf(first) - levels.indexOf(second))[0] ??
    "MUST"
  );
}
