import {
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { drawFor } from "../../../../running/scenarios/draw.ts";
import type { Line } from "../subscribing/line.ts";
import { openLine } from "../subscribing/open.ts";
import { requireLevel } from "../subscribing/producer-facts.ts";
import { closeMessage, usualRequest } from "../subscribing/request.ts";
import { toProducer } from "./scenario.ts";
import { answer, awaitEnd, awaitFence, beginSession, eventsOf, mustBeAlive, nameOf } from "./story.ts";

/** An event reaches exactly the open subscriptions that include it. */
export const recipientScenarios: readonly Scenario[] = [
  toProducer({
    name: "include-obeyed",
    says: "events that a subscription does not include do not reach it",
    rules: ["AAEP-BP-005"],
    async play(context) {
      requireLevel(context, 3);
      const name = drawFor(context).one(["session", "output", "tool"]);
      const event_filters = { include: [`aaep:agent.${name}.*`], exclude: [] };
      const watcher = await openLine(context, { name: "watching" });
      const line = await openLine(context, { capabilities: { ...usualRequest, event_filters }, name: "filtering" });
      const story = await beginSession(watcher, context, "plain");
      if ((await awaitEnd(story)) === undefined) throw new TargetSkip("the session does not end");
      const isIncluded = (event: JsonObject): boolean => nameOf(event).startsWith(`${name}.`);
      const isOther = (event: JsonObject): boolean =>
        event.urgency !== "critical" && /^[a-z]/.test(nameOf(event)) && !isIncluded(event);
      const all = eventsOf(watcher, story.id);
      const last = all.findLastIndex(isIncluded);
      if (!all.slice(0, last + 1).some(isOther)) throw new TargetSkip("its sessions have no other events before these");
      // Events that came to the watcher may still be on their way to the other.
      const due = nameOf(all[last] as JsonObject);
      const isLast = (event: JsonObject): boolean => event.session_id === story.id && nameOf(event) === due;
      if ((await line.inbox.seen(isLast)) === undefined)
        throw new TargetSkip("its filters let nothing through, or too slowly");
      const strange = eventsOf(line, story.id).find(isOther);
      const why = `${nameOf(strange ?? {})} came to a subscription that includes aaep:agent.${name}.* alone`;
      context.expect("AAEP-BP-005", strange === undefined, why, "SHOULD");
    },
  }),
  toProducer({
    name: "closed-gets-nothing",
    says: "a closed subscription gets no later events, and others continue",
    rules: ["AAEP-HS-022"],
    waits: 6000,
    async play(context) {
      requireLevel(context, 3);
      const watcher = await openLine(context, { name: "watching" });
      const line = await openLine(context, { name: "leaving" });
      if (line.accepted === undefined) throw new TargetSkip("without a handshake no subscription is closed");
      await awaitFence(watcher, context);
      line.inbox.expectEnd();
      await answer(line, closeMessage(line.id));
      // Most producers end the stream. Otherwise the close may not be handled yet, and earlier events may be in transit.
      await line.inbox.over();
      if (!(await goesOnAlone(context, watcher)))
        return context.expect("AAEP-HS-022", false, "the close of one subscription ended the stream of another");
      const story = await beginSession(watcher, context, "plain");
      if ((await awaitEnd(story)) === undefined) throw new TargetSkip("the session after the close does not end");
      await awaitFence(watcher, context);
      const [late] = eventsOf(line, story.id);
      const why = `${late === undefined ? "" : nameOf(late)} of a session that began after the close came on the closed subscription`;
      context.expect("AAEP-HS-022", late === undefined, why);
    },
  }),
];

/** Whether a subscription still gets whole sessions. Throws if the producer is down. */
async function goesOnAlone(context: ScenarioContext, line: Line): Promise<boolean> {
  try {
    await awaitFence(line, context);
    return true;
  } catch (error) {
    if (!(error instanceof TargetFailure) || !line.inbox.isEnded()) throw error;
    await mustBeAlive(context);
    return false;
  }
}
