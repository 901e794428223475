import { type Evidence, isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { type AskedSession, isEarlier, nameOf, type Story } from "./story.ts";

/** The actions that a session has really carried out; undefined without the hook. */
export async function effectsOf({ context, id }: Story): Promise<{ tool: string; at: string }[] | undefined> {
  if (!context.has("effects")) return undefined;
  const { effects } = await context.hook("effects", { session_id: id });
  return (Array.isArray(effects) ? effects : [])
    .filter(isObject)
    .map(({ tool, at }) => ({ tool: String(tool ?? "a tool"), at: String(at ?? "") }));
}

/** The number of actions of each tool after a question: real actions if they are known, otherwise by events. */
export async function doneIn(asked: AskedSession): Promise<Map<string, number>> {
  const effects = await effectsOf(asked);
  if (effects !== undefined) return countTools(effects);
  const [calls, completions] = [countTools(callsAfter(asked)), countTools(completionsAfter(asked))];
  const tools = [...calls.keys(), ...completions.keys()];
  return new Map(tools.map((tool) => [tool, Math.max(calls.get(tool) ?? 0, completions.get(tool) ?? 0)]));
}

function countTools(done: readonly { tool?: JsonObject[string] }[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const { tool } of done) times.set(String(tool), (times.get(String(tool)) ?? 0) + 1);
  return times;
}

/** Whether the action of the question was carried out, according to the tool itself or its events. */
export async function isDone(asked: AskedSession): Promise<boolean> {
  const effects = await effectsOf(asked);
  if (effects !== undefined && effects.length > 0) return true;
  return callsAfter(asked).length > 0 || completionsAfter(asked).length > 0;
}

/** Whether a call may be the action of the question. */
function isMeant({ question }: AskedSession, { irreversible, risk_level: risk }: JsonObject): boolean {
  const { irreversible: isFinal, risk_level: asked } = question;
  return (
    (irreversible === true || isFinal !== true) &&
    (asked === undefined || risk === undefined || risk === asked || irreversible === true)
  );
}

function eventsOf({ line, id }: AskedSession, name: string, from = 0): JsonObject[] {
  return line.inbox.arrivals
    .slice(from)
    .map(({ message }) => message)
    .filter((message) => message.session_id === id && nameOf(message) === name);
}

/** The events that were made after a question. */
function eventsAfter(asked: AskedSession, name: string): JsonObject[] {
  return eventsOf(asked, name, asked.at + 1).filter((event) => !isEarlier(asked.line, event, asked.question));
}

/** The calls after a question that may be its action. */
function callsAfter(asked: AskedSession): JsonObject[] {
  return eventsAfter(asked, "tool.invoked").filter((call) => isMeant(asked, call));
}

/** The successful completions, after a question, of calls that may be its action. The calls may have been announced before. */
function completionsAfter(asked: AskedSession): JsonObject[] {
  const calls = eventsOf(asked, "tool.invoked");
  const early = calls.filter((call) => !callsAfter(asked).includes(call) && isMarked(asked, call));
  const meant = [...early, ...callsAfter(asked)];
  return eventsAfter(asked, "tool.completed").filter(
    ({ status, tool, tool_call_id: id }) =>
      status === "success" &&
      meant.some((call) => (call.tool_call_id === undefined ? call.tool === tool : call.tool_call_id === id)),
  );
}

/** Whether a call matches the question; a call without details may match any. */
function isMarked({ question }: AskedSession, { irreversible, risk_level: risk }: JsonObject): boolean {
  const isRisky = risk === "medium" || risk === "high";
  return irreversible === true || (isRisky && risk === question.risk_level);
}

/** The evidence that an action was carried out after a question: the question, the sent replies, the calls with their ends, and the last event. */
export function shownBy(asked: AskedSession, ...replies: readonly (JsonObject | string)[]): Evidence {
  const sent = replies.map((reply) => (typeof reply === "string" ? reply : JSON.stringify(reply)));
  const shown = [asked.question, ...callsAfter(asked), ...completionsAfter(asked)];
  return { texts: [...shown.map(({ event_id: id }) => String(id)), ...sent, asked.id] };
}
