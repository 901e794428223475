import { type JsonObject, type Level, missingNeeds, type ScenarioContext } from "../../../../../schemas/index.ts";
import { isType, memberObject } from "../messages.ts";
import type { AgentPlay } from "./play.ts";

/** Waits for an escalation about a task, or for one that names no task. */
export function waitForEscalation(agent: AgentPlay, task: string): Promise<JsonObject | undefined> {
  return agent.waitForMessage(
    (message) => isType(message, "escalation.") && (memberObject(message, "context").task_id ?? task) === task,
  );
}

/** The times of the attempts on a task; undefined if the agent does not report them. */
export async function attemptTimes(agent: AgentPlay, task: string): Promise<number[] | undefined> {
  const work = await agent.reportWorkIfSupported();
  return work?.attempts.filter((attempt) => attempt.task_id === task).map(({ at }) => Date.parse(String(at)));
}

/** Returns a test for messages that were made after a message, by their timestamps. It is true for an unreadable time. */
export function madeAfter(earlierMessage: JsonObject | undefined): (message: JsonObject) => boolean {
  const limit = Date.parse(String(earlierMessage?.timestamp));
  return ({ timestamp }) => !(Date.parse(String(timestamp)) <= limit);
}

/**
 * Expects that a message has arrived. The conventions do not define a deadline. If the agent's clock was advanced by ninety seconds, the
 * message is missing. Without a clock it may still be on its way, so the rule is skipped.
 */
export function expectArrival(
  context: ScenarioContext,
  { agent, rule, level }: { agent: Pick<AgentPlay, "hasClock">; rule: string; level?: Level },
  hasArrived: boolean,
  why: string,
): void {
  const whyUndecided = 'the specification sets no deadline, so it may still arrive; the hook "clock" would show that';
  if (hasArrived || agent.hasClock) context.expect(rule, hasArrived, why, level);
  else context.skip(rule, `${why}, so far: ${whyUndecided}`, missingNeeds("clock"));
}
