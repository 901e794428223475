import type { Json } from "../../../../schemas/index.ts";
import { groupsOf } from "./conditions.ts";
import { entries, get } from "./finding.ts";

export interface Evaluated {
  holds: boolean;
  /** Another implementation may decide differently: an argument is missing or of another type, or search and full match differ. */
  isOpen: boolean;
}

const isScalar = (value: Json | undefined): boolean => ["string", "number", "boolean"].includes(typeof value);

/** Whether a condition matches arguments. */
export function evaluate(condition: Json, args: Json): Evaluated {
  let isOpen = false;
  const decideOpen = (holds: boolean): boolean => {
    isOpen = true;
    return holds;
  };
  const passesTest = (name: string, test: Json): boolean => {
    const value = get(args, name);
    if (isScalar(test)) {
      if (value === undefined) return decideOpen(false);
      return value === test;
    }
    // Evaluates all tests, to notice each undecided one.
    return entries(test)
      .map(([operator, operand]) => operateOn(operator, operand, value, decideOpen))
      .every(Boolean);
  };
  const holds = groupsOf(condition).map((group) =>
    entries(get(group, "args_match"))
      .map(([name, test]) => passesTest(name, test))
      .every(Boolean),
  );
  return { holds: holds.includes(true), isOpen };
}

function operateOn(
  operator: string,
  operand: Json,
  value: Json | undefined,
  decideOpen: (holds: boolean) => boolean,
): boolean {
  const operands = Array.isArray(operand) ? operand : [operand];
  if (operator === "ne" || operator === "not_in") {
    if (value === undefined || !isScalar(value)) return decideOpen(true);
    return !operands.includes(value);
  }
  if (value === undefined) return decideOpen(false);
  if (operator === "in") return operands.includes(value);
  if (operator === "pattern")
    return typeof value === "string" ? matches(String(operand), value, decideOpen) : decideOpen(false);
  if (typeof value !== "number") return decideOpen(false);
  const limit = Number(operand);
  if (operator === "gt") return value > limit;
  if (operator === "gte") return value >= limit;
  return operator === "lt" ? value < limit : value <= limit;
}

function matches(pattern: string, value: string, decideOpen: (holds: boolean) => boolean): boolean {
  try {
    const search = new RegExp(pattern, "u").test(value);
    return search === new RegExp(`^(?:${pattern})$`, "u").test(value) ? search : decideOpen(search);
  } catch {
    return decideOpen(false);
  }
}
