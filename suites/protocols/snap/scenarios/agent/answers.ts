import {
  type Json,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import {
  ask,
  atRest,
  breakSeal,
  freshId,
  judgeInstances,
  messageOf,
  type PartyAnswer,
  type Peer,
  peerOf,
  request,
  requestWith,
  seconds,
  sendAccepted,
  stateOf,
} from "../parties.ts";
import { contents } from "./contents.ts";
import { findEnvelopeFault } from "./envelope.ts";

/** Answers to requests of every kind that an agent answers at once, accepted and refused. */
async function exchanges(context: ScenarioContext, peer: Peer): Promise<[request: JsonObject, answer: PartyAnswer][]> {
  const { task, message } = await sendAccepted(context, peer, { method: "message/send", payload: messageOf(context) });
  const namedTask = { taskId: task.id as Json };
  const exchangesMade: [request: JsonObject, answer: PartyAnswer][] = [];
  const askAndNote = async (request: JsonObject): Promise<void> =>
    void exchangesMade.push([request, await ask(context, peer, request)]);
  await askAndNote(await request(context, peer, "message/send", messageOf(context)));
  await askAndNote(await request(context, peer, "tasks/get", namedTask));
  // If an agent works after its answer, it has something to cancel for a while.
  if (!["completed", "failed"].includes(stateOf(task)))
    await atRest(context, peer, task).catch((error: unknown) => {
      if (!(error instanceof TargetSkip)) throw error;
    });
  await askAndNote(await request(context, peer, "tasks/cancel", namedTask));
  await askAndNote(await request(context, peer, "tasks/get", { taskId: freshId(context, "none") }));
  await askAndNote(breakSeal(await request(context, peer, "tasks/get", namedTask)));
  return message === undefined ? [] : exchangesMade;
}

/** Answers about unfinished tasks, if the agent has any. */
async function findUnfinished(
  context: ScenarioContext,
  peer: Peer,
): Promise<[request: JsonObject, answer: PartyAnswer][]> {
  const exchangesMade: [request: JsonObject, answer: PartyAnswer][] = [];
  for (const text of [context.setting.options?.working, context.setting.options?.asking]) {
    if (typeof text !== "string") continue;
    let namedTask: JsonObject | undefined;
    // An agent may refuse only the second of two cancellations.
    for (const method of ["message/send", "tasks/get", "tasks/cancel", "tasks/cancel"]) {
      const message = await request(context, peer, method, namedTask ?? messageOf(context, text));
      const answer = await ask(context, peer, message);
      exchangesMade.push([message, answer]);
      if (answer.task === undefined) break;
      namedTask ??= { taskId: answer.task.id as Json };
    }
  }
  return exchangesMade;
}

/** Sends requests with timestamps before and after now, so that no clock of the agent can match both. */
async function judgeTimestamps(context: ScenarioContext, peer: Peer): Promise<void> {
  const stamps: [request: number, answeredStamp: Json | undefined][] = [];
  for (const offset of [-40, 40]) {
    const timestamp = (await seconds(context)) + offset;
    const { message } = await ask(
      context,
      peer,
      await requestWith(context, peer, { method: "message/send", payload: messageOf(context), more: { timestamp } }),
    );
    stamps.push([timestamp, message?.timestamp]);
  }
  const isEcho = stamps.every(([request, answeredStamp]) => request === answeredStamp);
  context.expect("SNAP-RCPT-003", !isEcho, "answers have the time of their requests instead of their own");
}

async function judgedPayload(context: ScenarioContext, request: JsonObject, { message }: PartyAnswer): Promise<void> {
  if (message === undefined) return;
  await judgeInstances(context, "exchange", {
    instance: { request: request, answers: [message] },
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
const signatures = ["SNAP-SIG-001", "SNAP-SIG-002", "SNAP-SIG-004", "SNAP-SIG-005"];

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
      for (const [request, { message, brief: summary }] of await exchanges(context, peer)) {
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
        const form = await findEnvelopeFault(context, message);
        const why = `the answer to ${request.method} is not a message: ${form}: ${summary}`;
        context.expect("SNAP-RCPT-003", form === undefined, why);
        await judgeInstances(context, "exchange", {
          instance: { request: request, answers: [message] },
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
      await judgedPayload(context, first, answer);
      if (answer.task === undefined && answer.code === undefined && answer.message !== undefined) return;
      for (const [request, answer] of [...(await exchanges(context, peer)), ...(await findUnfinished(context, peer))]) {
        await judgedPayload(context, request, answer);
      }
    },
  },
  {
    name: "answers-signature",
    says: "answers are signed like every message",
    rules: ["SNAP-SIG-012", ...signatures],
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      const exchangesMade = await exchanges(context, peer);
      const contentExchanges = await contents(context, peer);
      for (const [request, { code, brief: summary }] of contentExchanges)
        context.expect(
          "SNAP-SIG-002",
          code !== 2001,
          `${request.method} is signed rightly, and refused with a wrong signature: ${summary}`,
        );
      for (const [request, { message }] of [...exchangesMade, ...contentExchanges]) {
        // An answer that is not a message breaks SNAP-HTTP-003.
        if (message === undefined || !("payload" in message)) continue;
        const isSigned = message.sig !== undefined;
        context.expect("SNAP-SIG-012", isSigned, `the answer to ${request.method} is not signed`);
        if (isSigned)
          await judgeInstances(context, "envelope", {
            instance: message,
            rules: signatures,
            what: `${request.method}: `,
          });
      }
      const isTelling = [...exchangesMade, ...contentExchanges].some(([, { message }]) =>
        /[<>&]/.test(JSON.stringify(message?.payload ?? null)),
      );
      if (!isTelling)
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
      for (const [request, { message, brief: summary }] of await exchanges(context, peer))
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
      const open = { to: undefined };
      const message = await requestWith(context, peer, {
        method: "message/send",
        payload: messageOf(context),
        more: open,
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
          await requestWith(context, peer, { method: "message/send", payload: messageOf(context), more: open }),
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
          more: { ...open, timestamp },
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
