import {
  type Json,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
} from "../../../../../schemas/index.ts";
import { openStream } from "../../../../running/scenarios/way/event-stream.ts";
import { boundOf } from "../bounds.ts";
import { drawFor } from "../draw.ts";
import {
  ask,
  contentOf,
  freshId,
  messageOf,
  type PartyAnswer,
  type Peer,
  peerOf,
  request,
  throwIfHeldUp,
} from "../parties.ts";
import { messageIn } from "./connect.ts";

/** The levels that surround the nested data: payload, message, parts, part and data. */
const surroundingLevels = 5;

/** Makes data for a payload with this many levels, from nested objects, nested lists, or both in turn. */
function dataOf(levels: number, kind: "objects" | "lists" | "both"): JsonObject {
  let inner: Json = "deep";
  for (let level = levels - surroundingLevels; level > 0; level--)
    inner = kind === "lists" || (kind === "both" && level % 2 === 0) ? [inner] : { level: inner };
  return { deep: inner };
}

export const limits: readonly Scenario[] = [
  {
    name: "http-sizes",
    says: "a message of more than ten megabytes is refused, and one of half a megabyte is not",
    rules: ["SNAP-HTTP-008", "SNAP-PAY-018"],
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      const messageOfLength = (length: number): Promise<JsonObject> =>
        request(context, peer, "message/send", messageOf(context, "a".repeat(length)));
      // An answer may repeat the text twice, which is still within a megabyte.
      let answer = await sendLongMessage(context, peer, await messageOfLength(500_000));
      // The connection may have been closed because it was idle, and not because of the request.
      for (let attempts = 1; attempts < 3 && answer.status === undefined; attempts++)
        answer = await sendLongMessage(context, peer, await messageOfLength(500_000));
      const isRight =
        answer.code === undefined || answer.code === 1005
          ? answer.status !== undefined && answer.status !== 413
          : ![1003, 1004].includes(answer.code);
      context.expect("SNAP-HTTP-008", isRight, `a message of half a megabyte is refused: ${answer.brief}`);
      const longer = await sendLongMessage(context, peer, await messageOfLength(2 * 1024 * 1024));
      context.expect("SNAP-PAY-018", longer.isRefused, `a payload of two megabytes is accepted: ${longer.brief}`);
      // An extension member makes a message long without affecting its payload.
      const small = await request(context, peer, "message/send", messageOf(context));
      const largest = await sendLongMessage(context, peer, { ...small, "x-padding": "a".repeat(11 * 1024 * 1024) });
      context.expect("SNAP-HTTP-008", largest.isRefused, `a message of eleven megabytes is accepted: ${largest.brief}`);
    },
  },
  {
    name: "checks-depth",
    says: "a payload with twenty levels is refused, and one with eight is not",
    rules: ["SNAP-PAY-018"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      const draw = drawFor(context);
      const sendNested = async (levels: number, kind: "objects" | "lists" | "both"): Promise<PartyAnswer> => {
        const parts = [{ data: dataOf(levels, kind) }];
        const message = { messageId: freshId(context, "turn"), role: "user", parts };
        return ask(context, peer, await request(context, peer, "message/send", { message }));
      };
      const shallow = await sendNested(surroundingLevels, "objects");
      if (shallow.isRefused)
        return context.skip(
          "SNAP-PAY-018",
          `the agent does not accept data, which alone can be deep: ${shallow.brief}`,
        );
      const allowedAnswer = await sendNested(8, draw.one(["objects", "lists", "both"]));
      const isForDepth = allowedAnswer.code === 1003 || allowedAnswer.code === 1004;
      context.expect("SNAP-PAY-018", !isForDepth, `a payload with eight levels is refused: ${allowedAnswer.brief}`);
      const kinds = ["objects", "lists", "both"] as const;
      for (const [kind, levels] of [
        ...kinds.map((kind) => [kind, 20] as const),
        [draw.one(kinds), draw.between(16, 60)],
      ] as const) {
        const answer = await sendNested(levels, kind);
        const why = `a payload with ${levels} levels, of ${kind === "both" ? "objects and lists" : kind}, is accepted: ${answer.brief}`;
        context.expect("SNAP-PAY-018", answer.isRefused, why);
      }
    },
  },
];

/** Sends a long message; its answer may also be long. A closed connection counts as a refusal if the agent is still running. */
async function sendLongMessage(
  context: ScenarioContext,
  { path }: Peer,
  message: JsonObject,
): Promise<Omit<PartyAnswer, "reply"> & { status?: number }> {
  const headers = { "content-type": "application/json", "snap-version": "0.1" };
  try {
    const answer = await openStream(context, { path, body: JSON.stringify(message), headers });
    const event = await answer.next(boundOf(context, "stream"));
    const { status } = answer;
    if (event === "silence") {
      answer.cut();
      throw new TargetFailure("timed-out", "read", "the answer to a long message does not end in time");
    }
    const answerMessage = event === "end" ? undefined : messageIn(event.item.data);
    const content = contentOf(answerMessage);
    throwIfHeldUp(status === 429 ? 5002 : content.code, 0);
    const isRefused = status >= 400 || content.isRefused;
    return { ...content, status, isRefused, brief: `HTTP ${status}: ${content.brief.slice(0, 300)}` };
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof TargetFailure) || error.outcome !== "errored" || error.stage === "answer") throw error;
    await context.send({ method: "GET", path: "/" });
    return { isRefused: true, brief: "the connection is closed" };
  }
}
