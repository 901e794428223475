import { isObject, type JsonObject, type Scenario, type ScenarioContext } from "../../../../../schemas/index.ts";
import { keyC } from "../../rules/keys.ts";
import {
  ask,
  breakSeal,
  contentOf,
  messageOf,
  nowInSeconds,
  type PartyAnswer,
  type Peer,
  peerOf,
  request,
  requestWith,
  requireTask,
  summaryOf,
} from "../parties.ts";
import { isStream, openWithin } from "./stream.ts";

/** Returns the statuses for an error code in one document of the specification. Another document requires 200 for all codes. */
function mappedStatuses(code: number): number[] {
  if (code === 5002) return [429];
  if (code === 5001) return [500];
  if (code === 5003) return [503];
  return [[], [400], [401], [404], [502], [500, 503, 400]][Math.floor(code / 1000)] ?? [];
}

/** The answer to this message may also be the task of the first message. */
const repeatedText = "a repeated message";

/** Sends a message for each kind of error. */
async function provokeErrors(
  context: ScenarioContext,
  peer: Peer,
): Promise<[description: string, answer: PartyAnswer][]> {
  const earlierSeconds = (await nowInSeconds(context)) - 180;
  const otherPeer = { ...peer, identity: keyC.address[peer.network] };
  const repeatedMessage = await request(context, peer, "message/send", messageOf(context));
  await ask(context, peer, repeatedMessage);
  const messages: [description: string, message: JsonObject][] = [
    ["a forged message", breakSeal(await request(context, peer, "message/send", messageOf(context)))],
    [
      "a message from three minutes ago",
      await requestWith(context, peer, {
        method: "message/send",
        payload: messageOf(context),
        more: { timestamp: earlierSeconds },
      }),
    ],
    ["an unknown method", await request(context, peer, "touchstone/none", {})],
    ["an unknown task", await request(context, peer, "tasks/get", { taskId: "touchstone-none" })],
    ["a message for another agent", await request(context, otherPeer, "message/send", messageOf(context))],
    [
      "a message in version 9.9",
      await requestWith(context, peer, {
        method: "message/send",
        payload: messageOf(context),
        more: { version: "9.9" },
      }),
    ],
    ["an empty payload", await request(context, peer, "message/send", {})],
    [repeatedText, repeatedMessage],
  ];
  const answers: [description: string, answer: PartyAnswer][] = [];
  for (const [description, message] of messages) answers.push([description, await ask(context, peer, message)]);
  return answers;
}

/** The number of requests in quick succession, more than a polite client would send. */
const floodSize = 120;

export const http: readonly Scenario[] = [
  {
    name: "http-media-type",
    says: "a message is the JSON body of a POST, and so is its answer",
    rules: ["SNAP-HTTP-001"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      const jsonType = "application/json";
      for (const type of [jsonType, `${jsonType}; charset=utf-8`]) {
        const answer = await ask(context, peer, await request(context, peer, "message/send", messageOf(context)), {
          "content-type": type,
        });
        const isAnswered = answer.message !== undefined && "payload" in answer.message;
        // A message as plain JSON cannot be refused for its type, so throw with the actual reason.
        if (type === jsonType && isAnswered && answer.error !== undefined) requireTask(answer, "message/send");
        const isAccepted = isAnswered && answer.error === undefined;
        context.expect("SNAP-HTTP-001", isAccepted, `a message as ${type} is not accepted: ${answer.brief}`);
        const contentType = answer.reply?.headers["content-type"] ?? "";
        if (answer.message !== undefined)
          context.expect(
            "SNAP-HTTP-001",
            /^application\/json\s*(;|$)/i.test(contentType),
            `an answer has the type "${contentType}"`,
          );
      }
    },
  },
  {
    name: "http-version",
    says: "an answer names the version in a header",
    rules: ["SNAP-HTTP-002"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      const acceptedAnswer = await ask(context, peer, await request(context, peer, "message/send", messageOf(context)));
      const refusedAnswer = await ask(
        context,
        peer,
        breakSeal(await request(context, peer, "message/send", messageOf(context))),
      );
      for (const { reply } of [acceptedAnswer, refusedAnswer]) {
        const version = reply?.headers["snap-version"];
        const why =
          version === undefined
            ? "an answer has no header SNAP-Version"
            : `an answer has the header SNAP-Version: ${version}`;
        context.expect("SNAP-HTTP-002", version === "0.1", why);
      }
      const stream = await openWithin(
        context,
        peer,
        await request(context, peer, "message/stream", messageOf(context)),
      );
      if (typeof stream === "string") return;
      stream.cut();
      if (!isStream(stream)) return;
      const version = stream.headers["snap-version"];
      const why = `a stream has ${version === undefined ? "no header SNAP-Version" : `the header SNAP-Version: ${version}`}`;
      // The specification requires the header for answers, but has no example of a stream.
      context.expect("SNAP-HTTP-002", version === "0.1", why, version === undefined ? "SHOULD" : "MUST");
    },
  },
  {
    name: "http-errors",
    says: "an error is sent with status 200 in a message",
    rules: ["SNAP-HTTP-003", "SNAP-HTTP-007"],
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      for (const [description, { reply, message, task, code, brief: summary }] of await provokeErrors(context, peer)) {
        if (task !== undefined) {
          if (description !== repeatedText) context.skip("SNAP-HTTP-003", `${description} is not refused`);
          continue;
        }
        const status = reply?.status ?? 0;
        // SNAP-RCPT-003 judges other faults of the message.
        const isMessage = message !== undefined && "payload" in message && code !== undefined;
        const isMapped = isMessage && mappedStatuses(code).includes(status);
        if (status === 401 || status === 403) {
          const why = `${description} is answered with status ${status}: ${summary}`;
          context.expect("SNAP-HTTP-007", false, why, isMapped ? "SHOULD" : "MUST");
          continue;
        }
        context.expect("SNAP-HTTP-007", true, "");
        const why = `${description} is not answered with status 200 and an error in a message: ${summary}`;
        context.expect("SNAP-HTTP-003", status === 200 && isMessage, why, isMapped ? "SHOULD" : "MUST");
      }
    },
  },
  {
    name: "http-unreadable",
    says: "a body that is not JSON is answered with status 400",
    rules: ["SNAP-HTTP-004"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      for (const body of ["{", "snap", '{"id": "a"', "[1, 2"]) {
        const { reply } = await ask(context, peer, body);
        const why = `the body ${JSON.stringify(body)} is not answered with status 400: ${reply === undefined ? "" : summaryOf(reply)}`;
        context.expect("SNAP-HTTP-004", reply?.status === 400, why);
      }
    },
  },
  {
    name: "http-offered",
    says: "an agent is reached over HTTP, and over TLS in production",
    rules: ["SNAP-HTTP-011"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const { card } = await peerOf(context);
      if (card === undefined) return context.skip("SNAP-HTTP-011", "the agent serves no card");
      const endpoints = (Array.isArray(card.endpoints) ? card.endpoints : []).filter(isObject);
      const httpEndpoints = endpoints.filter(({ protocol }) => protocol === "http");
      context.expect("SNAP-HTTP-011", httpEndpoints.length > 0, "the card names no endpoint over HTTP");
      if (context.setting.profile !== "production") return;
      const plainEndpoint = httpEndpoints.find(({ url }) => !/^https:/i.test(String(url)));
      context.expect(
        "SNAP-HTTP-011",
        plainEndpoint === undefined,
        `in production the card names ${plainEndpoint?.url}, which lacks TLS`,
      );
    },
  },
];

/** Played last, because a flood may affect every later request. */
export const floods: readonly Scenario[] = [
  {
    name: "http-flood",
    says: "an agent that limits the rate reports the limit and the time to wait",
    rules: ["SNAP-HTTP-006"],
    needs: ["url"],
    withinMs: 60_000,
    slow: true,
    async play(context) {
      const peer = await peerOf(context);
      const unknownTask = { taskId: "touchstone-none" };
      // Earlier scenarios may have used up a limit that the agent reports in another way.
      if (context.has("clock")) await context.pass(61_000);
      const usualAnswer = await ask(context, peer, await request(context, peer, "tasks/get", unknownTask));
      for (let count = 0; count < floodSize; count++) {
        const body = JSON.stringify(await request(context, peer, "tasks/get", unknownTask));
        const headers = { "content-type": "application/json", "snap-version": "0.1" };
        const reply = await context.send({ method: "POST", path: peer.path, body, headers, isHurried: true });
        const content = contentOf(reply.json);
        const isLimit = reply.status === 429 || content.code === 5002;
        if (reply.status === usualAnswer.reply?.status && content.code === usualAnswer.code) continue;
        // A server that fails, or is temporarily unavailable, does not limit the rate.
        if (!isLimit && (reply.status >= 500 || (content.code ?? 0) >= 5000)) continue;
        const why = `after ${count} rapid requests the agent answers neither 429 nor 5002: ${summaryOf(reply)}`;
        context.expect("SNAP-HTTP-006", isLimit, why);
        const data = isObject(content.error?.data) ? content.error.data : {};
        const wait = reply.headers["retry-after"] ?? data.retryAfter;
        const whyNoWait = `a refusal for the rate does not name the time to wait: ${summaryOf(reply)}`;
        if (isLimit) context.expect("SNAP-HTTP-006", wait !== undefined, whyNoWait, "SHOULD");
        if (context.has("clock")) await context.pass(61_000);
        return;
      }
      const isKnownError = usualAnswer.code === 1001 || usualAnswer.code === 1007;
      const whyAlike = `the agent answers the first of ${floodSize} requests like all others: ${usualAnswer.brief}`;
      context.skip("SNAP-HTTP-006", isKnownError ? `the agent accepts ${floodSize} requests at once` : whyAlike);
    },
  },
];
