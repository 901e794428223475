import type { JsonObject, Scenario, ScenarioContext } from "../../../../../schemas/index.ts";
import { answerRight, rightAgent, sendFrom } from "./asking.ts";
import { answerTo, cardFor, deadEnd, endpointOver, type SeenRequest, stubAgent } from "./stub.ts";

const side = "requester";

async function failureAnswer(
  context: ScenarioContext,
  seenRequest: SeenRequest,
  code: number,
  data?: JsonObject,
): Promise<JsonObject> {
  const error = { code, message: "Not now.", ...(data === undefined ? {} : { data }) };
  return answerTo(context, seenRequest, { payload: { error } });
}

/** Returns the seconds before each further attempt: the protocol's, unless the option `pauses` says otherwise. */
function pausesOf({ setting: { options = {} } }: ScenarioContext): readonly number[] {
  const { pauses } = options;
  const isConfigured = Array.isArray(pauses) && pauses.length === usualPauses.length;
  return isConfigured
    ? usualPauses.map((pause, index) => (typeof pauses[index] === "number" ? pauses[index] : pause))
    : usualPauses;
}

const usualPauses = [1, 2, 4];

export const retries: readonly Scenario[] = [
  {
    name: "retries-order",
    side,
    needs: ["send"],
    withinMs: 120_000,
    says: "endpoints are tried in the order of the card, regardless of their protocol",
    rules: ["SNAP-HTTP-009"],
    async play(context) {
      const dead = await deadEnd(context);
      const live = await rightAgent(context);
      await sendFrom(context, cardFor([{ protocol: "http", url: `http://${dead.place}/snap` }, endpointOver(live)]));
      const [first] = dead.contacts;
      const [second] = live.seen;
      if (first === undefined && second === undefined)
        return context.skip("SNAP-HTTP-009", "the requester does not try any endpoint of the card");
      const isInOrder = first !== undefined && (second === undefined || first.at < second.at);
      context.expect("SNAP-HTTP-009", isInOrder, "the second endpoint of the card is tried before the first");
      const [socketEnd, httpEnd] = [await deadEnd(context), await deadEnd(context)];
      const endpoints = [
        { protocol: "wss", url: `wss://${socketEnd.place}/snap` },
        { protocol: "http", url: `http://${httpEnd.place}/snap` },
      ];
      await sendFrom(context, cardFor(endpoints));
      const [socketContact] = socketEnd.contacts;
      const [httpContact] = httpEnd.contacts;
      // A requester without WebSocket cannot try that endpoint.
      if (socketContact === undefined || httpContact === undefined) return;
      const why = "an endpoint over HTTP is tried before a WebSocket that precedes it in the card";
      context.expect("SNAP-HTTP-009", socketContact.at < httpContact.at, why);
    },
  },
  {
    name: "retries-protocols",
    side,
    needs: ["send"],
    withinMs: 120_000,
    says: "only the protocols named in the card are used",
    rules: ["SNAP-HTTP-009"],
    async play(context) {
      const socketEnd = await deadEnd(context);
      const httpEnd = await deadEnd(context);
      await sendFrom(context, cardFor([{ protocol: "wss", url: `wss://${socketEnd.place}/snap` }]));
      const count = socketEnd.contacts.length;
      const httpContact = socketEnd.contacts.find(({ first }) => first.startsWith("POST"));
      if (count > 0)
        context.expect(
          "SNAP-HTTP-009",
          httpContact === undefined,
          "a message is posted to an endpoint that the card lists only for WebSocket",
        );
      await sendFrom(context, cardFor([{ protocol: "http", url: `http://${httpEnd.place}/snap` }]));
      const nonPost = httpEnd.contacts.find(({ first }) => first !== "" && !first.startsWith("POST"));
      if (httpEnd.contacts.length === 0)
        return context.skip("SNAP-HTTP-009", "the requester does not try the HTTP endpoint of a card");
      context.expect(
        "SNAP-HTTP-009",
        nonPost === undefined,
        `an endpoint that the card lists for HTTP gets no POST, but ${JSON.stringify(nonPost?.first)}`,
      );
    },
  },
  {
    name: "retries-refused",
    side,
    needs: ["send"],
    withinMs: 120_000,
    slow: true,
    says: "a connection that fails is tried three more times, with growing pauses, before the next endpoint and the error 4001",
    rules: ["SNAP-HTTP-010"],
    async play(context) {
      const dead = await deadEnd(context);
      const live = await rightAgent(context);
      const { result, summary } = await sendFrom(
        context,
        cardFor([{ protocol: "http", url: `http://${dead.place}/snap` }, endpointOver(live)]),
      );
      const { contacts } = dead;
      context.expect(
        "SNAP-HTTP-010",
        contacts.length === 4,
        `an endpoint without an answer is tried ${contacts.length} times, instead of once and three more times`,
      );
      for (const [index, seconds] of pausesOf(context).entries()) {
        const [contact, nextContact] = [contacts[index], contacts[index + 1]];
        if (contact === undefined || nextContact === undefined) break;
        const pause = (nextContact.at - contact.at) / 1000;
        context.expect(
          "SNAP-HTTP-010",
          pause > seconds * 0.8,
          `the pause before attempt ${index + 2} is ${pause.toFixed(1)} seconds, not ${seconds}`,
        );
      }
      context.expect(
        "SNAP-HTTP-010",
        result !== undefined && live.seen.length > 0,
        `after an endpoint without an answer the next one is not tried: ${summary}`,
      );
      const deadEndpointReport = await sendFrom(
        context,
        cardFor([{ protocol: "http", url: `http://${dead.place}/snap` }]),
      );
      context.expect(
        "SNAP-HTTP-010",
        deadEndpointReport.error?.code === 4001,
        `without an endpoint that answers, the error is not 4001: ${deadEndpointReport.summary}`,
      );
    },
  },
  {
    name: "retries-codes",
    side,
    needs: ["send"],
    withinMs: 120_000,
    says: "a transient failure leads to another try with a new message, and a permanent one does not",
    rules: ["SNAP-ERR-002", "SNAP-REPLAY-006"],
    async play(context) {
      for (const code of [1003, 1004, 1007, 2001, 2004]) {
        const stub = await stubAgent(context, async (seenRequest) => ({
          body: await failureAnswer(context, seenRequest, code),
        }));
        await sendFrom(context, cardFor([endpointOver(stub)]));
        if (stub.seen.length === 0) continue;
        context.expect(
          "SNAP-ERR-002",
          stub.seen.length === 1,
          `a message refused with code ${code} is sent ${stub.seen.length} times`,
        );
      }
      for (const code of [5001, 5003]) {
        const stub = await stubAgent(context, async (seenRequest, index) =>
          index === 0 ? { body: await failureAnswer(context, seenRequest, code) } : answerRight(context, seenRequest),
        );
        const { result, summary } = await sendFrom(context, cardFor([endpointOver(stub)]));
        if (stub.seen.length === 0) continue;
        context.expect(
          "SNAP-ERR-002",
          result !== undefined && stub.seen.length > 1,
          `a request that failed with code ${code} is not tried again: ${summary}`,
        );
        const [first, second] = stub.seen.map(({ message }) => message?.id);
        const why = `a message that was answered with code ${code} is sent again with the same id, ${first}`;
        context.expect("SNAP-REPLAY-006", second === undefined || first !== second, why);
      }
    },
  },
  {
    name: "retries-waiting",
    side,
    needs: ["send"],
    withinMs: 120_000,
    says: "a requester waits if asked to",
    rules: ["SNAP-HTTP-006", "SNAP-ERR-002"],
    async play(context) {
      const statusStub = await stubAgent(context, (seenRequest, index) =>
        index === 0
          ? { status: 429, headers: { "retry-after": "2" }, body: { error: "too many" } }
          : answerRight(context, seenRequest),
      );
      await sendFrom(context, cardFor([endpointOver(statusStub)]));
      const limitingStub = await stubAgent(context, async (seenRequest, index) =>
        index === 0
          ? { body: await failureAnswer(context, seenRequest, 5002, { retryAfter: 2 }) }
          : answerRight(context, seenRequest),
      );
      await sendFrom(context, cardFor([endpointOver(limitingStub)]));
      for (const [description, { seen: requests }] of [
        ["by status 429", statusStub],
        ["by code 5002", limitingStub],
      ] as const) {
        const [first, second] = requests;
        if (first === undefined || second === undefined) continue;
        const pause = (second.at - first.at) / 1000;
        const why = `a requester that is asked ${description} to wait 2 seconds tries again after ${pause.toFixed(1)}`;
        if (description === "by status 429") context.expect("SNAP-HTTP-006", pause > 1.9, why);
        // The example in the specification pauses for this code as for all others.
        else context.expect("SNAP-ERR-002", pause > 0.5, why);
      }
    },
  },
];
