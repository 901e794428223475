import { type Evidence, isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { type AskedSession, mayPrecede, nameOf, type StartedSession } from "./session.ts";

/** Reads from the hook which actions a session has carried out. Undefined without the hook. */
export async function effectsOf({ context, id }: StartedSession): Promise<{ tool: string; at: string }[] | undefined> {
  if (!context.has("effects")) return undefined;
  const { effects } = await context.hook("effects", { session_id: id });
  return (Array.isArray(effects) ? effects : [])
    .filter(isObject)
    .map(({ tool, at }) => ({ tool: String(tool ?? "a tool"), at: String(at ?? "") }));
}

/** Counts the actions of each tool after a question, according to the hook, or without it according to events. */
export async function countActions(askedSession: AskedSession): Promise<Map<string, number>> {
  const effects = await effectsOf(askedSession);
  if (effects !== undefined) return countTools(effects);
  const [callCounts, completionCounts] = [
    countTools(callsAfter(askedSession)),
    countTools(completionsAfter(askedSession)),
  ];
  const tools = [...callCounts.keys(), ...completionCounts.keys()];
  return new Map(tools.map((tool) => [tool, Math.max(callCounts.get(tool) ?? 0, completionCounts.get(tool) ?? 0)]));
}

function countTools(actions: readonly { tool?: JsonObject[string] }[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { tool } of actions) counts.set(String(tool), (counts.get(String(tool)) ?? 0) + 1);
  return counts;
}

/** Whether the action of the question was carried out, according to the hook or to events. */
export async function hasActed(askedSession: AskedSession): Promise<boolean> {
  const effects = await effectsOf(askedSession);
  if (effects !== undefined && effects.length > 0) return true;
  return callsAfter(askedSession).length > 0 || completionsAfter(askedSession).length > 0;
}

/** Whether a call may be the action of the question. */
function mayBeAction({ question }: AskedSession, { irreversible, risk_level: risk }: JsonObject): boolean {
  const { irreversible: isIrreversible, risk_level: statedRisk } = question;
  return (
    (irreversible === true || isIrreversible !== true) &&
    (statedRisk === undefined || risk === undefined || risk === statedRisk || irreversible === true)
  );
}

function eventsOf({ subscription, id }: AskedSession, name: string, from = 0): JsonObject[] {
  return subscription.inbox.arrivals
    .slice(from)
    .map(({ message }) => message)
    .filter((message) => message.session_id === id && nameOf(message) === name);
}

/** Lists the events that were created after a question. */
function eventsAfter(askedSession: AskedSession, name: string): JsonObject[] {
  return eventsOf(askedSession, name, askedSession.arrivalIndex + 1).filter(
    (event) => !mayPrecede(askedSession.subscription, event, askedSession.question),
  );
}

/** Lists the calls after a question that may be its action. */
function callsAfter(askedSession: AskedSession): JsonObject[] {
  return eventsAfter(askedSession, "tool.invoked").filter((call) => mayBeAction(askedSession, call));
}

/** Lists successful completions after a question, of calls that may be its action, even if announced before it. */
function completionsAfter(askedSession: AskedSession): JsonObject[] {
  const calls = eventsOf(askedSession, "tool.invoked");
  const earlyCalls = calls.filter(
    (call) => !callsAfter(askedSession).includes(call) && matchesRisk(askedSession, call),
  );
  const possibleActions = [...earlyCalls, ...callsAfter(askedSession)];
  return eventsAfter(askedSession, "tool.completed").filter(
    ({ status, tool, tool_call_id: id }) =>
      status === "success" &&
      possibleActions.some((call) => (call.tool_call_id === undefined ? call.tool === tool : call.tool_call_id === id)),
  );
}

/** Whether a call states the risk of the question, or that it is irreversible. */
function matchesRisk({ question }: AskedSession, { irreversible, risk_level: risk }: JsonObject): boolean {
  const isRisky = risk === "medium" || risk === "high";
  return irreversible === true || (isRisky && risk === question.risk_level);
}

/** Collects the evidence that an action was carried out after a question: the question, the sent replies, and the calls with their completions. */
export function evidenceOf(askedSession: AskedSession, ...replies: readonly (JsonObject | string)[]): Evidence {
  const sentTexts = replies.map((reply) => (typeof reply === "string" ? reply : JSON.stringify(reply)));
  const events = [askedSession.question, ...callsAfter(askedSession), ...completionsAfter(askedSession)];
  return { texts: [...events.map(({ event_id: id }) => String(id)), ...sentTexts, askedSession.id] };
}
