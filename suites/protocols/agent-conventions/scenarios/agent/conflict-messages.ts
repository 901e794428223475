import { type JsonObject, type Level, missingNeeds, type ScenarioContext } from "../../../../../schemas/index.ts";
import { isType, memberObject } from "../messages.ts";
import type { AgentPlay } from "./play.ts";

/** An escalation about a task, or about none. */
export function escalation(agent: AgentPlay, task: string): Promise<JsonObject | undefined> {
  return agent.comes((each) => isType(each, "escalation.") && (memberObject(each, "context").task_id ?? task) === task);
}

/** The times of the attempts on a task; undefined if the agent does not report them. */
export async function triesOf(agent: AgentPlay, task: string): Promise<number[] | undefined> {
  const worked = await agent.workedIfTold();
  return worked?.attempts.filter((attempt) => attempt.task_id === task).map(({ at }) => Date.parse(String(at)));
}

/** A test for messages that the agent made after the given one, by their times. True if a time is unreadable. */
export function madeAfter(one: JsonObject | undefined): (message: JsonObject) => boolean {
  const bound = Date.parse(String(one?.timestamp));
  return ({ timestamp }) => !(Date.parse(String(timestamp)) <= bound);
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
  const late = 'no text sets a deadline for it, so it may still come; the hook "clock" would show that';
  if (hasCome || agent.hasClock) context.expect(rule, hasCome, why, level);
  else context.skip(rule, `${why}, so far: ${late}`, missingNeeds("clock"));
}
