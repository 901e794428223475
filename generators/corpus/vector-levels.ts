import type { RuledProtocol, Vector } from "../../schemas/index.ts";
import { findings } from "../rules/check.ts";

/** A fault that the schema only annotates gets the level of a semantic rule that refuses it too, as for formats that a rule asserts. */
export function withLevel(protocol: RuledProtocol, document: string, vector: Vector): Vector {
  const { rule, level, data, valid } = vector;
  const isAssertedByRule = protocol.families.some(({ enforcedBy }) => enforcedBy?.[rule ?? ""] === "formats");
  if (!isAssertedByRule || level === undefined || valid !== false || data === undefined) return vector;
  const isBinding = findings(protocol, document, data).some(
    (ruleViolation) => ruleViolation.rule === rule && ruleViolation.level === "MUST",
  );
  if (!isBinding) return vector;
  const { level: _, ...rest } = vector;
  return rest;
}
