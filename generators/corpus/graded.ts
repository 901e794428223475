import type { RuledProtocol, Vector } from "../../schemas/index.ts";
import { findings } from "../rules/check.ts";

/**
 * How much a fault counts that a schema only notes and a rule beside it refuses: as much as that rule says, which the formats that it takes
 * as assertions keep.
 */
export function graded(protocol: RuledProtocol, document: string, vector: Vector): Vector {
  const { rule, level, data, valid } = vector;
  const isKept = protocol.families.some(({ enforcedBy }) => enforcedBy?.[rule ?? ""] === "formats");
  if (!isKept || level === undefined || valid !== false || data === undefined) return vector;
  const isGrave = findings(protocol, document, data).some((found) => found.rule === rule && found.level === "MUST");
  if (!isGrave) return vector;
  const { level: _, ...rest } = vector;
  return rest;
}
