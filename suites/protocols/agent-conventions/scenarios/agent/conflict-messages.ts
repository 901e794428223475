import { type JsonObject, type Level, missingNeeds, type ScenarioContext } from "../../../../../schemas/index.ts";
import { isType, memberObject } from "../messages.ts";
import type { AgentPlay } from "./play.ts";

/** An escalation about a task, or about none. */
export function escalation(agent: AgentPlay, task: string): Promise<JsonObject | undefined> {
  return agent.waitForMessage(
    (each) => isType(each, "escalation.") && (memberObject(each, "context").task_id ?? task) === task,
  );
}

/** The times of the attempts on a task; undefined if the agent does not report them. */
export async function attemptTimes(agent: AgentPlay, task: string): Promise<number[] | undefined> {
  const work = await agent.workedIfTold();
  return work?.attempts.filter((attempt) => attempt.task_id === task).map(({ at }) => Date.parse(String(at)));
}

/** A test for messages that the agent made after the given one, by their times. True if a time is unreadable. */
export function madeAfter(earlierMessage: JsonObject | undefined): (message: JsonObject) => boolean {
  const limit = Date.parse(String(earlierMessage?.timestamp));
  return ({ timestamp }) => !(Date.parse(String(timestamp)) <= limit);
}

/**
 * Expects that a message has arrived. The conventions set no deadline for it. If the agent's clock can be moved, the message is missing after ninety seconds of
 * that clock. Otherwise it may still be on its way.
 */
export function mustCome(
  context: ScenarioContext,
  { agent, rule, level }: { agent: Pick<AgentPlay, "hasClock">; rule: string; level?: Level },
  hasCome: boolean,
  why: string,
): void {
  const whyUndecided = 'no text sets a deadline for it, so it may still come; the hook "clock" would show that';
  if (hasCome || agent.hasClock) context.expect(rule, hasCome, why, level);
  else context.skip(rule, `${why}, so far: ${whyUndecided}`, missingNeeds("clock"));
}
