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
  const leftOpen = openMessages.get(context.setting) ?? [];
  leftOpen.push({ by: context, ...openMessage, type });
  openMessages.set(context.setting, leftOpen);
}

/** Forgets a message that has visibly ended, which saves the two requests that would end it again. */
export function forgetEnded({ setting }: ScenarioContext, id: string): void {
  const leftOpen = openMessages.get(setting) ?? [];
  const index = leftOpen.findIndex((openMessage) => openMessage.id === id);
  if (index !== -1) leftOpen.splice(index, 1);
}

/** The type of a message, in any spelling of its text. */
function typeIn(message: Json | string): Json | undefined {
  if (typeof message === "string") return /"type"\s*:\s*"(\w+)"/.exec(message)?.[1];
  return isObject(message) ? message.type : undefined;
}

/** Permits ending all open messages of the scenario to make room. */
export function permitEnding(context: ScenarioContext): void {
  for (const openMessage of openMessages.get(context.setting) ?? [])
    if (openMessage.by === context) openMessage.by = undefined;
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

/** Reports an inbox that others have filled: first as an error, since an untested rule must not be green, and later as a reason to skip. */
export function fullOfOthers({ setting }: ScenarioContext): TargetFailure | TargetSkip {
  const remedy = "empty it, raise its inbox_depth for the test, or play the scenarios alone";
  const why = `the hub's inbox is full of messages that no scenario has opened, such as the vectors of a run: ${remedy}`;
  if (fullInboxes.has(setting)) return new TargetSkip(why);
  fullInboxes.add(setting);
  return new TargetFailure("errored", "submit", why);
}
