import type { Json, JsonObject, Scenario, ScenarioContext } from "../../../../../schemas/index.ts";
import { isPutOff } from "../../../../base/http/postponement.ts";
import { a } from "../../rules/keys.ts";
import { signedBy } from "../../rules/messages.ts";
import {
  ask,
  breakSeal,
  countHandled,
  freshId,
  messageOf,
  type PartyAnswer,
  type Peer,
  peerOf,
  request,
  requestWith,
  seconds,
  sendTaken,
  stranger,
  toldIn,
  tookIt,
} from "../parties.ts";

/** Sends a message again. Returns how it was carried out a second time, if it was. */
async function sendAgain(
  context: ScenarioContext,
  peer: Peer,
  message: JsonObject,
  sendFirst: PartyAnswer,
): Promise<string | undefined> {
  const before = await countHandled(context);
  const told = await ask(context, peer, message);
  if (told.task !== undefined && told.task.id !== sendFirst.task?.id) return `it created a second task: ${told.brief}`;
  if (before === undefined || told.task !== undefined) return undefined;
  const count = (await countHandled(context)) ?? before;
  return count > before ? "the agent has carried something out, although it does not say so" : undefined;
}

async function sendFirst(context: ScenarioContext, peer: Peer, message: JsonObject): Promise<PartyAnswer> {
  return tookIt(await ask(context, peer, message), "message/send");
}

/** Sends as many messages as a memory of ids must hold. A postponed message ends this. */
async function crowd(context: ScenarioContext, peer: Peer, { task }: PartyAnswer): Promise<void> {
  for (let count = 0; count < 64; count++) {
    const body = await request(context, peer, "tasks/get", { taskId: task?.id as Json });
    const headers = { "content-type": "application/json", "snap-version": "0.1" };
    const reply = await context.send({ method: "POST", path: peer.path, body, headers, isHurried: true });
    if (isPutOff(reply) || toldIn(reply.json).code === 5002) return;
  }
}

/** Seconds after the timestamp of a message: until the first, its time is certainly valid; until the second, its id is certainly remembered. */
const [surelyNew, surelyKept] = [58, 118];

/** Lets time pass until this many seconds after a timestamp, unless it is already later. */
async function passUntil(context: ScenarioContext, stamp: number, after: number): Promise<void> {
  const left = (stamp + after) * 1000 - (await context.now());
  if (left > 0) await context.pass(left);
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
      const now = await seconds(context);
      for (const offset of [-30, 30, -180, 180, -86_400, 86_400]) {
        const what = `a message that is stamped ${Math.abs(offset)} seconds ${offset < 0 ? "ago" : "ahead"}`;
        const told = await ask(
          context,
          peer,
          await requestWith(context, peer, {
            method: "message/send",
            payload: messageOf(context),
            more: { timestamp: now + offset },
          }),
        );
        if (Math.abs(offset) < 60) {
          context.expect("SNAP-TIME-001", told.code !== 2004, `${what} is refused for its time: ${told.brief}`);
          continue;
        }
        context.expect("SNAP-TIME-001", told.isRefused, `${what} is accepted: ${told.brief}`);
        if (told.isRefused && told.code !== undefined)
          context.expect("SNAP-TIME-002", told.code === 2004, `${what} is refused with code ${told.code}, not 2004`);
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
      const timestamp = (await seconds(context)) * 1000;
      const told = await ask(
        context,
        peer,
        await requestWith(context, peer, { method: "message/send", payload: messageOf(context), more: { timestamp } }),
      );
      context.expect(
        "SNAP-TIME-001",
        told.isRefused,
        `a message with a timestamp in milliseconds is accepted: ${told.brief}`,
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
      const told = await sendFirst(context, peer, message);
      const twice = await sendAgain(context, peer, message, told);
      context.expect("SNAP-REPLAY-001", twice === undefined, `the same message sent twice: ${twice}`);
      const stream = await request(context, peer, "message/stream", messageOf(context));
      const begun = await ask(context, peer, stream);
      if (begun.task === undefined) return;
      const anew = await sendAgain(context, peer, stream, begun);
      context.expect("SNAP-REPLAY-001", anew === undefined, `the same message/stream sent twice: ${anew}`);
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
      const told = await sendFirst(context, peer, message);
      const stamp = Number(message.timestamp);
      const early = (await seconds(context)) + 50;
      const ahead = await requestWith(context, peer, {
        method: "message/send",
        payload: messageOf(context),
        more: { timestamp: early },
      });
      const tooEarly = await ask(context, peer, ahead);
      // An agent that accepts the same id with another timestamp does not rely on ids alone.
      const stampAt = (timestamp: number): JsonObject => signedBy(a, { ...message, timestamp });
      const isById = (await sendAgain(context, peer, stampAt(stamp + 1), told)) === undefined;
      await crowd(context, peer, told);
      await passUntil(context, stamp, 50);
      // An agent may remember the id of a message that it refuses because of its time, which keeps the id longer.
      if ((await seconds(context)) < stamp + surelyNew) {
        const twice = await sendAgain(context, peer, message, told);
        context.expect("SNAP-REPLAY-001", twice === undefined, `the same message again after 50 seconds: ${twice}`);
      }
      await passUntil(context, stamp, 100);
      const now = await seconds(context);
      if (isById && now < stamp + surelyKept) {
        const anew = await sendAgain(context, peer, stampAt(now), told);
        context.expect(
          "SNAP-REPLAY-001",
          anew === undefined,
          `the same id after 100 seconds, with a new stamp: ${anew}`,
        );
      }
      if (tooEarly.task === undefined || (await seconds(context)) >= early + surelyNew) return;
      const late = await sendAgain(context, peer, ahead, tooEarly);
      const why = `a message stamped 50 seconds in the future, again after 100 seconds, when its time is still valid: ${late}`;
      context.expect("SNAP-REPLAY-001", late === undefined, why);
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
      const one = await sendFirst(context, peer, message);
      await sendTaken(context, peer, { method: "message/send", payload: messageOf(context), by: stranger });
      const other = await ask(
        context,
        peer,
        await requestWith(context, peer, {
          method: "message/send",
          payload: messageOf(context),
          more: { id: message.id as string },
          by: stranger,
        }),
      );
      const isOwn = other.task !== undefined && other.task.id !== one.task?.id;
      context.expect("SNAP-REPLAY-002", isOwn, `a second sender with the id of a first one is refused: ${other.brief}`);
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
      const told = await sendFirst(context, peer, message);
      if ((await sendAgain(context, peer, message, told)) !== undefined)
        return context.skip("SNAP-REPLAY-003", "an identical message is carried out twice as well");
      const timestamp = Number(message.timestamp) + 1;
      const others = [
        signedBy(a, { ...message, payload: messageOf(context, "And the harbour?") }),
        signedBy(a, { ...message, timestamp }),
      ];
      for (const other of others) {
        const twice = await sendAgain(context, peer, other, told);
        context.expect(
          "SNAP-REPLAY-003",
          twice === undefined,
          `a second message with the same id and another content: ${twice}`,
        );
      }
      const stream = await request(context, peer, "message/stream", messageOf(context));
      const begun = await ask(context, peer, stream);
      // An agent that accepts the same request twice does not remember such requests, which another scenario tests.
      if (begun.task === undefined || (await sendAgain(context, peer, stream, begun)) !== undefined) return;
      const method = await sendAgain(context, peer, signedBy(a, { ...message, method: "message/stream" }), told);
      context.expect(
        "SNAP-REPLAY-003",
        method === undefined,
        `a second message with the same id and another method: ${method}`,
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
      const opened = await sendFirst(
        context,
        peer,
        await requestWith(context, peer, { method: "message/send", payload: messageOf(context), more: { id: ids[0] } }),
      );
      for (const other of ids.slice(1)) {
        const told = await ask(
          context,
          peer,
          await requestWith(context, peer, {
            method: "message/send",
            payload: messageOf(context),
            more: { id: other },
          }),
        );
        const why = `after a message ${ids[0]}, a message with another id, ${other}, is refused as a repetition: ${told.brief}`;
        context.expect("SNAP-REPLAY-003", told.code !== 2006, why);
        const isSame = told.task !== undefined && told.task.id === opened.task?.id;
        const same = `after a message ${ids[0]}, a message with another id, ${other}, is answered with the task of the first`;
        context.expect("SNAP-REPLAY-003", !isSame, same);
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
      const forged = await ask(context, peer, breakSeal(message));
      if (!forged.isRefused) return context.skip("SNAP-REPLAY-004", "a forged message is not refused");
      const told = await ask(context, peer, message);
      context.expect(
        "SNAP-REPLAY-004",
        told.task !== undefined,
        `after a forged message with the same id, the genuine one is not accepted: ${told.brief}`,
      );
    },
  },
];
