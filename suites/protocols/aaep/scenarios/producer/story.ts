import {
  type Evidence,
  type HttpReply,
  isObject,
  type JsonObject,
  type ScenarioContext,
  type Setting,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { compact } from "../../rules/event.ts";
import { type Inbox, patience } from "../subscribing/inbox.ts";
import type { Line } from "../subscribing/line.ts";
import { open } from "../subscribing/open.ts";

/** What a session may be started for. */
export type Task = "plain" | "irreversible" | "reversible" | "clarification" | "hanging" | "stream" | "large";

/** What a user would say to get there. */
const words: Record<Task, string> = {
  plain: "What is my balance?",
  irreversible: "Transfer 120 euros to the harbour office.",
  reversible: "Note Friday in my calendar.",
  clarification: "Book a berth, but let me choose the day.",
  hanging: "Ask the tide service, which does not answer.",
  stream: "Tell me all about the harbour.",
  large: "Tell me all about the harbour in one piece.",
};

/** A session that was started. */
export interface Story {
  context: ScenarioContext;
  line: Line;
  id: string;
}

/** A session with an open question. */
export interface Asked extends Story {
  question: JsonObject;
  token: string;
  /** Index of the question among what has come. */
  at: number;
}

const prefix = "aaep:agent.";

/** The name of an event's type without its prefix, in either spelling. */
export function nameOf({ type }: JsonObject): string {
  const text = compact(String(type));
  return text.startsWith(prefix) ? text.slice(prefix.length) : text;
}

export function isEnd(event: JsonObject): boolean {
  return /^session\.(?:completed|errored|cancelled)$/.test(nameOf(event));
}

/** Starts a session by the hook, and waits for its first event. */
export async function begin(line: Line, context: ScenarioContext, task: Task, more: JsonObject = {}): Promise<Story> {
  const before = line.inbox.arrivals.length;
  const told = await context.hook("start", { task, words: words[task], ...more });
  const given = typeof told.session_id === "string" ? told.session_id : undefined;
  const first = await line.inbox.seen((event, index) =>
    given === undefined
      ? index >= before && nameOf(event) === "session.started"
      : event.session_id === given && typeof event.event_id === "string",
  );
  if (first === undefined)
    throw new TargetFailure("timed-out", "events", "no event came of the session that was started");
  const id = String(first.session_id);
  line.inbox.begun.add(id);
  return { context, line, id };
}

/** The first event of a session after some index that is wanted, if it comes. */
export function follow(
  { line, id }: Story,
  wanted: (event: JsonObject) => boolean,
  from = 0,
  milliseconds?: number,
): Promise<JsonObject | undefined> {
  return line.inbox.seen((event, index) => index >= from && event.session_id === id && wanted(event), milliseconds);
}

/** Starts a session and waits for its question. Skips where none is asked, and where it did not wait for the answer. */
export async function askedOf(line: Line, context: ScenarioContext, task: Task, more: JsonObject = {}): Promise<Asked> {
  const asked = await whatIsAsked(line, context, task, more);
  if ((await effectsOf(asked))?.length) throw new TargetSkip("it acted before there could be an answer");
  return asked;
}

/** Starts a session and waits for its question. Skips where none is asked. */
export async function whatIsAsked(
  line: Line,
  context: ScenarioContext,
  task: Task,
  more: JsonObject = {},
): Promise<Asked> {
  const story = await begin(line, context, task, more);
  const question = await questionOf(story);
  if (question === undefined) {
    await mustBeAlive(context);
    throw new TargetSkip(`no question came in a session started for the task "${task}"`);
  }
  return { ...story, question, token: String(question.reply_token), at: indexOf(line.inbox, question) };
}

export function questionOf(story: Story, from = 0): Promise<JsonObject | undefined> {
  return follow(story, (event) => nameOf(event).startsWith("awaiting.") || isEnd(event), from).then((event) =>
    event === undefined || isEnd(event) ? undefined : event,
  );
}

export function indexOf({ arrivals }: Inbox, event: JsonObject): number {
  return arrivals.findIndex(({ message }) => message === event);
}

/** A reply to a confirmation. */
export async function confirmation(
  { context, line, token }: Asked,
  decision: string,
  more: JsonObject = {},
): Promise<JsonObject> {
  const timestamp = new Date(await context.now()).toISOString();
  return { type: "confirmation.reply", reply_token: token, decision, subscription_id: line.id, timestamp, ...more };
}

export async function clarification(
  { context, line, token }: Asked,
  response: JsonObject[string],
  more: JsonObject = {},
): Promise<JsonObject> {
  const timestamp = new Date(await context.now()).toISOString();
  return { type: "clarification.reply", reply_token: token, response, subscription_id: line.id, timestamp, ...more };
}

/** Sends a reply; skips where there is no way for it. */
export async function answer(
  line: Line,
  reply: JsonObject | string,
  as?: "a" | "b" | "nobody",
): Promise<HttpReply | undefined> {
  if (typeof reply !== "string") line.inbox.answers.push({ after: line.inbox.arrivals.length, message: reply });
  const said = await line.send(reply, as);
  if (said !== undefined && [404, 405, 501].includes(said.status) && as === undefined)
    throw new TargetSkip(`there is no way for replies: HTTP ${said.status}`);
  return said;
}

/** What was really done in a session; undefined without the hook. */
export async function effectsOf({ context, id }: Story): Promise<{ tool: string; at: string }[] | undefined> {
  if (!context.has("effects")) return undefined;
  const { effects } = await context.hook("effects", { session_id: id });
  return (Array.isArray(effects) ? effects : [])
    .filter(isObject)
    .map(({ tool, at }) => ({ tool: String(tool ?? "a tool"), at: String(at ?? "") }));
}

/** How often each tool did something after a question: what was really done, or what events say. */
export async function doneIn(asked: Asked): Promise<Map<string, number>> {
  const times = new Map<string, number>();
  for (const { tool } of (await effectsOf(asked)) ?? callsAfter(asked))
    times.set(String(tool), (times.get(String(tool)) ?? 0) + 1);
  return times;
}

/** Whether what was asked about has been done: by the tool itself, or as its events say. */
export async function isDone(asked: Asked): Promise<boolean> {
  const effects = await effectsOf(asked);
  if (effects !== undefined && effects.length > 0) return true;
  return callsAfter(asked).length > 0;
}

/** The calls after a question that may be what was asked about. */
function callsAfter({ question, line, id, at }: Asked): JsonObject[] {
  const { risk_level: risk } = question;
  const isIt = (event: JsonObject): boolean =>
    nameOf(event) === "tool.invoked" &&
    (event.irreversible === true || question.irreversible !== true) &&
    (risk === undefined || event.risk_level === undefined || event.risk_level === risk || event.irreversible === true);
  return line.inbox.arrivals
    .slice(at + 1)
    .map(({ message }) => message)
    .filter((message) => message.session_id === id && isIt(message));
}

/** What shows that something was done after a question: the question, replies as they were sent, the calls, and what was last said of the session. */
export function shownBy(asked: Asked, ...replies: readonly (JsonObject | string)[]): Evidence {
  const sent = replies.map((reply) => (typeof reply === "string" ? reply : JSON.stringify(reply)));
  const events = [asked.question, ...callsAfter(asked)].map(({ event_id: id }) => String(id));
  return { texts: [...events, ...sent, asked.id] };
}

/** Waits until a session goes on after its question; undefined if it does not. */
export function goesOn(asked: Asked, milliseconds?: number): Promise<JsonObject | undefined> {
  return follow(asked, ({ type }) => type !== undefined, asked.at + 1, milliseconds);
}

/** Real milliseconds for what a deadline brings: where the clock was put forward, a timer that it does not move may still have to run out. */
export function untilDue(context: ScenarioContext, seconds: number): number {
  return patience + (context.has("clock") ? seconds * 1050 : 0);
}

/** Waits for the end of a session. */
export function endOf(story: Story, milliseconds?: number): Promise<JsonObject | undefined> {
  return follow(story, isEnd, 0, milliseconds);
}

/** A whole other session, whose end shows that whatever came before it has been seen to. */
export async function fence(line: Line, context: ScenarioContext): Promise<void> {
  const other = await begin(line, context, "plain");
  if ((await endOf(other)) === undefined)
    throw new TargetFailure("timed-out", "events", "a plain session does not end");
}

/** How many rejections in a row had no effect on a producer. */
const vain = new WeakMap<Setting, number>();

/** Rejects what is still open, and waits for the session to end; false where that has no effect. Not for long where it never has one. */
export async function rejected(asked: Asked): Promise<boolean> {
  const { context, line } = asked;
  const before = vain.get(context.setting) ?? 0;
  await answer(line, await confirmation(asked, "reject"));
  const isOver = (await endOf(asked, before < 3 ? patience : patience / 10)) !== undefined;
  vain.set(context.setting, isOver ? 0 : before + 1);
  if (!isOver) await mustBeAlive(context);
  return isOver;
}

/** A reply must not count that was sent: nothing is done by it, and a rejection still ends the session. False where that cannot be seen, or does not hold. */
export async function mustBeIgnored(
  asked: Asked,
  reply: JsonObject | string,
  rule: string,
  what: string,
): Promise<boolean> {
  const { context, line } = asked;
  const unseen = (why: string): void => context.skip(rule, `${why}: whether ${what} is ignored cannot be seen`);
  await fence(line, context);
  const isTaken = await isDone(asked);
  if (isTaken) context.expect(rule, false, `${what} had the action carried out`, shownBy(asked, reply));
  if (isTaken) return false;
  const isOpen = await rejected(asked);
  const isOdd = isOpen && (await isDone(asked));
  if (!isOpen) unseen("a rejection had no effect afterwards");
  else if (isOdd) unseen("a rejection has the action carried out");
  else context.expect(rule, true, "");
  return isOpen && !isOdd;
}

/** Throws where what did not come may be missing because the producer is down. */
export async function mustBeAlive(context: ScenarioContext): Promise<void> {
  await fence(await open(context, { name: "another" }), context);
}

export { patience };
