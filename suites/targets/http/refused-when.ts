import type { AnswerCondition, RefusedWhen } from "../../../schemas/index.ts";

const successStatuses = Array.from({ length: 100 }, (_, index) => 200 + index);

/** Converts a configured condition for refusals to the form of a profile. */
export function conditionOf({ status = successStatuses, ...members }: RefusedWhen): AnswerCondition {
  return { status, ...members };
}
