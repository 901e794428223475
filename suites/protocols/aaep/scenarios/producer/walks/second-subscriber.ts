import type { JsonObject, ScenarioContext } from "../../../../../../schemas/index.ts";
import type { Must } from "../../../../../running/scenarios/walks/index.ts";
import { openSubscription } from "../../subscribing/open.ts";
import { closeMessage } from "../../subscribing/request.ts";
import { haveSameIds, isSummary, sortByCreation } from "../resumption.ts";
import { awaitFence, awaitFenceAgain, isEnd, nameOf, sendReply } from "../session.ts";
import type { ProducerModel, SecondSubscription } from "./model.ts";

export async function joinSecond(context: ScenarioContext, model: ProducerModel): Promise<void> {
  model.second = { subscription: await openSubscription(context, { name: "second" }), wasCut: false };
}

export async function leaveSecond(model: ProducerModel): Promise<void> {
  const { subscription } = model.second as SecondSubscription;
  model.second = undefined;
  subscription.inbox.expectEnd();
  await sendReply(subscription, closeMessage(subscription.id));
  subscription.cut();
}

/** Breaks the second connection without a message. */
export function cutConnection(second: SecondSubscription): void {
  second.lastEventId = String(eventsOn(second).at(-1)?.event_id ?? "");
  second.wasCut = true;
  second.subscription.cut();
}

function eventsOn({ subscription }: Pick<SecondSubscription, "subscription">): JsonObject[] {
  return subscription.inbox.arrivals.map(({ message }) => message).filter(({ event_id: id }) => typeof id === "string");
}

/** Resumes the second subscription, which must receive the missed events of every waiting session, or a summary. */
export async function resumeSecond(context: ScenarioContext, model: ProducerModel, must: Must): Promise<void> {
  const { subscription, questions } = model;
  const second = model.second as SecondSubscription;
  const { lastEventId = "" } = second;
  second.lastEventId = undefined;
  const eventsBefore = eventsOn({ subscription });
  const arrivalsBefore = second.subscription.inbox.arrivals.length;
  await second.subscription.resume?.(lastEventId);
  await awaitFenceAgain(second.subscription, context);
  const index = eventsBefore.findIndex(({ event_id: id }) => id === lastEventId);
  // If the last event did not reach both subscriptions, nothing can be judged.
  if (index === -1) return;
  const resumedEvents = second.subscription.inbox.arrivals.slice(arrivalsBefore).map(({ message }) => message);
  for (const { id, state } of questions) {
    if (state !== "open") continue;
    const belongsToSession = ({ session_id: sessionId }: JsonObject): boolean => sessionId === id;
    const resumedOfSession = resumedEvents.filter(belongsToSession);
    const missedEvents = eventsBefore.slice(index + 1).filter(belongsToSession);
    const earlierEvents = sortByCreation(eventsBefore.filter(belongsToSession));
    const names = resumedOfSession.map(nameOf).join(", ") || "nothing";
    must(
      "AAEP-TRN-011",
      haveSameIds(sortByCreation(resumedOfSession), sortByCreation(missedEvents)) ||
        isSummary(resumedOfSession, earlierEvents, earlierEvents),
      `${missedEvents.length} events of the session ${id} arrived after ${lastEventId}; a resumption there got ${names}`,
    );
  }
}

/** Expects that both subscriptions received the same events of each session, if both were always connected. */
export async function compareSubscriptions(
  context: ScenarioContext,
  { subscription, second }: ProducerModel,
  must: Must,
): Promise<void> {
  if (second === undefined || second.wasCut) return;
  await awaitFence(second.subscription, context);
  const [firstEvents, secondEvents] = [eventsOn({ subscription }), eventsOn(second)];
  const startedIds = secondEvents
    .filter((event) => nameOf(event) === "session.started")
    .map(({ session_id: id }) => id);
  for (const id of startedIds) {
    const [firstSessionEvents, secondSessionEvents] = [firstEvents, secondEvents].map((events) =>
      events.filter(({ session_id: sessionId }) => sessionId === id),
    ) as [JsonObject[], JsonObject[]];
    if (!firstSessionEvents.some(isEnd) || !secondSessionEvents.some(isEnd)) continue;
    const lostEvent = firstSessionEvents.find(
      ({ event_id: eventId }) => !secondSessionEvents.some((event) => event.event_id === eventId),
    );
    const why = `${lostEvent === undefined ? "" : nameOf(lostEvent)} of the session ${id} reached one subscription, but not the other`;
    must("AAEP-TRN-005", lostEvent === undefined, why);
  }
}
