import type { AnswerCondition, RefusedWhen } from "../../../schemas/index.ts";

const success = Array.from({ length: 100 }, (_, index) => 200 + index);

/** What a configuration says of answers that refuse, as a profile says it. */
export function conditionOf({ status = success, ...members }: RefusedWhen): AnswerCondition {
  return { status, ...members };
}
