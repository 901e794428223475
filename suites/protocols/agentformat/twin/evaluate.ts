import type { Json } from "../../../../schemas/index.ts";
import { groupsOf } from "./conditions.ts";
import { entries, get } from "./finding.ts";

export interface Evaluated {
  holds: boolean;
  /** Whether implementations may differ, because an argument is missing or has another type, or a pattern matches only a part of the value. */
  isOpen: boolean;
}

const isScalar = (value: Json | undefined): boolean => ["string", "number", "boolean"].includes(typeof value);

/** Whether a condition matches arguments. */
export function evaluate(condition: Json, args: Json): Evaluated {
  let isOpen = false;
  const answerOpenly = (holds: boolean): boolean => {
    isOpen = true;
    return holds;
  };
  const passesTest = (name: string, test: Json): boolean => {
    const value = get(args, name);
    if (isScalar(test)) {
      if (value === undefined) return answerOpenly(false);
      return value === test;
    }
    // No short circuit: each open test must be noticed.
    return entries(test)
      .map(([operator, operand]) => applyOperator(operator, operand, value, answerOpenly))
      .every(Boolean);
  };
  const holds = groupsOf(condition).map((group) =>
    entries(get(group, "args_match"))
      .map(([name, test]) => passesTest(name, test))
      .every(Boolean),
  );
  return { holds: holds.includes(true), isOpen };
}

function applyOperator(
  operator: string,
  operand: Json,
  value: Json | undefined,
  answerOpenly: (holds: boolean) => boolean,
): boolean {
  const operands = Array.isArray(operand) ? operand : [operand];
  if (operator === "ne" || operator === "not_in") {
    if (value === undefined || !isScalar(value)) return answerOpenly(true);
    return !operands.includes(value);
  }
  if (value === undefined) return answerOpenly(false);
  if (operator === "in") return operands.includes(value);
  if (operator === "pattern")
    return typeof value === "string" ? matches(String(operand), value, answerOpenly) : answerOpenly(false);
  if (typeof value !== "number") return answerOpenly(false);
  const limit = Number(operand);
  if (operator === "gt") return value > limit;
  if (operator === "gte") return value >= limit;
  return operator === "lt" ? value < limit : value <= limit;
}

function matches(pattern: string, value: string, answerOpenly: (holds: boolean) => boolean): boolean {
  try {
    const isFound = new RegExp(pattern, "u").test(value);
    const isFullMatch = new RegExp(`^(?:${pattern})$`, "u").test(value);
    return isFound === isFullMatch ? isFound : answerOpenly(isFound);
  } catch {
    return answerOpenly(false);
  }
}
