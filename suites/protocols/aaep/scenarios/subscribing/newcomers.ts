import type { JsonObject, ScenarioContext, Setting } from "../../../../../schemas/index.ts";

/** The known sessions of a producer, on all subscriptions. */
interface SeenSessions {
  /** The latest stamp of an event of each session, in milliseconds since 1970. */
  sessions: Map<string, number>;
  /** The sessions that the suite has started. */
  begun: Set<string>;
  /** The order of arrival of each event, by its session and id. */
  events: Map<string, number>;
}

const seenSessions = new WeakMap<Setting, SeenSessions>();

/** The assumed maximum difference between the clocks of a producer and of the suite, in milliseconds. */
const slack = 5000;

function knownOf(setting: Setting): SeenSessions {
  const found = seenSessions.get(setting) ?? {
    sessions: new Map<string, number>(),
    begun: new Set<string>(),
    events: new Map<string, number>(),
  };
  seenSessions.set(setting, found);
  return found;
}

/** Records an event. */
export function noteEvent(setting: Setting, { session_id: id, event_id: event, timestamp }: JsonObject): void {
  if (typeof id !== "string") return;
  const { sessions, events } = knownOf(setting);
  const key = `${id} ${event}`;
  if (typeof event === "string" && !events.has(key)) events.set(key, events.size + 1);
  const [stamp, latest] = [Date.parse(String(timestamp)), sessions.get(id) ?? Number.NEGATIVE_INFINITY];
  sessions.set(id, stamp > latest ? stamp : latest);
}

/** Records a session that the suite has started. */
export function hasBegun(setting: Setting, session: string): void {
  knownOf(setting).begun.add(session);
}

/** The latest stamp in the sessions that the suite has started. The stamps of other sessions may come from any clock. */
function latestOf({ sessions, begun }: SeenSessions): number {
  let latest = Number.NEGATIVE_INFINITY;
  for (const id of begun) latest = Math.max(latest, sessions.get(id) ?? latest);
  return latest;
}

/**
 * Recognizes events of sessions that start from now on; a producer may send earlier events to a new subscription. The session must not be known so far.
 * If stamps count, the event must also be no older than any earlier session.
 */
export function newcomers(setting: Setting): (event: JsonObject, byStamp: boolean) => boolean {
  const all = knownOf(setting);
  const latest = latestOf(all);
  const before = new Set(all.sessions.keys());
  const since = Number.isFinite(latest) ? latest : Date.now() - slack;
  return ({ session_id: id, timestamp }, byStamp) => {
    const stamp = Date.parse(String(timestamp));
    return !before.has(String(id)) && (!byStamp || Number.isNaN(stamp) || stamp >= since);
  };
}

/** Recognizes events from before now: a producer may send them to a new subscription, even if they came on another. */
export function retellings(setting: Setting): (event: JsonObject) => boolean {
  const all = knownOf(setting);
  const { events } = all;
  const count = events.size;
  const latest = latestOf(all);
  const before = new Map(all.sessions);
  return ({ session_id: id, event_id: event, timestamp }) => {
    if ((events.get(`${id} ${event}`) ?? count + 1) <= count) return true;
    // No other subscription need have had it: a question goes to those who can answer. All that came at once may be of a session that is
    // not yet known to be the suite's.
    const own = before.get(String(id));
    return own !== undefined && Date.parse(String(timestamp)) <= Math.max(latest, own);
  };
}

const playedFilters = new WeakMap<ScenarioContext, (event: JsonObject) => boolean>();

/** Recognizes events of sessions from before a scenario: other events of them may have come before it, unseen. */
export function findStrangers(context: ScenarioContext): (event: JsonObject) => boolean {
  const found = playedFilters.get(context);
  if (found !== undefined) return found;
  const isNew = newcomers(context.setting);
  const isOld = (event: JsonObject): boolean => typeof event.session_id === "string" && !isNew(event, true);
  playedFilters.set(context, isOld);
  return isOld;
}
