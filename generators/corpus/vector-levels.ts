import type { RuledProtocol, Vector } from "../../schemas/index.ts";
import { findings } from "../rules/check.ts";

/** Removes the level SHOULD from a wrong format that a semantic rule of level MUST refuses too. */
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
