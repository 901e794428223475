import type { JsonObject, ScenarioContext } from "../../../../schemas/index.ts";

/** A message between the suite and the party, with its direction. */
export interface Exchanged {
  message: JsonObject;
  isOwn: boolean;
}

/** The exchanges of each run, by the setting that its scenarios share. */
const knownExchanges = new WeakMap<object, Exchanged[]>();
const askedFor = new WeakMap<object, Set<string>>();
const endlessExchanges = new WeakMap<object, Set<string>>();

/** Records that an agent was told to work on a task or a cue. Steady work does not end by itself. */
export function noteWork({ setting }: ScenarioContext, { task_id: task, cue_id: cue, work }: JsonObject): void {
  const ids = endlessExchanges.get(setting) ?? new Set();
  endlessExchanges.set(setting, ids);
  if (work === "steady") ids.add(String(task ?? cue));
}

/** Whether the work on a task or a cue continues until it is stopped. */
export function isEndless({ setting }: ScenarioContext, { task_id: task, cue_id: cue }: JsonObject): boolean {
  return endlessExchanges.get(setting)?.has(String(task ?? cue)) === true;
}

/** Records that the suite makes the party send a faulty message. If the party does, the message must have no other fault. */
export function askFor(context: ScenarioContext, { message_id: id }: JsonObject): void {
  const ids = askedFor.get(context.setting) ?? new Set();
  askedFor.set(context.setting, ids.add(String(id)));
}

export function isAskedFor(context: ScenarioContext, { message_id: id }: JsonObject): boolean {
  return askedFor.get(context.setting)?.has(String(id)) === true;
}

/** All messages of a run so far, in order. A late message of the party may arrive while the next scenario is played. */
export function exchangeOf({ setting }: Pick<ScenarioContext, "setting">): Exchanged[] {
  const exchange = knownExchanges.get(setting) ?? [];
  knownExchanges.set(setting, exchange);
  return exchange;
}
