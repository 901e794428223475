import {
  type Json,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import {
  ask,
  breakSeal,
  freshId,
  judgeInstances,
  messageOf,
  nowInSeconds,
  type PartyAnswer,
  type Peer,
  peerOf,
  request,
  requestWith,
  sendAccepted,
  stateOf,
  waitUntilAtRest,
} from "../parties.ts";
import { contents } from "./contents.ts";
import { findEnvelopeFault } from "./envelope.ts";

/** Sends requests of every kind, valid and invalid, that an agent answers immediately. */
async function exchangeRequests(
  context: ScenarioContext,
  peer: Peer,
): Promise<[request: JsonObject, answer: PartyAnswer][]> {
  const { task, message } = await sendAccepted(context, peer, { method: "message/send", payload: messageOf(context) });
  const namedTask = { taskId: task.id as Json };
  const exchanges: [request: JsonObject, answer: PartyAnswer][] = [];
  const askAndStore = async (request: JsonObject): Promise<void> =>
    void exchanges.push([request, await ask(context, peer, request)]);
  await askAndStore(await request(context, peer, "message/send", messageOf(context)));
  await askAndStore(await request(context, peer, "tasks/get", namedTask));
  // An agent that works after its answer could still cancel the task, so wait until the task is at rest.
  if (!["completed", "failed"].includes(stateOf(task)))
    await waitUntilAtRest(context, peer, task).catch((error: unknown) => {
      if (!(error instanceof TargetSkip)) throw error;
    });
  await askAndStore(await request(context, peer, "tasks/cancel", namedTask));
  await askAndStore(await request(context, peer, "tasks/get", { taskId: freshId(context, "none") }));
  await askAndStore(breakSeal(await request(context, peer, "tasks/get", namedTask)));
  return message === undefined ? [] : exchanges;
}

/** Sends requests about unfinished tasks, if the options have texts that open one. */
async function exchangeUnfinished(
  context: ScenarioContext,
  peer: Peer,
): Promise<[request: JsonObject, answer: PartyAnswer][]> {
  const exchanges: [request: JsonObject, answer: PartyAnswer][] = [];
  for (const text of [context.setting.options?.working, context.setting.options?.asking]) {
    if (typeof text !== "string") continue;
    let namedTask: JsonObject | undefined;
    // An agent may refuse only the second of two cancellations.
    for (const method of ["message/send", "tasks/get", "tasks/cancel", "tasks/cancel"]) {
      const message = await request(context, peer, method, namedTask ?? messageOf(context, text));
      const answer = await ask(context, peer, message);
      exchanges.push([message, answer]);
      if (answer.task === undefined) break;
      namedTask ??= { taskId: answer.task.id as Json };
    }
  }
  return exchanges;
}

/** Sends requests with timestamps before and after now, so that no clock of the agent can match both. */
async function judgeTimestamps(context: ScenarioContext, peer: Peer): Promise<void> {
  const timestampPairs: [requested: number, answered: Json | undefined][] = [];
  for (const offset of [-40, 40]) {
    const timestamp = (await nowInSeconds(context)) + offset;
    const { message } = await ask(
      context,
      peer,
      await requestWith(context, peer, { method: "message/send", payload: messageOf(context), more: { timestamp } }),
    );
    timestampPairs.push([timestamp, message?.timestamp]);
  }
  const isEcho = timestampPairs.every(([requested, answered]) => requested === answered);
  context.expect("SNAP-RCPT-003", !isEcho, "answers have the time of their requests instead of their own");
}

async function judgePayload(context: ScenarioContext, request: JsonObject, { message }: PartyAnswer): Promise<void> {
  if (message === undefined) return;
  await judgeInstances(context, "exchange", {
    instance: { request, answers: [message] },
    rules: ["SNAP-RCPT-004"],
    what: `${request.method}: `,
  });
  await judgeInstances(context, "envelope", {
    instance: message,
    rules: ["SNAP-PAY-004"],
    what: `${request.method}: `,
  });
}

const dayInSeconds = 86_400;
const signatureRules = ["SNAP-SIG-001", "SNAP-SIG-002", "SNAP-SIG-004", "SNAP-SIG-005"];

export const answers: readonly Scenario[] = [
  {
    name: "answers-envelope",
    says: "an answer is a whole message from the agent to the requester",
    rules: ["SNAP-RCPT-003"],
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      const ids = new Set<Json>();
      for (const [request, { message, brief: summary }] of await exchangeRequests(context, peer)) {
        if (message === undefined || !("payload" in message)) continue;
        const { id = null, timestamp } = message;
        const isNew = !ids.has(id);
        ids.add(id);
        context.expect(
          "SNAP-RCPT-003",
          isNew,
          `the answer to ${request.method} repeats the id of another: ${summary}`,
          "SHOULD",
        );
        // The agent has accepted the message as recent.
        const isNow = typeof timestamp !== "number" || Math.abs(timestamp - Number(request.timestamp)) < dayInSeconds;
        const time = `the answer to ${request.method} is stamped ${timestamp}, which is not today in seconds`;
        context.expect("SNAP-RCPT-003", isNow, time);
        const formFault = await findEnvelopeFault(context, message);
        const why = `the answer to ${request.method} is not a message: ${formFault}: ${summary}`;
        context.expect("SNAP-RCPT-003", formFault === undefined, why);
        await judgeInstances(context, "exchange", {
          instance: { request, answers: [message] },
          rules: ["SNAP-RCPT-003"],
          what: `${request.method}: `,
        });
      }
      await judgeTimestamps(context, peer);
    },
  },
  {
    name: "answers-payload",
    says: "the payload of an answer has the form of its method",
    rules: ["SNAP-RCPT-004", "SNAP-PAY-004"],
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      const first = await request(context, peer, "message/send", messageOf(context));
      const answer = await ask(context, peer, first);
      await judgePayload(context, first, answer);
      if (answer.task === undefined && answer.code === undefined && answer.message !== undefined) return;
      for (const [request, answer] of [
        ...(await exchangeRequests(context, peer)),
        ...(await exchangeUnfinished(context, peer)),
      ]) {
        await judgePayload(context, request, answer);
      }
    },
  },
  {
    name: "answers-signature",
    says: "answers are signed like every message",
    rules: ["SNAP-SIG-012", ...signatureRules],
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      const exchanges = await exchangeRequests(context, peer);
      const contentExchanges = await contents(context, peer);
      for (const [request, { code, brief: summary }] of contentExchanges)
        context.expect(
          "SNAP-SIG-002",
          code !== 2001,
          `${request.method} is signed correctly, but refused for a wrong signature: ${summary}`,
        );
      for (const [request, { message }] of [...exchanges, ...contentExchanges]) {
        // An answer that is not a message breaks SNAP-HTTP-003.
        if (message === undefined || !("payload" in message)) continue;
        const isSigned = message.sig !== undefined;
        context.expect("SNAP-SIG-012", isSigned, `the answer to ${request.method} is not signed`);
        if (isSigned)
          await judgeInstances(context, "envelope", {
            instance: message,
            rules: signatureRules,
            what: `${request.method}: `,
          });
      }
      const showsSpelling = [...exchanges, ...contentExchanges].some(([, { message }]) =>
        /[<>&]/.test(JSON.stringify(message?.payload ?? null)),
      );
      if (!showsSpelling)
        context.skip(
          "SNAP-SIG-002",
          "no answer repeats characters that serializers write differently (<, >, &), so that nothing shows how they are signed",
        );
    },
  },
  {
    name: "answers-type",
    says: "a request without a stream is not answered with an event",
    rules: ["SNAP-STREAM-003"],
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      // An agent that answers the first request with an event opens no task for the others.
      const first = await ask(context, peer, await request(context, peer, "message/send", messageOf(context)));
      const why = `message/send is answered with an event: ${first.brief}`;
      context.expect("SNAP-STREAM-003", first.message?.type !== "event", why);
      if (first.message?.type === "event") return;
      for (const [request, { message, brief: summary }] of await exchangeRequests(context, peer))
        context.expect(
          "SNAP-STREAM-003",
          message?.type !== "event",
          `${request.method} is answered with an event: ${summary}`,
        );
    },
  },
  {
    name: "answers-method",
    says: "an unknown method is refused with that reason",
    rules: ["SNAP-RCPT-005"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      for (const method of ["touchstone/none", "message/sendd", "tasks/send"]) {
        const answer = await ask(context, peer, await request(context, peer, method, {}));
        const why = `the unknown method ${method} is not answered with code 1007: ${answer.brief}`;
        context.expect("SNAP-RCPT-005", answer.code === 1007, why);
      }
    },
  },
  {
    name: "answers-custom",
    says: "a method of another vendor is served, or unknown",
    rules: ["SNAP-A2S-006"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      if (context.setting.options?.a2s !== true)
        return context.skip("SNAP-A2S-006", "the agent does not support the later profile (option `a2s`)");
      const peer = await peerOf(context);
      const answer = await ask(context, peer, await request(context, peer, "touchstone/do_thing", { count: 2 }));
      const isRight =
        answer.code === undefined ? answer.message !== undefined && !answer.isRefused : answer.code === 1007;
      context.expect(
        "SNAP-A2S-006",
        isRight,
        `a method with a well-formed name is neither served nor answered with 1007: ${answer.brief}`,
      );
    },
  },
  {
    name: "answers-no-recipient",
    says: "a message without a recipient is accepted under the later profile, and still checked otherwise",
    rules: ["SNAP-A2S-003"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      if (context.setting.options?.a2s !== true)
        return context.skip("SNAP-A2S-003", "the agent does not support the later profile (option `a2s`)");
      const peer = await peerOf(context);
      const withoutRecipient = { to: undefined };
      const message = await requestWith(context, peer, {
        method: "message/send",
        payload: messageOf(context),
        more: withoutRecipient,
      });
      const answer = await ask(context, peer, message);
      context.expect(
        "SNAP-A2S-003",
        answer.task !== undefined || answer.code === 1007,
        `a message without a recipient is not accepted: ${answer.brief}`,
      );
      const forged = await ask(
        context,
        peer,
        breakSeal(
          await requestWith(context, peer, {
            method: "message/send",
            payload: messageOf(context),
            more: withoutRecipient,
          }),
        ),
      );
      context.expect(
        "SNAP-A2S-003",
        forged.isRefused,
        `a forged message without a recipient is accepted: ${forged.brief}`,
      );
      const timestamp = Number(message.timestamp) - 180;
      const stale = await ask(
        context,
        peer,
        await requestWith(context, peer, {
          method: "message/send",
          payload: messageOf(context),
          more: { ...withoutRecipient, timestamp },
        }),
      );
      context.expect(
        "SNAP-A2S-003",
        stale.isRefused,
        `a message without a recipient from three minutes ago is accepted: ${stale.brief}`,
      );
    },
  },
];
