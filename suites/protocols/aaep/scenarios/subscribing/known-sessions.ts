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
  const sessions = knownSessions.get(setting) ?? {
    latestTimes: new Map<string, number>(),
    startedIds: new Set<string>(),
    eventOrder: new Map<string, number>(),
  };
  knownSessions.set(setting, sessions);
  return sessions;
}

/** Records an event. */
export function noteEvent(setting: Setting, { session_id: id, event_id: eventId, timestamp }: JsonObject): void {
  if (typeof id !== "string") return;
  const { latestTimes, eventOrder } = knownSessionsOf(setting);
  const key = `${id} ${eventId}`;
  if (typeof eventId === "string" && !eventOrder.has(key)) eventOrder.set(key, eventOrder.size + 1);
  const [stamp, latestTime] = [Date.parse(String(timestamp)), latestTimes.get(id) ?? Number.NEGATIVE_INFINITY];
  latestTimes.set(id, stamp > latestTime ? stamp : latestTime);
}

/** Records a session that the suite has started. */
export function noteStartedSession(setting: Setting, session: string): void {
  knownSessionsOf(setting).startedIds.add(session);
}

/** Returns the latest timestamp in the sessions that the suite has started. Other sessions may be stamped by any clock. */
function latestTimeOf({ latestTimes, startedIds }: KnownSessions): number {
  let latestTime = Number.NEGATIVE_INFINITY;
  for (const id of startedIds) latestTime = Math.max(latestTime, latestTimes.get(id) ?? latestTime);
  return latestTime;
}

/**
 * Recognizes events of sessions that start from now on, because a producer may also send earlier events to a new subscription.
 * The session must be unknown. With `checksTime`, the event must also be at least as new as every earlier session.
 */
export function recognizeNewSessions(setting: Setting): (event: JsonObject, checksTime: boolean) => boolean {
  const sessions = knownSessionsOf(setting);
  const latestTime = latestTimeOf(sessions);
  const earlierIds = new Set(sessions.latestTimes.keys());
  const earliestTime = Number.isFinite(latestTime) ? latestTime : Date.now() - clockTolerance;
  return ({ session_id: id, timestamp }, byStamp) => {
    const stamp = Date.parse(String(timestamp));
    return !earlierIds.has(String(id)) && (!byStamp || Number.isNaN(stamp) || stamp >= earliestTime);
  };
}

/** Recognizes earlier events, which a producer may send to a new subscription even if they arrived on another one. */
export function recognizeRepetitions(setting: Setting): (event: JsonObject) => boolean {
  const sessions = knownSessionsOf(setting);
  const { eventOrder } = sessions;
  const countBefore = eventOrder.size;
  const latestTime = latestTimeOf(sessions);
  const timesBefore = new Map(sessions.latestTimes);
  return ({ session_id: id, event_id: eventId, timestamp }) => {
    if ((eventOrder.get(`${id} ${eventId}`) ?? countBefore + 1) <= countBefore) return true;
    // A question is only sent to subscriptions that can answer, so the suite may see it for the first time. Its session may not
    // yet be known as one that the suite has started, so the latest time of that session also counts.
    const sessionTime = timesBefore.get(String(id));
    return sessionTime !== undefined && Date.parse(String(timestamp)) <= Math.max(latestTime, sessionTime);
  };
}

const filtersByScenario = new WeakMap<ScenarioContext, (event: JsonObject) => boolean>();

/** Recognizes events of sessions that began before a scenario, even if the suite has not seen their earlier events. */
export function recognizeEarlierSessions(context: ScenarioContext): (event: JsonObject) => boolean {
  const knownFilter = filtersByScenario.get(context);
  if (knownFilter !== undefined) return knownFilter;
  const isFromNewSession = recognizeNewSessions(context.setting);
  const isFromEarlierSession = (event: JsonObject): boolean =>
    typeof event.session_id === "string" && !isFromNewSession(event, true);
  filtersByScenario.set(context, isFromEarlierSession);
  return isFromEarlierSession;
}
