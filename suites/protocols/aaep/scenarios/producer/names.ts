import { type ScenarioContext, TargetFailure, TargetSkip } from "../../../../../schemas/index.ts";
import type { Line } from "../subscribing/line.ts";
import { awaitEnd, beginSession, mustBeAlive, nameOf } from "./story.ts";

/** The names of the events of a session that a line gets from now on. */
export async function namesOf(line: Line, context: ScenarioContext): Promise<string[]> {
  const story = await beginSession(line, context, "plain");
  if ((await awaitEnd(story)) === undefined) throw new TargetSkip("the session does not visibly end");
  return line.inbox.arrivals
    .filter(({ message }) => message.session_id === story.id)
    .map(({ message }) => nameOf(message));
}

/** The same under new terms; undefined if nothing comes while another subscription gets events of a session. */
export async function namesUnder(line: Line, context: ScenarioContext): Promise<string[] | undefined> {
  const from = line.inbox.arrivals.length;
  try {
    return await namesOf(line, context);
  } catch (error) {
    if (!(error instanceof TargetFailure) || error.outcome !== "timed-out") throw error;
    // Throws if another subscription gets nothing either.
    await mustBeAlive(context);
    if (line.inbox.arrivals.length > from) throw error;
    return undefined;
  }
}
