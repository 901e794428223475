import type { JsonObject, ScenarioContext, Setting } from "../../../../../schemas/index.ts";

/** What is known of the sessions of a producer, on whatever subscription. */
interface Known {
  sessions: Set<string>;
  /** Those that the suite has started. */
  begun: Set<string>;
  /** Which event that came was the first, the second and so on, by its session and id. */
  events: Map<string, number>;
  /** The latest stamp of an event of theirs, in milliseconds since 1970. */
  latest: number;
}

const known = new WeakMap<Setting, Known>();

/** Milliseconds by which the clocks of a producer and of the suite may differ before anything is known of it. */
const slack = 5000;

function knownOf(setting: Setting): Known {
  const found = known.get(setting) ?? {
    ...{ sessions: new Set<string>(), begun: new Set<string>(), events: new Map<string, number>() },
    latest: Number.NEGATIVE_INFINITY,
  };
  known.set(setting, found);
  return found;
}

/** Takes note of an event. */
export function noted(setting: Setting, { session_id: id, event_id: event, timestamp }: JsonObject): void {
  if (typeof id !== "string") return;
  const { sessions, begun, events, latest } = knownOf(setting);
  const key = `${id} ${event}`;
  if (typeof event === "string" && !events.has(key)) events.set(key, events.size + 1);
  sessions.add(id);
  const stamp = Date.parse(String(timestamp));
  if (begun.has(id) && stamp > latest) knownOf(setting).latest = stamp;
}

/** Takes note of a session that the suite has started. */
export function hasBegun(setting: Setting, session: string): void {
  knownOf(setting).begun.add(session);
}

/**
 * Tells events of a session that is started from now on: a producer may tell a new subscription what there was before it. The session is not one
 * that is known by now; and where stamps count, the event was made no earlier than any of the sessions before.
 */
export function newcomers(setting: Setting): (event: JsonObject, byStamp: boolean) => boolean {
  const { sessions, latest } = knownOf(setting);
  const before = new Set(sessions);
  const since = Number.isFinite(latest) ? latest : Date.now() - slack;
  return ({ session_id: id, timestamp }, byStamp) => {
    const stamp = Date.parse(String(timestamp));
    return !before.has(String(id)) && (!byStamp || Number.isNaN(stamp) || stamp >= since);
  };
}

/** Tells events that have come on another subscription by now: a producer may tell a new one what there was before it. */
export function retellings(setting: Setting): (event: JsonObject) => boolean {
  const { events, sessions, latest } = knownOf(setting);
  const count = events.size;
  const before = new Set(sessions);
  return ({ session_id: id, event_id: event, timestamp }) =>
    (events.get(`${id} ${event}`) ?? count + 1) <= count ||
    // No other subscription need have had it: a question goes to those who can answer.
    (before.has(String(id)) && Date.parse(String(timestamp)) <= latest);
}

const played = new WeakMap<ScenarioContext, (event: JsonObject) => boolean>();

/** Tells events of sessions that were there before a scenario: what belongs to them may have gone before it as well, unseen. */
export function strangers(context: ScenarioContext): (event: JsonObject) => boolean {
  const found = played.get(context);
  if (found !== undefined) return found;
  const isNew = newcomers(context.setting);
  const isOld = (event: JsonObject): boolean => typeof event.session_id === "string" && !isNew(event, true);
  played.set(context, isOld);
  return isOld;
}
