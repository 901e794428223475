import {
  type HttpReply,
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
} from "../../../../schemas/index.ts";
import { boundOf } from "./bounds.ts";
import { deadlineIn, leadTime, waitUntilDeadline } from "./deadline.ts";
import { ask, task } from "./messages.ts";
import { afterDeadline, cancel, inShort, pathOf, read, readStored, resolveMessage, submit } from "./steps.ts";

const dayMs = 86_400_000;

/** Starts a read that waits. `isBack` tells whether it has returned. */
function startPoll(
  context: ScenarioContext,
  id: string,
  seconds: number | string,
): { reply: Promise<HttpReply>; isBack: () => boolean } {
  let hasReturned = false;
  const reply = read(context, id, "a", { query: `?wait=${seconds}`, waitMs: 70_000 }).finally(() => {
    hasReturned = true;
  });
  reply.catch(() => {});
  return { reply, isBack: () => hasReturned };
}

/** A message to wait for, and how it ends. */
interface AwaitedEnding {
  /** The status after the end. */
  status: string;
  message: JsonObject;
  end(id: string): Promise<unknown>;
  /** The seconds within which the hub must notice the end. */
  notice?: number;
}

/** Ends a message while two reads wait for it, and checks both reads. Returns whether further waits can be tested. */
async function testWaitingReads(
  context: ScenarioContext,
  seconds: number,
  { status: expectedStatus, message, end, notice = 0 }: AwaitedEnding,
): Promise<boolean> {
  const { id } = await submit(context, message);
  const reads = [startPoll(context, id, seconds), startPoll(context, id, seconds)];
  await pauseFor(500);
  const returnedEarly = reads.some(({ isBack }) => isBack());
  let cannotContinue = returnedEarly;
  const messageText = `the ${message.type}`;
  // Report this now, while the read is among the last exchanges.
  context.expect(
    "AHCP-GET-007",
    !returnedEarly,
    `a read that waits ${seconds} seconds is answered immediately, while ${messageText} is open`,
  );
  const isServingOthers = returnedEarly || (await replyInTime(read(context, id))) !== undefined;
  context.expect("AHCP-GET-007", isServingOthers, "while a read waits, the hub does not answer other requests", {
    texts: [pathOf(id)],
  });
  if (!isServingOthers) {
    // Wait for the reads, because the hub answers nothing else before them.
    for (const { reply } of reads) await replyInTime(reply);
    return false;
  }
  await end(id);
  const endedAt = performance.now();
  // Other rules test whether the message has ended.
  if ((await readStored(context, id)).status !== expectedStatus) return !returnedEarly;
  const replies = await Promise.all(reads.map(({ reply }) => reply));
  for (const reply of replies) {
    const { json, at } = reply;
    if (returnedEarly || !isObject(json)) continue;
    const { status } = json;
    const secondsLate = Math.round((at - endedAt) / 1000);
    cannotContinue ||= status !== expectedStatus || secondsLate > boundOf(context, "held-read") / 1000 + notice;
    const isConsistent = status === "open" || isObject(json.response);
    context.expect("AHCP-GET-002", isConsistent, `the read that waited shows "${status}" without a Response`, reply);
    const whyOtherStatus = `the read that waited for the end of ${messageText}, ${expectedStatus}, shows "${status}"`;
    context.expect("AHCP-GET-007", status === expectedStatus, whyOtherStatus, reply);
    const readText = replies.some((httpReply) => at - httpReply.at > 1000)
      ? "one of two reads that waited"
      : "the read that waited";
    // The rule requires one second. Allow some more for a busy machine.
    const whyLate = `${readText} returned ${secondsLate} s after the end of ${messageText}, ${expectedStatus}`;
    context.expect("AHCP-GET-007", secondsLate <= 5 + notice, whyLate, reply);
  }
  return !cannotContinue;
}

/** The answer; undefined if it does not arrive in time. */
async function replyInTime(reply: Promise<HttpReply>): Promise<HttpReply | undefined> {
  try {
    return await reply;
  } catch (error) {
    if (error instanceof TargetFailure && error.outcome === "timed-out") return undefined;
    throw error;
  }
}

/** Values of `wait` that are not numbers, or out of range. A hub may clamp or refuse them. */
const oddWaits = ["0", "-1", "1.5", "abc", "", "1e99", "99999999999999999999", "1&since=2001-01-01T00:00:00Z"];

const pauseFor = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

export const longPolls: readonly Scenario[] = [
  {
    name: "reading-wait",
    says: "a read that waits is held until the message ends",
    rules: ["AHCP-GET-002", "AHCP-GET-007"],
    needs: ["resolve"],
    withinMs: 180_000,
    waits: 8000,
    async play(context) {
      const declinedEnding = { resolution: "declined" };
      const completedEnding = { resolution: "completed" };
      const endings: AwaitedEnding[] = [
        { status: "answered", message: ask(context), end: (id) => resolveMessage(context, id) },
        { status: "declined", message: ask(context), end: (id) => resolveMessage(context, id, declinedEnding) },
        { status: "completed", message: task(context), end: (id) => resolveMessage(context, id, completedEnding) },
      ];
      for (const ending of endings) if (!(await testWaitingReads(context, 50, ending))) return;
      // The deadline is before the end of the wait, by real time and by the hub's clock.
      const deadline = await deadlineIn(context, Math.min(20_000, leadTime(context)));
      const end = async (id: string): Promise<unknown> => {
        await waitUntilDeadline(context, deadline, 2000);
        return afterDeadline(context, id);
      };
      const message = ask(context, deadline.members);
      await testWaitingReads(context, 50, {
        status: "expired",
        message,
        end,
        notice: boundOf(context, "expiry") / 1000,
      });
    },
  },
  {
    name: "reading-wait-cancelled",
    says: "a read that waits is held until the message is cancelled",
    rules: ["AHCP-GET-002", "AHCP-GET-007"],
    needs: [],
    withinMs: 90_000,
    async play(context) {
      await testWaitingReads(context, 15, {
        status: "cancelled",
        message: ask(context),
        end: (id) => cancel(context, id),
      });
    },
  },
  {
    name: "reading-wait-in-vain",
    says: "a wait that runs out returns the open message, after a minute at most",
    rules: ["AHCP-GET-008"],
    needs: [],
    withinMs: 120_000,
    waits: 64_000,
    ownTimers: true,
    async play(context) {
      const { id } = await submit(
        context,
        ask(context, { expires_at: new Date((await context.now()) + dayMs).toISOString() }),
      );
      for (const seconds of [2, 600]) {
        const startedAt = performance.now();
        const { reply, isBack } = startPoll(context, id, seconds);
        await pauseFor(200);
        // In some hubs, moving the clock ends waits; in others it does not.
        if (context.has("clock") && !isBack()) await context.pass(Math.min(seconds, 61) * 1000 + 500);
        const answer = await replyInTime(reply);
        const whyEndless = `a read with wait=${seconds} waits without end`;
        context.expect("AHCP-GET-008", answer !== undefined, whyEndless, { texts: [`?wait=${seconds}`] });
        if (answer === undefined) continue;
        const heldSeconds = Math.round((answer.at - startedAt) / 1000);
        context.expect(
          "AHCP-GET-008",
          heldSeconds <= 65,
          `a read with wait=${seconds} waits for ${heldSeconds} s`,
          answer,
        );
        // A hub may refuse a wait that is longer than it supports.
        if (seconds > 60 && answer.status === 400) continue;
        const { json } = answer;
        const isOpen = answer.status === 200 && isObject(json) && json.status === "open";
        context.expect("AHCP-GET-008", isOpen, `wait=${seconds} ends without a change with ${inShort(answer)}`, answer);
      }
    },
  },
  {
    name: "reading-wait-odd",
    says: "a wait that is not a number or out of range does not crash the hub",
    rules: ["AHCP-GET-008"],
    needs: [],
    withinMs: 120_000,
    async play(context) {
      for (const text of oddWaits) {
        const { id } = await submit(context, ask(context));
        const startedAt = performance.now();
        const { reply, isBack } = startPoll(context, id, text);
        await pauseFor(200);
        // End the ask to release the waiting read.
        if (!isBack()) await replyInTime(cancel(context, id));
        const answer = await replyInTime(reply);
        // A gateway may time out before the hub does.
        const isBroken = answer !== undefined && answer.status >= 500 && answer.status !== 504;
        const why = `a read with wait=${text} crashes the hub: ${answer === undefined ? "" : inShort(answer)}`;
        context.expect("AHCP-GET-008", !isBroken, why, "MUST", answer);
        if (performance.now() - startedAt > 10_000) return;
      }
    },
  },
];
