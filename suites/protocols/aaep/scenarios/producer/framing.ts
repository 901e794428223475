import { type JsonObject, type Scenario, TargetSkip } from "../../../../../schemas/index.ts";
import { openSubscription } from "../subscribing/open.ts";
import { beginWaitingSession } from "./conduct.ts";
import { rejectOpen } from "./ignoring.ts";
import { toProducer } from "./scenario.ts";
import { awaitDueEventOn, awaitEnd, beginSession, findEvent, isEnd, nameOf } from "./session.ts";

/** The size in bytes of an event that is nearly as large as a transport must carry. */
const largeEventBytes = 56 * 1024;

/** Scenarios on the size of messages and on their frames. */
export const framingScenarios: readonly Scenario[] = [
  toProducer({
    name: "large-messages",
    says: "messages of 64 KiB arrive in both directions",
    rules: ["AAEP-TRN-010"],
    async play(context) {
      const subscription = await openSubscription(context);
      const askedSession = await beginWaitingSession(subscription, context, "irreversible");
      const reply: JsonObject = {
        type: "confirmation.reply",
        reply_token: askedSession.token,
        decision: "reject",
        subscription_id: subscription.id,
        timestamp: new Date(await context.now()).toISOString(),
        correlation_id: "",
      };
      const replyText = JSON.stringify({
        ...reply,
        correlation_id: "c".repeat(64 * 1024 - JSON.stringify(reply).length),
      });
      const httpReply = await subscription.send(replyText);
      const isAccepted = (await awaitEnd(askedSession)) !== undefined;
      if (!isAccepted && !(await rejectOpen(askedSession)))
        throw new TargetSkip("rejections have no effect, so nothing shows whether a large one is accepted");
      const status = httpReply === undefined ? "" : `: HTTP ${httpReply.status}`;
      context.expect("AAEP-TRN-010", isAccepted, `a reply of 65536 bytes had no effect${status}`);
      const session = await beginSession(subscription, context, "large").catch(() => undefined);
      if (session === undefined) return;
      const isOutput = (event: JsonObject): boolean => nameOf(event) === "output.streaming";
      const isLarge = (event: JsonObject): boolean => Buffer.byteLength(JSON.stringify(event)) >= largeEventBytes;
      const isLargeOutputOrEnd = (event: JsonObject): boolean => (isOutput(event) && isLarge(event)) || isEnd(event);
      const largeEvent = await awaitDueEventOn(subscription, context, (milliseconds) =>
        findEvent(session, isLargeOutputOrEnd, 0, milliseconds),
      );
      if (largeEvent === undefined || isOutput(largeEvent))
        return context.expect("AAEP-TRN-010", largeEvent !== undefined, "an event of nearly 64 KiB did not arrive");
      const why = `the task "large" did not produce a piece of ${largeEventBytes} bytes, so nothing shows whether one arrives`;
      context.skip("AAEP-TRN-010", why);
    },
  }),
  toProducer({
    name: "frames",
    says: "each frame of the transport contains one message",
    rules: ["AAEP-TRN-002"],
    async play(context) {
      const subscription = await openSubscription(context);
      let haveAllEnded = true;
      for (const task of ["plain", "stream", "large"] as const)
        try {
          const end = await awaitEnd(await beginSession(subscription, context, task));
          haveAllEnded &&= end !== undefined;
        } catch (error) {
          if (task !== "large") throw error;
          // A producer need not have a large task.
          haveAllEnded &&= error instanceof TargetSkip;
        }
      const [fault] = subscription.inbox.faults;
      if (fault === undefined && !haveAllEnded)
        return context.skip("AAEP-TRN-002", "a session has not ended in time, so its frames were not all seen");
      context.expect("AAEP-TRN-002", fault === undefined, `a frame does not contain one message: ${fault}`);
    },
  }),
];
