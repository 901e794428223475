import {
  isObject,
  type Json,
  type ScenarioContext,
  type Setting,
  TargetFailure,
  TargetSkip,
} from "../../../../schemas/index.ts";
import { fromAgent, notify } from "./messages.ts";

export type CallerName = "a" | "b" | "nobody";

/** An accepted ask or task, which may still be open. */
export interface OpenMessage {
  id: string;
  as: CallerName;
  type: Json | undefined;
}

/** The messages that scenarios have left open. `by` is the scenario that still needs the message. */
const openMessages = new WeakMap<Setting, (OpenMessage & { by: ScenarioContext | undefined })[]>();

/** Remembers an accepted ask or task as open. */
export function rememberOpen(
  context: ScenarioContext,
  message: Json | string,
  openMessage: Omit<OpenMessage, "type">,
): void {
  const type = typeIn(message);
  if (type === "notify") return;
  const leftOpen = openMessages.get(context.setting) ?? [];
  leftOpen.push({ by: context, ...openMessage, type });
  openMessages.set(context.setting, leftOpen);
}

/** Forgets a message that has ended, which saves the requests to end it. */
export function forgetEnded({ setting }: ScenarioContext, id: string): void {
  const leftOpen = openMessages.get(setting) ?? [];
  const index = leftOpen.findIndex((openMessage) => openMessage.id === id);
  if (index !== -1) leftOpen.splice(index, 1);
}

/** The type of a message, given as an object or as text. */
function typeIn(message: Json | string): Json | undefined {
  if (typeof message === "string") return /"type"\s*:\s*"(\w+)"/.exec(message)?.[1];
  return isObject(message) ? message.type : undefined;
}

/** Declares that the scenario no longer needs its open messages, so they may be ended to make room. */
export function permitEnding(context: ScenarioContext): void {
  for (const openMessage of openMessages.get(context.setting) ?? [])
    if (openMessage.by === context) openMessage.by = undefined;
}

/** The messages that scenarios have left open and could not end. Some may have ended meanwhile. */
export function messagesLeftOpen({ setting }: ScenarioContext): readonly OpenMessage[] {
  return openMessages.get(setting) ?? [];
}

/** Ends the messages that no scenario needs any longer. Returns how many were ended. Remembers the messages that are still open. */
export async function makeRoom(
  context: ScenarioContext,
  end: (context: ScenarioContext, openMessage: OpenMessage) => Promise<boolean>,
  isOpen: (context: ScenarioContext, openMessage: OpenMessage) => Promise<boolean>,
): Promise<number> {
  const leftOpen = openMessages.get(context.setting) ?? [];
  const remaining: typeof leftOpen = [];
  openMessages.set(context.setting, remaining);
  let endedCount = 0;
  for (const openMessage of leftOpen)
    if (openMessage.by === context) remaining.push(openMessage);
    else if (await end(context, openMessage)) endedCount += 1;
    else if (await isOpen(context, openMessage)) remaining.push(openMessage);
  return endedCount;
}

/** Whether a 429 means a full inbox, not a rate limit. If so, notifies are still accepted, because they need no room. */
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

/** The targets for which a full inbox was already reported. */
const fullInboxes = new WeakSet<Setting>();

/** The error for an inbox that others have filled. The first error is a failure, so that the run does not pass; later errors are skips. */
export function fullInboxError({ setting }: ScenarioContext): TargetFailure | TargetSkip {
  const remedy = "empty it, raise its inbox_depth for the test, or play the scenarios alone";
  const why = `the hub's inbox is full of messages that no scenario has opened, such as the vectors of a run: ${remedy}`;
  if (fullInboxes.has(setting)) return new TargetSkip(why);
  fullInboxes.add(setting);
  return new TargetFailure("errored", "submit", why);
}
