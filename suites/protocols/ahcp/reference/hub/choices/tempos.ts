import type { ServeHandler } from "../../../../../packs/reference/serve.ts";
import { type HubChoice, serveAround } from "./choice.ts";

/** Answers 503 to about one request in four, never to two in a row. Each run refuses the same requests. */
function refuseSome(handler: ServeHandler, retryAfter: () => string): ServeHandler {
  let randomState = 1;
  let isRefused = false;
  return serveAround(handler, async (request) => {
    // The "minimal standard" random numbers (Lehmer), which need no seed from outside.
    randomState = (randomState * 48271) % 2147483647;
    isRefused = !isRefused && randomState % 3 === 0;
    if (!isRefused) return handler(request);
    // Read the body, so that the connection does not treat it as the next request.
    await request.arrayBuffer();
    const headers = { "content-type": "text/plain", "retry-after": retryAfter() };
    return new Response("The server is busy.\n", { status: 503, headers });
  });
}

const waitFor = (milliseconds: number): Promise<void> =>
  new Promise((resolve) => void setTimeout(resolve, milliseconds).unref());

/** Cuts each chunk into pieces of `length` bytes. After forty pieces, the rest of the chunk is one piece. */
function cutIntoPieces(length: number): TransformStream<Uint8Array, Uint8Array> {
  return new TransformStream({
    async transform(chunk, controller) {
      const end = Math.min(chunk.length, 40 * length);
      for (let offset = 0; offset < end; offset += length) {
        controller.enqueue(chunk.subarray(offset, Math.min(offset + length, end)));
        await new Promise((resolve) => setImmediate(resolve));
      }
      if (end < chunk.length) controller.enqueue(chunk.subarray(end));
    },
  });
}

/** Delays the start of a push, by the hub's own clock or in real time. */
function waitAtStart(milliseconds: number, isReal: boolean): NonNullable<HubChoice["policy"]> {
  return () => ({ firstPushDelay: milliseconds, isFirstDelayReal: isReal });
}

/** Choices about the timing of pushes and answers, and about connections. */
export const tempos: readonly HubChoice[] = [
  {
    name: "busy",
    kind: "tempo",
    factor: "busy",
    freedoms: ["busy"],
    says: "answers some requests with 503 and Retry-After, and accepts them when repeated",
    around: (handler) => refuseSome(handler, () => "0"),
  },
  {
    name: "busy-until-a-date",
    kind: "tempo",
    factor: "busy",
    freedoms: ["busy", "retry-after"],
    says: "answers some requests with 503 and the current date as Retry-After",
    around: (handler) => refuseSome(handler, () => new Date().toUTCString()),
  },
  {
    name: "slow-answers",
    kind: "tempo",
    freedoms: [],
    says: "delays each answer by 20 ms",
    around: (handler) =>
      serveAround(handler, async (request) => {
        await waitFor(20);
        return handler(request);
      }),
  },
  {
    name: "pushes-a-little-later",
    kind: "tempo",
    factor: "start-of-pushes",
    freedoms: ["start-of-pushes"],
    says: "begins to push 300 ms after an outcome, in real time",
    policy: waitAtStart(300, true),
  },
  {
    name: "pushes-a-second-later",
    kind: "tempo",
    factor: "start-of-pushes",
    freedoms: ["start-of-pushes"],
    says: "begins to push a second after an outcome, by its clock",
    policy: waitAtStart(1000, false),
  },
  {
    name: "pushes-12-s-later",
    kind: "tempo",
    factor: "start-of-pushes",
    freedoms: ["start-of-pushes"],
    says: "begins to push 12 s after an outcome, by its clock",
    policy: waitAtStart(12_000, false),
  },
  {
    name: "pushes-70-s-later",
    kind: "tempo",
    factor: "start-of-pushes",
    freedoms: ["start-of-pushes"],
    says: "begins to push 70 s after an outcome, by its clock",
    policy: waitAtStart(70_000, false),
  },
  {
    name: "answers-in-pieces",
    kind: "transport",
    freedoms: [],
    says: "sends its answers a few bytes at a time",
    around: (handler) =>
      serveAround(handler, async (request) => {
        const answer = await handler(request);
        const { body, status, headers } = answer;
        if (body === null) return answer;
        headers.delete("content-length");
        return new Response(body.pipeThrough(cutIntoPieces(9)), { status, headers });
      }),
  },
  {
    name: "names-the-charset",
    kind: "transport",
    freedoms: [],
    says: "labels JSON with its charset, in upper case",
    around: (handler) =>
      serveAround(handler, async (request) => {
        const answer = await handler(request);
        if (/json/.test(answer.headers.get("content-type") ?? ""))
          answer.headers.set("content-type", "Application/JSON; Charset=UTF-8");
        return answer;
      }),
  },
  {
    name: "closes-idle-connections",
    kind: "transport",
    freedoms: ["idle-connections"],
    says: "closes connections that were idle for 50 ms without announcing it",
    idleMs: 50,
  },
];
