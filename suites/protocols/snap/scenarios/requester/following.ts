import { isObject, type JsonObject, type Scenario, type ScenarioContext } from "../../../../../schemas/index.ts";
import { breakSeal, messageOf } from "../parties.ts";
import { askRequester, type RequestOutcome } from "./asking.ts";
import {
  answerTo,
  cardFor,
  doneTask,
  endpointOver,
  type SeenRequest,
  type Stub,
  type StubReply,
  stubAgent,
} from "./stub.ts";

const side = "requester";

function requestStream(context: ScenarioContext, stub: Stub): Promise<RequestOutcome> {
  return askRequester(context, "stream", "messages", {
    card: cardFor([endpointOver(stub)]),
    payload: messageOf(context),
  });
}

function messagesIn({ result }: RequestOutcome): JsonObject[] {
  return Array.isArray(result?.messages) ? result.messages.filter(isObject) : [];
}

function frame(message: JsonObject): string {
  return `data: ${JSON.stringify(message)}\n\n`;
}

async function progressEvent(
  context: ScenarioContext,
  seenRequest: SeenRequest,
  progress: number,
  members?: JsonObject,
): Promise<JsonObject> {
  return answerTo(context, seenRequest, {
    payload: { taskId: "task-1", progress, ...members },
    more: { type: "event" },
  });
}

/** Cuts a frame into pieces, each within a character of four bytes. Even if several pieces arrive as one, a cut remains. */
export function cutMessage(message: JsonObject): Uint8Array[] {
  const bytes = Buffer.from(frame(message));
  // The first byte of such a character in UTF-8.
  const firstByte = 0xf0;
  const cuts = [...bytes.keys()].filter((index) => bytes[index] === firstByte).map((index) => index + 2);
  return [0, ...cuts].map((start, index) => bytes.subarray(start, cuts[index]));
}

/** Makes a whole stream: two events and a response, each written by `write`. */
async function streamOf(
  context: ScenarioContext,
  seenRequest: SeenRequest,
  write: (message: JsonObject) => string | readonly Uint8Array[],
  members?: JsonObject,
): Promise<StubReply> {
  const streamMessages = [
    await progressEvent(context, seenRequest, 0.2, members),
    await progressEvent(context, seenRequest, 0.7),
    await answerTo(context, seenRequest, { payload: await doneTask(context) }),
  ];
  return { stream: streamMessages.flatMap<string | Uint8Array>(write) };
}

/** Whether the reported messages end with the response. A requester need not report the events. */
function endsWithResponse(outcome: RequestOutcome): boolean {
  return messagesIn(outcome).at(-1)?.type === "response";
}

/** The progress that the forged event reports. */
const forgedProgress = 0.3;

export const followingScenarios: readonly Scenario[] = [
  {
    name: "following-stream",
    side,
    needs: ["stream"],
    withinMs: 60_000,
    says: "a stream is requested as one, and read to its response, however its server-sent events are written",
    rules: ["SNAP-STREAM-004"],
    async play(context) {
      const stub = await stubAgent(context, (seenRequest) => streamOf(context, seenRequest, frame));
      const outcome = await requestStream(context, stub);
      const accept = stub.seen[0]?.headers.accept ?? "";
      context.expect(
        "SNAP-STREAM-004",
        /\btext\/event-stream\b/.test(accept),
        `a stream is requested with Accept: ${accept || "(none)"}`,
      );
      context.expect(
        "SNAP-STREAM-004",
        endsWithResponse(outcome),
        `a stream of two events and a response is not read: ${outcome.summary}`,
      );
      const spellings: [description: string, write: (message: JsonObject) => string][] = [
        ["without a space after the colon", (message) => `data:${JSON.stringify(message)}\n\n`],
        ["with carriage returns", (message) => `data: ${JSON.stringify(message)}\r\n\r\n`],
        ["with comments between", (message) => `: still here\n\n${frame(message)}`],
        ["with other fields", (message) => `id: 7\nevent: message\n${frame(message)}`],
      ];
      for (const [description, write] of spellings) {
        const stub = await stubAgent(context, (seenRequest) => streamOf(context, seenRequest, write));
        const outcomeOfSpelling = await requestStream(context, stub);
        context.expect(
          "SNAP-STREAM-004",
          endsWithResponse(outcomeOfSpelling),
          `server-sent events ${description} are not read: ${outcomeOfSpelling.summary}`,
          "SHOULD",
        );
      }
      const cases: [description: string, message: string, write: typeof frame | typeof cutMessage][] = [
        ["with U+2028 and U+0085 in a text, which do not end a line of a stream,", "one\u2028two\u0085three", frame],
        ["that arrive in pieces which end within a character", "\u{1f309}".repeat(8), cutMessage],
      ];
      for (const [description, message, write] of cases) {
        const stub = await stubAgent(context, (seenRequest) => streamOf(context, seenRequest, write, { message }));
        const outcomeOfText = await requestStream(context, stub);
        context.expect(
          "SNAP-STREAM-004",
          endsWithResponse(outcomeOfText),
          `server-sent events ${description} are not read: ${outcomeOfText.summary}`,
        );
      }
    },
  },
  {
    name: "following-forged",
    side,
    needs: ["stream"],
    withinMs: 60_000,
    says: "a forged response at the end of a stream is not accepted, nor is a forged event in it",
    rules: ["SNAP-SIG-010"],
    async play(context) {
      const validStub = await stubAgent(context, (seenRequest) => streamOf(context, seenRequest, frame));
      const first = await requestStream(context, validStub);
      if (!endsWithResponse(first))
        return context.skip("SNAP-SIG-010", `a valid stream is not accepted: ${first.summary}`);
      const stub = await stubAgent(context, async (seenRequest) => ({
        stream: [
          frame(await progressEvent(context, seenRequest, 0.2)),
          frame(breakSeal(await answerTo(context, seenRequest, { payload: await doneTask(context) }))),
        ],
      }));
      const outcome = await requestStream(context, stub);
      const hasResponse = messagesIn(outcome).some(({ type }) => type === "response");
      context.expect("SNAP-SIG-010", !hasResponse, `a stream with a forged response is accepted: ${outcome.summary}`);
      const forgingStub = await stubAgent(context, async (seenRequest) => ({
        stream: [
          frame(breakSeal(await progressEvent(context, seenRequest, forgedProgress))),
          frame(await answerTo(context, seenRequest, { payload: await doneTask(context) })),
        ],
      }));
      const outcomeOfForgery = await requestStream(context, forgingStub);
      const isForgeryReported = messagesIn(outcomeOfForgery).some(
        ({ payload }) => isObject(payload) && payload.progress === forgedProgress,
      );
      // Events need no signature, but an event with a signature must be verified.
      context.expect(
        "SNAP-SIG-010",
        !isForgeryReported,
        `an event with a wrong signature is accepted: ${outcomeOfForgery.summary}`,
        "SHOULD",
      );
    },
  },
  {
    name: "following-plain",
    side,
    needs: ["stream"],
    withinMs: 60_000,
    says: "a single answer to a request for a stream is accepted",
    rules: ["SNAP-STREAM-005"],
    async play(context) {
      const stub = await stubAgent(context, async (seenRequest) => ({
        body: await answerTo(context, seenRequest, { payload: await doneTask(context) }),
      }));
      const outcome = await requestStream(context, stub);
      const hasResponse = messagesIn(outcome).at(-1)?.type === "response";
      context.expect(
        "SNAP-STREAM-005",
        hasResponse,
        `one JSON response to a request for a stream is not accepted: ${outcome.summary}`,
      );
    },
  },
  {
    name: "following-cut",
    side,
    needs: ["stream"],
    withinMs: 90_000,
    says: "after a stream has broken, its task is requested and followed",
    rules: ["SNAP-STREAM-007"],
    async play(context) {
      const stub = await stubAgent(context, async (seenRequest): Promise<StubReply> => {
        const method = seenRequest.message?.method;
        if (method === "message/stream")
          return { stream: [frame(await progressEvent(context, seenRequest, 0.2))], breaks: true };
        if (method === "tasks/get")
          return { body: await answerTo(context, seenRequest, { payload: await doneTask(context, "working") }) };
        return {
          stream: [
            frame(await progressEvent(context, seenRequest, 0.7)),
            frame(await answerTo(context, seenRequest, { payload: await doneTask(context) })),
          ],
        };
      });
      const outcome = await requestStream(context, stub);
      const methods = stub.seen.map(({ message }) => String(message?.method));
      const why = `after a stream broke, the requester sends ${methods.slice(1).join(", ") || "nothing"}, and not tasks/get and tasks/resubscribe`;
      const isResumed =
        methods.indexOf("tasks/get") > 0 && methods.indexOf("tasks/resubscribe") > methods.indexOf("tasks/get");
      context.expect("SNAP-STREAM-007", isResumed, why);
      if (isResumed)
        context.expect(
          "SNAP-STREAM-007",
          messagesIn(outcome).at(-1)?.type === "response",
          `a stream after a cut is not read to its end: ${outcome.summary}`,
        );
    },
  },
];
