import {
  isObject,
  type Json,
  type ScenarioContext,
  type Setting,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { by, notify } from "./messages.ts";

export type As = "a" | "b" | "nobody";

/** A message that was open when it was taken. */
export interface Opened {
  id: string;
  as: As;
  type: Json | undefined;
}

/** What scenarios have left open in an inbox that may be small, and which of them still needs it. */
const left = new WeakMap<Setting, (Opened & { by: ScenarioContext | undefined })[]>();

/** Remembers a message that was taken, unless it is a notify. */
export function keepOpen(context: ScenarioContext, message: Json | string, opened: Omit<Opened, "type">): void {
  const type = typeIn(message);
  if (type === "notify") return;
  const open = left.get(context.setting) ?? [];
  open.push({ by: context, ...opened, type });
  left.set(context.setting, open);
}

/** The type of a message, however odd the text is in which it is written. */
function typeIn(message: Json | string): Json | undefined {
  if (typeof message === "string") return /"type"\s*:\s*"(\w+)"/.exec(message)?.[1];
  return isObject(message) ? message.type : undefined;
}

/** Whatever the scenario has left open may be ended where room is needed. */
export function letGo(context: ScenarioContext): void {
  for (const each of left.get(context.setting) ?? []) if (each.by === context) each.by = undefined;
}

/** What scenarios have opened and cannot end, or the one that is played still needs; some of it may have ended. */
export function leftOpen({ setting }: ScenarioContext): readonly Opened[] {
  return left.get(setting) ?? [];
}

/** Ends what no scenario needs any longer, and says how many that were. What could not be ended and is open is kept in mind. */
export async function makeRoom(
  context: ScenarioContext,
  end: (context: ScenarioContext, opened: Opened) => Promise<boolean>,
  isOpen: (context: ScenarioContext, opened: Opened) => Promise<boolean>,
): Promise<number> {
  const open = left.get(context.setting) ?? [];
  const kept: typeof open = [];
  left.set(context.setting, kept);
  let ended = 0;
  for (const each of open)
    if (each.by === context) kept.push(each);
    else if (await end(context, each)) ended += 1;
    else if (await isOpen(context, each)) kept.push(each);
  return ended;
}

/** Whether a message is put off for what is open, and not for its pace: one after the other is taken at once that takes no room. */
export async function isInboxFull(
  context: ScenarioContext,
  request: Parameters<ScenarioContext["send"]>[0],
): Promise<boolean> {
  const { body = null, as = "a" } = request;
  const agent = as === "nobody" ? undefined : context.agents[as];
  if (agent === undefined || typeIn(body) === "notify") return false;
  for (let count = 0; count < 3; count++) {
    const { status } = await context.send({ ...request, body: by(agent, notify(context)), isHurried: true });
    if (status >= 300) return false;
  }
  return (await context.send({ ...request, isHurried: true })).status === 429;
}

/** Targets of which it was said that their inboxes are full. */
const full = new WeakSet<Setting>();

/** What an inbox is that others have filled: an error once, since what was not tested is no reason to be green, and then the reason why nothing can be played. */
export function fullOfOthers({ setting }: ScenarioContext): TargetFailure | TargetSkip {
  const remedy = "empty it, raise its inbox_depth for the test, or play the scenarios alone";
  const why = `the hub's inbox is full of messages that no scenario has opened, such as the vectors of a run: ${remedy}`;
  if (full.has(setting)) return new TargetSkip(why);
  full.add(setting);
  return new TargetFailure("errored", "submit", why);
}
