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
  sendTaken,
  stateOf,
} from "../parties.ts";
import { contents } from "./contents.ts";
import { judgesEnvelope } from "./envelope.ts";

/** Answers to requests of every kind that an agent answers at once, accepted and refused. */
async function exchanges(context: ScenarioContext, peer: Peer): Promise<[request: JsonObject, told: PartyAnswer][]> {
  const { task, message } = await sendTaken(context, peer, { method: "message/send", payload: messageOf(context) });
  const named = { taskId: task.id as Json };
  const made: [request: JsonObject, told: PartyAnswer][] = [];
  const askAndNote = async (asked: JsonObject): Promise<void> =>
    void made.push([asked, await ask(context, peer, asked)]);
  await askAndNote(await request(context, peer, "message/send", messageOf(context)));
  await askAndNote(await request(context, peer, "tasks/get", named));
  // If an agent works after its answer, it has something to cancel for a while.
  if (!["completed", "failed"].includes(stateOf(task)))
    await atRest(context, peer, task).catch((error: unknown) => {
      if (!(error instanceof TargetSkip)) throw error;
    });
  await askAndNote(await request(context, peer, "tasks/cancel", named));
  await askAndNote(await request(context, peer, "tasks/get", { taskId: freshId(context, "none") }));
  await askAndNote(breakSeal(await request(context, peer, "tasks/get", named)));
  return message === undefined ? [] : made;
}

/** Answers about unfinished tasks, if the agent has any. */
async function findUnfinished(
  context: ScenarioContext,
  peer: Peer,
): Promise<[request: JsonObject, told: PartyAnswer][]> {
  const made: [request: JsonObject, told: PartyAnswer][] = [];
  for (const text of [context.setting.options?.working, context.setting.options?.asking]) {
    if (typeof text !== "string") continue;
    let named: JsonObject | undefined;
    // An agent may refuse only the second of two cancellations.
    for (const method of ["message/send", "tasks/get", "tasks/cancel", "tasks/cancel"]) {
      const asked = await request(context, peer, method, named ?? messageOf(context, text));
      const told = await ask(context, peer, asked);
      made.push([asked, told]);
      if (told.task === undefined) break;
      named ??= { taskId: told.task.id as Json };
    }
  }
  return made;
}

/** Sends requests with timestamps before and after now, so that no clock of the agent can match both. */
async function judgeTimestamps(context: ScenarioContext, peer: Peer): Promise<void> {
  const stamps: [asked: number, answered: Json | undefined][] = [];
  for (const offset of [-40, 40]) {
    const timestamp = (await seconds(context)) + offset;
    const { message } = await ask(
      context,
      peer,
      await requestWith(context, peer, { method: "message/send", payload: messageOf(context), more: { timestamp } }),
    );
    stamps.push([timestamp, message?.timestamp]);
  }
  const isEcho = stamps.every(([asked, answered]) => asked === answered);
  context.expect("SNAP-RCPT-003", !isEcho, "answers have the time of their requests instead of their own");
}

async function judgedPayload(context: ScenarioContext, asked: JsonObject, { message }: PartyAnswer): Promise<void> {
  if (message === undefined) return;
  await judgeInstances(context, "exchange", {
    instance: { request: asked, answers: [message] },
    rules: ["SNAP-RCPT-004"],
    what: `${asked.method}: `,
  });
  await judgeInstances(context, "envelope", { instance: message, rules: ["SNAP-PAY-004"], what: `${asked.method}: ` });
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
      for (const [asked, { message, brief }] of await exchanges(context, peer)) {
        if (message === undefined || !("payload" in message)) continue;
        const { id = null, timestamp } = message;
        const isNew = !ids.has(id);
        ids.add(id);
        context.expect(
          "SNAP-RCPT-003",
          isNew,
          `the answer to ${asked.method} repeats the id of another: ${brief}`,
          "SHOULD",
        );
        // The agent has accepted the message as recent.
        const isNow = typeof timestamp !== "number" || Math.abs(timestamp - Number(asked.timestamp)) < dayInSeconds;
        const time = `the answer to ${asked.method} is stamped ${timestamp}, which is not today in seconds`;
        context.expect("SNAP-RCPT-003", isNow, time);
        const form = await judgesEnvelope(context, message);
        const why = `the answer to ${asked.method} is not a message: ${form}: ${brief}`;
        context.expect("SNAP-RCPT-003", form === undefined, why);
        await judgeInstances(context, "exchange", {
          instance: { request: asked, answers: [message] },
          rules: ["SNAP-RCPT-003"],
          what: `${asked.method}: `,
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
      const told = await ask(context, peer, first);
      await judgedPayload(context, first, told);
      if (told.task === undefined && told.code === undefined && told.message !== undefined) return;
      for (const [asked, answer] of [...(await exchanges(context, peer)), ...(await findUnfinished(context, peer))]) {
        await judgedPayload(context, asked, answer);
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
      const made = await exchanges(context, peer);
      const more = await contents(context, peer);
      for (const [asked, { code, brief }] of more)
        context.expect(
          "SNAP-SIG-002",
          code !== 2001,
          `${asked.method} is signed rightly, and refused with a wrong signature: ${brief}`,
        );
      for (const [asked, { message }] of [...made, ...more]) {
        // An answer that is not a message breaks SNAP-HTTP-003.
        if (message === undefined || !("payload" in message)) continue;
        const isSigned = message.sig !== undefined;
        context.expect("SNAP-SIG-012", isSigned, `the answer to ${asked.method} is not signed`);
        if (isSigned)
          await judgeInstances(context, "envelope", {
            instance: message,
            rules: signatures,
            what: `${asked.method}: `,
          });
      }
      const isTelling = [...made, ...more].some(([, { message }]) =>
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
      for (const [asked, { message, brief }] of await exchanges(context, peer))
        context.expect(
          "SNAP-STREAM-003",
          message?.type !== "event",
          `${asked.method} is answered with an event: ${brief}`,
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
        const told = await ask(context, peer, await request(context, peer, method, {}));
        const why = `the unknown method ${method} is not answered with code 1007: ${told.brief}`;
        context.expect("SNAP-RCPT-005", told.code === 1007, why);
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
      const told = await ask(context, peer, await request(context, peer, "touchstone/do_thing", { count: 2 }));
      const isRight = told.code === undefined ? told.message !== undefined && !told.isRefused : told.code === 1007;
      context.expect(
        "SNAP-A2S-006",
        isRight,
        `a method with a well-formed name is neither served nor answered with 1007: ${told.brief}`,
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
      const told = await ask(context, peer, message);
      context.expect(
        "SNAP-A2S-003",
        told.task !== undefined || told.code === 1007,
        `a message without a recipient is not accepted: ${told.brief}`,
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
