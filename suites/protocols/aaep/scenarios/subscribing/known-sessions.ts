import type { JsonObject, ScenarioContext, Setting } from "../../../../../schemas/index.ts";

/** The known sessions of a producer, on all subscriptions. */
interface KnownSessions {
  /** The latest timestamp in each session, in milliseconds since 1970. */
  latestTimes: Map<string, number>;
  /** The sessions that the suite has started. */
  startedIds: Set<string>;
  /** The position of each event in the order of arrival, by session and event id. */
  eventOrder: Map<string, number>;
}

const knownSessions = new WeakMap<Setting, KnownSessions>();

/** The assumed maximum difference between the clocks of a producer and of the suite, in milliseconds. */
const clockTolerance = 5000;

function knownSessionsOf(setting: Setting): KnownSessions {
  const known = knownSessions.get(setting) ?? {
    latestTimes: new Map<string, number>(),
    startedIds: new Set<string>(),
    eventOrder: new Map<string, number>(),
  };
  knownSessions.set(setting, known);
  return known;
}

/** Records an event. */
export function noteEvent(setting: Setting, { session_id: id, event_id: event, timestamp }: JsonObject): void {
  if (typeof id !== "string") return;
  const { latestTimes, eventOrder } = knownSessionsOf(setting);
  const key = `${id} ${event}`;
  if (typeof event === "string" && !eventOrder.has(key)) eventOrder.set(key, eventOrder.size + 1);
  const [stamp, latest] = [Date.parse(String(timestamp)), latestTimes.get(id) ?? Number.NEGATIVE_INFINITY];
  latestTimes.set(id, stamp > latest ? stamp : latest);
}

/** Records a session that the suite has started. */
export function noteStartedSession(setting: Setting, session: string): void {
  knownSessionsOf(setting).startedIds.add(session);
}

/** The latest timestamp in the sessions that the suite has started. Those of other sessions may come from any clock. */
function latestTimeOf({ latestTimes, startedIds }: KnownSessions): number {
  let latest = Number.NEGATIVE_INFINITY;
  for (const id of startedIds) latest = Math.max(latest, latestTimes.get(id) ?? latest);
  return latest;
}

/**
 * Recognizes events of sessions that start from now on, since a producer may send earlier events to a new subscription. The session must be unknown so
 * far. With `byStamp`, the event must also be at least as new as every earlier session.
 */
export function recognizeNewSessions(setting: Setting): (event: JsonObject, byStamp: boolean) => boolean {
  const known = knownSessionsOf(setting);
  const latest = latestTimeOf(known);
  const earlierIds = new Set(known.latestTimes.keys());
  const earliestTime = Number.isFinite(latest) ? latest : Date.now() - clockTolerance;
  return ({ session_id: id, timestamp }, byStamp) => {
    const stamp = Date.parse(String(timestamp));
    return !earlierIds.has(String(id)) && (!byStamp || Number.isNaN(stamp) || stamp >= earliestTime);
  };
}

/** Recognizes events from before now, which a producer may send to a new subscription even if they came on another one. */
export function recognizeRepetitions(setting: Setting): (event: JsonObject) => boolean {
  const known = knownSessionsOf(setting);
  const { eventOrder } = known;
  const count = eventOrder.size;
  const latest = latestTimeOf(known);
  const timesBefore = new Map(known.latestTimes);
  return ({ session_id: id, event_id: event, timestamp }) => {
    if ((eventOrder.get(`${id} ${event}`) ?? count + 1) <= count) return true;
    // It need not have come on another subscription, because questions only go to those that can answer. Events that came together with it may
    // belong to a session that is not yet known to be one of the suite's.
    const sessionTime = timesBefore.get(String(id));
    return sessionTime !== undefined && Date.parse(String(timestamp)) <= Math.max(latest, sessionTime);
  };
}

const filtersByScenario = new WeakMap<ScenarioContext, (event: JsonObject) => boolean>();

/** Recognizes events of sessions from before a scenario, of which earlier events may not have been seen. */
export function recognizeEarlierSessions(context: ScenarioContext): (event: JsonObject) => boolean {
  const knownFilter = filtersByScenario.get(context);
  if (knownFilter !== undefined) return knownFilter;
  const isOfNewSession = recognizeNewSessions(context.setting);
  const isOfEarlierSession = (event: JsonObject): boolean =>
    typeof event.session_id === "string" && !isOfNewSession(event, true);
  filtersByScenario.set(context, isOfEarlierSession);
  return isOfEarlierSession;
}
