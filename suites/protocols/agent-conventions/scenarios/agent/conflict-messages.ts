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
  return worked?.attempts.filter((each) => each.task_id === task).map(({ at }) => Date.parse(String(at)));
}

/** Whether the agent made a message after another of its messages, by their times; true if a time is unreadable. */
export function madeAfter(one: JsonObject | undefined): (message: JsonObject) => boolean {
  const bound = Date.parse(String(one?.timestamp));
  return ({ timestamp }) => !(Date.parse(String(timestamp)) <= bound);
}

/**
 * Expects that something has come. The conventions set no deadline for it. For an agent with a movable clock it is missing after ninety seconds of
 * that clock; for another it may be on its way.
 */
export function mustCome(
  context: ScenarioContext,
  { agent, rule, level }: { agent: Pick<AgentPlay, "hasClock">; rule: string; level?: Level },
  hasCome: boolean,
  why: string,
): void {
  const late = 'no text says until when it must, and it may come yet, which the hook "clock" would show';
  if (hasCome || agent.hasClock) context.expect(rule, hasCome, why, level);
  else context.skip(rule, `${why}, so far: ${late}`, missingNeeds("clock"));
}
