import { isObject, type JsonObject, type Scenario, type ScenarioContext } from "../../../../../schemas/index.ts";
import { keyC } from "../../rules/keys.ts";
import { boundOf } from "../bounds.ts";
import {
  ask,
  breakSeal,
  contentOf,
  freshId,
  messageOf,
  nowInSeconds,
  type Peer,
  peerOf,
  request,
  requestWith,
} from "../parties.ts";
import { messageIn } from "./connect.ts";
import { openWithin } from "./stream.ts";

/** Creates requests for streams that must be refused, each for a different reason. */
async function requestsToRefuse(
  context: ScenarioContext,
  peer: Peer,
): Promise<[description: string, message: JsonObject][]> {
  const streamRequest = (payload: JsonObject, members = {}, to = peer): Promise<JsonObject> =>
    requestWith(context, to, { method: "message/stream", payload, more: members });
  const timestamp = (await nowInSeconds(context)) - 180;
  const otherPeer = { ...peer, identity: keyC.address[peer.network] };
  const unknownTask = { taskId: freshId(context, "none") };
  return [
    ["a forged request for a stream", breakSeal(await streamRequest(messageOf(context)))],
    ["a request for a stream from three minutes ago", await streamRequest(messageOf(context), { timestamp })],
    ["a request for a stream for another agent", await streamRequest(messageOf(context), {}, otherPeer)],
    ["a request for a stream without a message", await streamRequest({})],
    ["a request for the stream of an unknown task", await request(context, peer, "tasks/resubscribe", unknownTask)],
  ];
}

const tooSlow = "the agent does not answer a valid request for a stream in time either";

/**
 * Measures how long to wait for the answer to an invalid request for a stream: at least five times as long as a valid request took, because the
 * agent may be slow. Undefined if a valid request is not answered.
 */
async function measurePatience(context: ScenarioContext, peer: Peer): Promise<number | undefined> {
  const startedAt = performance.now();
  const validStream = await openWithin(
    context,
    peer,
    await request(context, peer, "message/stream", messageOf(context)),
  );
  if (validStream === "silence" || validStream === "closed") return undefined;
  validStream.cut();
  const { timeScale = 1 } = context.setting;
  return Math.max(boundOf(context, "stream"), (5 * (performance.now() - startedAt)) / timeScale);
}

/** Whether the agent now has the task that was unknown before. Another rule judges that. */
async function hasTask(context: ScenarioContext, peer: Peer, { method, payload }: JsonObject): Promise<boolean> {
  if (method !== "tasks/resubscribe" || !isObject(payload)) return false;
  return (await ask(context, peer, await request(context, peer, "tasks/get", payload))).task !== undefined;
}

export const refusedStreams: readonly Scenario[] = [
  {
    name: "streams-refused",
    says: "a refused stream ends, with an error",
    rules: ["SNAP-STREAM-008"],
    needs: ["url"],
    withinMs: 120_000,
    async play(context) {
      const peer = await peerOf(context);
      let within = await measurePatience(context, peer);
      if (within === undefined) return context.skip("SNAP-STREAM-008", tooSlow);
      for (const [index, [description, message]] of (await requestsToRefuse(context, peer)).entries()) {
        let stream = await openWithin(context, peer, message, within);
        if (stream === "silence") {
          // Silence only counts if a valid request is answered in the meantime, and a second invalid one is not answered either.
          within = await measurePatience(context, peer);
          if (within === undefined) return context.skip("SNAP-STREAM-008", tooSlow);
          const [, secondRequest] = (await requestsToRefuse(context, peer))[index] ?? [description, message];
          stream = await openWithin(context, peer, secondRequest, within);
        }
        if (stream === "silence" && (await hasTask(context, peer, message))) {
          context.skip("SNAP-STREAM-008", `${description} is not refused`);
          continue;
        }
        if (stream === "silence") {
          context.expect(
            "SNAP-STREAM-008",
            false,
            `${description} is neither answered nor closed within ${Math.round(within)} ms`,
          );
          return;
        }
        // A closed connection is also an end.
        if (stream === "closed") continue;
        let lastMessage: JsonObject | undefined;
        let next = await stream.next(boundOf(context, "stream"));
        for (; next !== "end" && next !== "silence"; next = await stream.next(boundOf(context, "stream")))
          lastMessage = messageIn(next.item.data);
        stream.cut();
        if (next === "silence" && (lastMessage?.type === "event" || (await hasTask(context, peer, message)))) {
          context.skip("SNAP-STREAM-008", `${description} is not refused`);
          continue;
        }
        const why = `${description} is answered with status ${stream.status}, and its stream stays open`;
        context.expect("SNAP-STREAM-008", next === "end", why);
        if (next !== "end" || stream.status !== 200) continue;
        const lastAnswer = contentOf(lastMessage);
        if (lastAnswer.task !== undefined) context.skip("SNAP-STREAM-008", `${description} is not refused`);
        else
          context.expect(
            "SNAP-STREAM-008",
            lastAnswer.error !== undefined,
            `${description} ends without an error: ${lastAnswer.brief}`,
          );
      }
    },
  },
];
