import type { JsonObject, ScenarioContext } from "../../../../../../schemas/index.ts";
import type { Must } from "../../../../../running/scenarios/walks/index.ts";
import { openLine } from "../../subscribing/open.ts";
import { closeMessage } from "../../subscribing/request.ts";
import { areSame, isSummary, sortByMaking } from "../resumption.ts";
import { answer, awaitFence, awaitFenceAgain, isEnd, nameOf } from "../story.ts";
import type { ProducerModel, Second } from "./model.ts";

export async function join(context: ScenarioContext, model: ProducerModel): Promise<void> {
  model.second = { line: await openLine(context, { name: "second" }), wasCut: false };
}

export async function leave(model: ProducerModel): Promise<void> {
  const { line } = model.second as Second;
  model.second = undefined;
  line.inbox.expectEnd();
  await answer(line, closeMessage(line.id));
  line.cut();
}

/** Breaks the second connection during any activity. */
export function cutConnection(second: Second): void {
  second.last = String(eventsOn(second).at(-1)?.event_id ?? "");
  second.wasCut = true;
  second.line.cut();
}

function eventsOn({ line }: Pick<Second, "line">): JsonObject[] {
  return line.inbox.arrivals.map(({ message }) => message).filter(({ event_id: id }) => typeof id === "string");
}

/** A returning subscription gets the missed events of every waiting session, or a summary. */
export async function resume(context: ScenarioContext, model: ProducerModel, must: Must): Promise<void> {
  const { line, questions } = model;
  const second = model.second as Second;
  const { last = "" } = second;
  second.last = undefined;
  const before = eventsOn({ line });
  const from = second.line.inbox.arrivals.length;
  await second.line.resume?.(last);
  await awaitFenceAgain(second.line, context);
  const index = before.findIndex(({ event_id: id }) => id === last);
  // If the event was not sent to all, nothing can be judged.
  if (index === -1) return;
  const again = second.line.inbox.arrivals.slice(from).map(({ message }) => message);
  for (const { id, state } of questions) {
    if (state !== "open") continue;
    const own = ({ session_id: of }: JsonObject): boolean => of === id;
    const got = again.filter(own);
    const missed = before.slice(index + 1).filter(own);
    const seen = sortByMaking(before.filter(own));
    const names = got.map(nameOf).join(", ") || "nothing";
    must(
      "AAEP-TRN-011",
      areSame(sortByMaking(got), sortByMaking(missed)) || isSummary(got, seen, seen),
      `${missed.length} events of the session ${id} came after ${last}; a resumption there got ${names}`,
    );
  }
}

/** Two subscriptions that were connected throughout a session got the same events of it. */
export async function compare(context: ScenarioContext, { line, second }: ProducerModel, must: Must): Promise<void> {
  if (second === undefined || second.wasCut) return;
  await awaitFence(second.line, context);
  const [all, own] = [eventsOn({ line }), eventsOn(second)];
  const started = own.filter((event) => nameOf(event) === "session.started").map(({ session_id: id }) => id);
  for (const id of started) {
    const [one, other] = [all, own].map((events) => events.filter(({ session_id: of }) => of === id)) as [
      JsonObject[],
      JsonObject[],
    ];
    if (!one.some(isEnd) || !other.some(isEnd)) continue;
    const lost = one.find(({ event_id: each }) => !other.some((event) => event.event_id === each));
    const why = `${lost === undefined ? "" : nameOf(lost)} of the session ${id} came to one subscription, and not to another`;
    must("AAEP-TRN-005", lost === undefined, why);
  }
}
