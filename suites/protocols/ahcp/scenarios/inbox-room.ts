import {
  isObject,
  type Json,
  type ScenarioContext,
  type Setting,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { fromAgent, notify } from "./messages.ts";

export type As = "a" | "b" | "nobody";

/** A message that was open when it was accepted. */
export interface OpenMessage {
  id: string;
  as: As;
  type: Json | undefined;
}

/** Messages that scenarios have left open in a possibly small inbox, and the scenario that still needs each. */
const openMessages = new WeakMap<Setting, (OpenMessage & { by: ScenarioContext | undefined })[]>();

/** Remembers an accepted message, unless it is a notify. */
export function rememberOpen(
  context: ScenarioContext,
  message: Json | string,
  openMessage: Omit<OpenMessage, "type">,
): void {
  const type = typeIn(message);
  if (type === "notify") return;
  const open = openMessages.get(context.setting) ?? [];
  open.push({ by: context, ...openMessage, type });
  openMessages.set(context.setting, open);
}

/** Forgets a message that has visibly ended, which saves the two requests that would end it again. */
export function forgetEnded({ setting }: ScenarioContext, id: string): void {
  const open = openMessages.get(setting) ?? [];
  const place = open.findIndex((openMessage) => openMessage.id === id);
  if (place !== -1) open.splice(place, 1);
}

/** The type of a message, in any spelling of its text. */
function typeIn(message: Json | string): Json | undefined {
  if (typeof message === "string") return /"type"\s*:\s*"(\w+)"/.exec(message)?.[1];
  return isObject(message) ? message.type : undefined;
}

/** Permits ending all open messages of the scenario to make room. */
export function permitEnding(context: ScenarioContext): void {
  for (const each of openMessages.get(context.setting) ?? []) if (each.by === context) each.by = undefined;
}

/** Messages that scenarios have opened and cannot end, or that the present one still needs; some may have ended. */
export function messagesLeftOpen({ setting }: ScenarioContext): readonly OpenMessage[] {
  return openMessages.get(setting) ?? [];
}

/** Ends messages that no scenario needs any longer, and returns their number. Open messages that could not be ended are remembered. */
export async function makeRoom(
  context: ScenarioContext,
  end: (context: ScenarioContext, openMessage: OpenMessage) => Promise<boolean>,
  isOpen: (context: ScenarioContext, openMessage: OpenMessage) => Promise<boolean>,
): Promise<number> {
  const open = openMessages.get(context.setting) ?? [];
  const remaining: typeof open = [];
  openMessages.set(context.setting, remaining);
  let endedCount = 0;
  for (const each of open)
    if (each.by === context) remaining.push(each);
    else if (await end(context, each)) endedCount += 1;
    else if (await isOpen(context, each)) remaining.push(each);
  return endedCount;
}

/** Whether 429 means a full inbox rather than a rate limit: notifies, which need no room, are still accepted. */
export async function isInboxFull(
  context: ScenarioContext,
  request: Parameters<ScenarioContext["send"]>[0],
): Promise<boolean> {
  const { body = null, as = "a" } = request;
  const agent = as === "nobody" ? undefined : context.agents[as];
  if (agent === undefined || typeIn(body) === "notify") return false;
  for (let count = 0; count < 3; count++) {
    const { status } = await context.send({ ...request, body: fromAgent(agent, notify(context)), isHurried: true });
    if (status >= 300) return false;
  }
  return (await context.send({ ...request, isHurried: true })).status === 429;
}

/** Targets with inboxes that were reported as full. */
const fullInboxes = new WeakSet<Setting>();

/** The report of an inbox that others have filled: an error the first time, since an untested rule must not be green, and then a reason to skip. */
export function fullOfOthers({ setting }: ScenarioContext): TargetFailure | TargetSkip {
  const remedy = "empty it, raise its inbox_depth for the test, or play the scenarios alone";
  const why = `the hub's inbox is full of messages that no scenario has opened, such as the vectors of a run: ${remedy}`;
  if (fullInboxes.has(setting)) return new TargetSkip(why);
  fullInboxes.add(setting);
  return new TargetFailure("errored", "submit", why);
}
