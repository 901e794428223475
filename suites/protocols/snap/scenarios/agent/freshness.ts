import type { Json, JsonObject, Scenario, ScenarioContext } from "../../../../../schemas/index.ts";
import { isRateLimited } from "../../../../base/http/postponement.ts";
import { keyA } from "../../rules/keys.ts";
import { signedBy } from "../../rules/messages.ts";
import {
  ask,
  breakSeal,
  contentOf,
  countHandled,
  freshId,
  messageOf,
  nowInSeconds,
  type PartyAnswer,
  type Peer,
  peerOf,
  request,
  requestWith,
  requireTask,
  sendAccepted,
  stranger,
} from "../parties.ts";

/** Sends a message again. Describes how it was carried out a second time; undefined if it was not. */
async function sendAgain(
  context: ScenarioContext,
  peer: Peer,
  message: JsonObject,
  firstAnswer: PartyAnswer,
): Promise<string | undefined> {
  const countBefore = await countHandled(context);
  const answer = await ask(context, peer, message);
  if (answer.task !== undefined && answer.task.id !== firstAnswer.task?.id)
    return `it created a second task: ${answer.brief}`;
  if (countBefore === undefined || answer.task !== undefined) return undefined;
  const count = (await countHandled(context)) ?? countBefore;
  return count > countBefore ? "the agent has carried something out, although it does not say so" : undefined;
}

async function sendFirst(context: ScenarioContext, peer: Peer, message: JsonObject): Promise<PartyAnswer> {
  return requireTask(await ask(context, peer, message), "message/send");
}

/** Sends more messages than a small memory of ids can hold. Stops at a rate limit. */
async function crowdMemory(context: ScenarioContext, peer: Peer, { task }: PartyAnswer): Promise<void> {
  for (let count = 0; count < 64; count++) {
    const body = await request(context, peer, "tasks/get", { taskId: task?.id as Json });
    const headers = { "content-type": "application/json", "snap-version": "0.1" };
    const reply = await context.send({ method: "POST", path: peer.path, body, headers, isHurried: true });
    if (isRateLimited(reply) || contentOf(reply.json).code === 5002) return;
  }
}

/** Seconds after a message's timestamp: how long its time is certainly valid, and how long its id must certainly be remembered. */
const [surelyValid, surelyRemembered] = [58, 118];

/** Lets time pass until this many seconds after a timestamp, unless it is already later. */
async function passUntil(context: ScenarioContext, stamp: number, after: number): Promise<void> {
  const remainingMs = (stamp + after) * 1000 - (await context.now());
  if (remainingMs > 0) await context.pass(remainingMs);
}

export const freshness: readonly Scenario[] = [
  {
    name: "freshness-window",
    says: "a message with a timestamp a minute or more away from now is refused",
    rules: ["SNAP-TIME-001", "SNAP-TIME-002"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      const now = await nowInSeconds(context);
      for (const offset of [-30, 30, -180, 180, -86_400, 86_400]) {
        const description = `a message that is stamped ${Math.abs(offset)} seconds ${offset < 0 ? "ago" : "ahead"}`;
        const answer = await ask(
          context,
          peer,
          await requestWith(context, peer, {
            method: "message/send",
            payload: messageOf(context),
            more: { timestamp: now + offset },
          }),
        );
        if (Math.abs(offset) < 60) {
          context.expect(
            "SNAP-TIME-001",
            answer.code !== 2004,
            `${description} is refused for its time: ${answer.brief}`,
          );
          continue;
        }
        context.expect("SNAP-TIME-001", answer.isRefused, `${description} is accepted: ${answer.brief}`);
        if (answer.isRefused && answer.code !== undefined)
          context.expect(
            "SNAP-TIME-002",
            answer.code === 2004,
            `${description} is refused with code ${answer.code}, not 2004`,
          );
      }
    },
  },
  {
    name: "freshness-milliseconds",
    says: "the timestamp of a message is in seconds",
    rules: ["SNAP-TIME-001"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      const timestamp = (await nowInSeconds(context)) * 1000;
      const answer = await ask(
        context,
        peer,
        await requestWith(context, peer, { method: "message/send", payload: messageOf(context), more: { timestamp } }),
      );
      context.expect(
        "SNAP-TIME-001",
        answer.isRefused,
        `a message with a timestamp in milliseconds is accepted: ${answer.brief}`,
      );
    },
  },
  {
    name: "freshness-repeated",
    says: "a message that is repeated at once is not carried out again",
    rules: ["SNAP-REPLAY-001"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      const message = await request(context, peer, "message/send", messageOf(context));
      const answer = await sendFirst(context, peer, message);
      const secondExecution = await sendAgain(context, peer, message, answer);
      context.expect(
        "SNAP-REPLAY-001",
        secondExecution === undefined,
        `the same message sent twice: ${secondExecution}`,
      );
      const stream = await request(context, peer, "message/stream", messageOf(context));
      const startedStream = await ask(context, peer, stream);
      if (startedStream.task === undefined) return;
      const secondRun = await sendAgain(context, peer, stream, startedStream);
      context.expect("SNAP-REPLAY-001", secondRun === undefined, `the same message/stream sent twice: ${secondRun}`);
    },
  },
  {
    name: "freshness-remembered",
    says: "an id is remembered as long as its message could be accepted as new",
    rules: ["SNAP-REPLAY-001"],
    needs: ["url"],
    withinMs: 240_000,
    waits: 100_000,
    slow: true,
    async play(context) {
      const peer = await peerOf(context);
      const message = await request(context, peer, "message/send", messageOf(context));
      const answer = await sendFirst(context, peer, message);
      const stamp = Number(message.timestamp);
      const aheadSeconds = (await nowInSeconds(context)) + 50;
      const aheadMessage = await requestWith(context, peer, {
        method: "message/send",
        payload: messageOf(context),
        more: { timestamp: aheadSeconds },
      });
      const aheadAnswer = await ask(context, peer, aheadMessage);
      // An agent that accepts the same id with another timestamp does not rely on ids alone.
      const withTimestamp = (timestamp: number): JsonObject => signedBy(keyA, { ...message, timestamp });
      const remembersIds = (await sendAgain(context, peer, withTimestamp(stamp + 1), answer)) === undefined;
      await crowdMemory(context, peer, answer);
      await passUntil(context, stamp, 50);
      // Only while the time is valid: an agent that refuses a message for its time may remember the id again, and so longer.
      if ((await nowInSeconds(context)) < stamp + surelyValid) {
        const secondExecution = await sendAgain(context, peer, message, answer);
        context.expect(
          "SNAP-REPLAY-001",
          secondExecution === undefined,
          `the same message again after 50 seconds: ${secondExecution}`,
        );
      }
      await passUntil(context, stamp, 100);
      const now = await nowInSeconds(context);
      if (remembersIds && now < stamp + surelyRemembered) {
        const secondRun = await sendAgain(context, peer, withTimestamp(now), answer);
        context.expect(
          "SNAP-REPLAY-001",
          secondRun === undefined,
          `the same id after 100 seconds, with a new stamp: ${secondRun}`,
        );
      }
      if (aheadAnswer.task === undefined || (await nowInSeconds(context)) >= aheadSeconds + surelyValid) return;
      const lateExecution = await sendAgain(context, peer, aheadMessage, aheadAnswer);
      const why = `a message stamped 50 seconds in the future, again after 100 seconds, when its time is still valid: ${lateExecution}`;
      context.expect("SNAP-REPLAY-001", lateExecution === undefined, why);
    },
  },
  {
    name: "freshness-senders",
    says: "two senders may use the same id",
    rules: ["SNAP-REPLAY-002"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      const message = await request(context, peer, "message/send", messageOf(context));
      const first = await sendFirst(context, peer, message);
      await sendAccepted(context, peer, { method: "message/send", payload: messageOf(context), by: stranger });
      const second = await ask(
        context,
        peer,
        await requestWith(context, peer, {
          method: "message/send",
          payload: messageOf(context),
          more: { id: message.id as string },
          by: stranger,
        }),
      );
      const hasOwnTask = second.task !== undefined && second.task.id !== first.task?.id;
      context.expect(
        "SNAP-REPLAY-002",
        hasOwnTask,
        `a second sender with the id of a first one is refused: ${second.brief}`,
      );
    },
  },
  {
    name: "freshness-other-content",
    says: "a message with a remembered id is a repetition, whatever its content",
    rules: ["SNAP-REPLAY-003"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      const message = await request(context, peer, "message/send", messageOf(context));
      const answer = await sendFirst(context, peer, message);
      if ((await sendAgain(context, peer, message, answer)) !== undefined)
        return context.skip("SNAP-REPLAY-003", "an identical message is carried out twice as well");
      const timestamp = Number(message.timestamp) + 1;
      const sameIdMessages = [
        signedBy(keyA, { ...message, payload: messageOf(context, "And the harbour?") }),
        signedBy(keyA, { ...message, timestamp }),
      ];
      for (const second of sameIdMessages) {
        const secondExecution = await sendAgain(context, peer, second, answer);
        context.expect(
          "SNAP-REPLAY-003",
          secondExecution === undefined,
          `a second message with the same id and another content: ${secondExecution}`,
        );
      }
      const stream = await request(context, peer, "message/stream", messageOf(context));
      const startedStream = await ask(context, peer, stream);
      // An agent that accepts the same request twice does not remember such requests, which another scenario tests.
      if (startedStream.task === undefined || (await sendAgain(context, peer, stream, startedStream)) !== undefined)
        return;
      const methodExecution = await sendAgain(
        context,
        peer,
        signedBy(keyA, { ...message, method: "message/stream" }),
        answer,
      );
      context.expect(
        "SNAP-REPLAY-003",
        methodExecution === undefined,
        `a second message with the same id and another method: ${methodExecution}`,
      );
    },
  },
  {
    name: "freshness-other-id",
    says: "ids that differ only in their last character, or in case, are different",
    rules: ["SNAP-REPLAY-003"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      const id = freshId(context, "x".repeat(128)).slice(-127);
      const ids = [`${id}a`, `${id}b`, `${id}A`];
      const openedTask = await sendFirst(
        context,
        peer,
        await requestWith(context, peer, { method: "message/send", payload: messageOf(context), more: { id: ids[0] } }),
      );
      for (const second of ids.slice(1)) {
        const answer = await ask(
          context,
          peer,
          await requestWith(context, peer, {
            method: "message/send",
            payload: messageOf(context),
            more: { id: second },
          }),
        );
        const why = `after a message ${ids[0]}, a message with another id, ${second}, is refused as a repetition: ${answer.brief}`;
        context.expect("SNAP-REPLAY-003", answer.code !== 2006, why);
        const isSame = answer.task !== undefined && answer.task.id === openedTask.task?.id;
        const whySame = `after a message ${ids[0]}, a message with another id, ${second}, is answered with the task of the first`;
        context.expect("SNAP-REPLAY-003", !isSame, whySame);
      }
    },
  },
  {
    name: "freshness-forged-first",
    says: "a forged message does not use up the id of a genuine one",
    rules: ["SNAP-REPLAY-004"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      const message = await request(context, peer, "message/send", messageOf(context));
      const forgedAnswer = await ask(context, peer, breakSeal(message));
      if (!forgedAnswer.isRefused) return context.skip("SNAP-REPLAY-004", "a forged message is not refused");
      const answer = await ask(context, peer, message);
      context.expect(
        "SNAP-REPLAY-004",
        answer.task !== undefined,
        `after a forged message with the same id, the genuine one is not accepted: ${answer.brief}`,
      );
    },
  },
];
