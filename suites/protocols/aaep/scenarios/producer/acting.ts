import { type Evidence, isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { type Asked, nameOf, type Story } from "./story.ts";

/** What was really done in a session; undefined without the hook. */
export async function effectsOf({ context, id }: Story): Promise<{ tool: string; at: string }[] | undefined> {
  if (!context.has("effects")) return undefined;
  const { effects } = await context.hook("effects", { session_id: id });
  return (Array.isArray(effects) ? effects : [])
    .filter(isObject)
    .map(({ tool, at }) => ({ tool: String(tool ?? "a tool"), at: String(at ?? "") }));
}

/** How often each tool did something after a question: what was really done, or else what events say. */
export async function doneIn(asked: Asked): Promise<Map<string, number>> {
  const effects = await effectsOf(asked);
  if (effects !== undefined) return counted(effects);
  const [calls, completions] = [counted(callsAfter(asked)), counted(completionsAfter(asked))];
  const tools = [...calls.keys(), ...completions.keys()];
  return new Map(tools.map((tool) => [tool, Math.max(calls.get(tool) ?? 0, completions.get(tool) ?? 0)]));
}

function counted(done: readonly { tool?: JsonObject[string] }[]): Map<string, number> {
  const times = new Map<string, number>();
  for (const { tool } of done) times.set(String(tool), (times.get(String(tool)) ?? 0) + 1);
  return times;
}

/** Whether what was asked about has been done: by the tool itself, or as its events say. */
export async function isDone(asked: Asked): Promise<boolean> {
  const effects = await effectsOf(asked);
  if (effects !== undefined && effects.length > 0) return true;
  return callsAfter(asked).length > 0 || completionsAfter(asked).length > 0;
}

/** Whether a call may be what was asked about. */
function isMeant({ question }: Asked, { irreversible, risk_level: risk }: JsonObject): boolean {
  const { irreversible: isFinal, risk_level: asked } = question;
  return (
    (irreversible === true || isFinal !== true) &&
    (asked === undefined || risk === undefined || risk === asked || irreversible === true)
  );
}

function eventsOf({ line, id }: Asked, name: string, from = 0): JsonObject[] {
  return line.inbox.arrivals
    .slice(from)
    .map(({ message }) => message)
    .filter((message) => message.session_id === id && nameOf(message) === name);
}

/** The calls after a question that may be what was asked about. */
function callsAfter(asked: Asked): JsonObject[] {
  return eventsOf(asked, "tool.invoked", asked.at + 1).filter((call) => isMeant(asked, call));
}

/** What was completed after a question, with success, of calls that may be what was asked about: they may have been announced before. */
function completionsAfter(asked: Asked): JsonObject[] {
  const calls = eventsOf(asked, "tool.invoked");
  const early = calls.filter((call) => !callsAfter(asked).includes(call) && isMarked(asked, call));
  const meant = [...early, ...callsAfter(asked)];
  return eventsOf(asked, "tool.completed", asked.at + 1).filter(
    ({ status, tool, tool_call_id: id }) =>
      status === "success" &&
      meant.some((call) => (call.tool_call_id === undefined ? call.tool === tool : call.tool_call_id === id)),
  );
}

/** Whether a call says what the question says as well; one that says nothing may be any. */
function isMarked({ question }: Asked, { irreversible, risk_level: risk }: JsonObject): boolean {
  const isRisky = risk === "medium" || risk === "high";
  return irreversible === true || (isRisky && risk === question.risk_level);
}

/** What shows that something was done after a question: the question, replies as they were sent, the calls and their ends, and what was last said of the session. */
export function shownBy(asked: Asked, ...replies: readonly (JsonObject | string)[]): Evidence {
  const sent = replies.map((reply) => (typeof reply === "string" ? reply : JSON.stringify(reply)));
  const shown = [asked.question, ...callsAfter(asked), ...completionsAfter(asked)];
  return { texts: [...shown.map(({ event_id: id }) => String(id)), ...sent, asked.id] };
}
