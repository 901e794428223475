import type { AnswerCondition, RefusedWhen } from "../../../schemas/index.ts";

const successStatuses = Array.from({ length: 100 }, (_, index) => 200 + index);

/** The refusals of a configuration, in the form of a profile. */
export function conditionOf({ status = successStatuses, ...members }: RefusedWhen): AnswerCondition {
  return { status, ...members };
}
