import type { JsonObject, ScenarioContext } from "../../../../schemas/index.ts";

/** A message between the suite and the party; `isOwn` if the party sent it. */
export interface Exchanged {
  message: JsonObject;
  isOwn: boolean;
}

/** The messages of each run, by the setting that its scenarios share. */
const exchangesBySetting = new WeakMap<object, Exchanged[]>();
const requestedIds = new WeakMap<object, Set<string>>();
const endlessWorkIds = new WeakMap<object, Set<string>>();

/** Records the work on a task or a cue that an agent is asked to do. Steady work does not end by itself. */
export function noteWork({ setting }: ScenarioContext, { task_id: task, cue_id: cue, work }: JsonObject): void {
  const ids = endlessWorkIds.get(setting) ?? new Set();
  endlessWorkIds.set(setting, ids);
  if (work === "steady") ids.add(String(task ?? cue));
}

/** Whether the work on a task or a cue continues until it is stopped. */
export function isEndless({ setting }: ScenarioContext, { task_id: task, cue_id: cue }: JsonObject): boolean {
  return endlessWorkIds.get(setting)?.has(String(task ?? cue)) === true;
}

/** Records that the suite asks the party to send an invalid message, so that the message is not held against the party. */
export function askFor(context: ScenarioContext, { message_id: id }: JsonObject): void {
  const ids = requestedIds.get(context.setting) ?? new Set();
  requestedIds.set(context.setting, ids.add(String(id)));
}

export function isAskedFor(context: ScenarioContext, { message_id: id }: JsonObject): boolean {
  return requestedIds.get(context.setting)?.has(String(id)) === true;
}

/** All messages of a run so far, in order. They include earlier scenarios, since a message may arrive late. */
export function exchangeOf({ setting }: Pick<ScenarioContext, "setting">): Exchanged[] {
  const exchange = exchangesBySetting.get(setting) ?? [];
  exchangesBySetting.set(setting, exchange);
  return exchange;
}
