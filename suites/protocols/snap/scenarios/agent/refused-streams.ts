import { isObject, type JsonObject, type Scenario, type ScenarioContext } from "../../../../../schemas/index.ts";
import { keyC } from "../../rules/keys.ts";
import { boundOf } from "../bounds.ts";
import {
  ask,
  breakSeal,
  contentOf,
  freshId,
  messageOf,
  type Peer,
  peerOf,
  request,
  requestWith,
  seconds,
} from "../parties.ts";
import { messageIn } from "./connect.ts";
import { openWithin } from "./stream.ts";

/** Requests for streams that must be refused, each for a different reason. */
async function refusals(context: ScenarioContext, peer: Peer): Promise<[description: string, message: JsonObject][]> {
  const ask = (payload: JsonObject, members = {}, to = peer): Promise<JsonObject> =>
    requestWith(context, to, { method: "message/stream", payload, more: members });
  const timestamp = (await seconds(context)) - 180;
  const otherPeer = { ...peer, identity: keyC.address[peer.network] };
  const none = { taskId: freshId(context, "none") };
  return [
    ["a forged request for a stream", breakSeal(await ask(messageOf(context)))],
    ["a request for a stream from three minutes ago", await ask(messageOf(context), { timestamp })],
    ["a request for a stream for another agent", await ask(messageOf(context), {}, otherPeer)],
    ["a request for a stream without a message", await ask({})],
    ["a request for the stream of an unknown task", await request(context, peer, "tasks/resubscribe", none)],
  ];
}

const crowdedText = "the agent does not answer a right request for a stream in time either";

/**
 * The time to wait for the answer to an invalid request for a stream: at least five times the time of a right request, because a slow agent may be slow in
 * both cases. Undefined if a right request is not answered.
 */
async function patienceWith(context: ScenarioContext, peer: Peer): Promise<number | undefined> {
  const startedAt = performance.now();
  const rightStream = await openWithin(
    context,
    peer,
    await request(context, peer, "message/stream", messageOf(context)),
  );
  if (rightStream === "silence" || rightStream === "closed") return undefined;
  rightStream.cut();
  const { timeScale = 1 } = context.setting;
  return Math.max(boundOf(context, "stream"), (5 * (performance.now() - startedAt)) / timeScale);
}

/** Whether the agent now has a task for a stream although none was opened before. Another rule judges that. */
async function isOpen(context: ScenarioContext, peer: Peer, { method, payload }: JsonObject): Promise<boolean> {
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
      let within = await patienceWith(context, peer);
      if (within === undefined) return context.skip("SNAP-STREAM-008", crowdedText);
      for (const [index, [description, message]] of (await refusals(context, peer)).entries()) {
        let stream = await openWithin(context, peer, message, within);
        if (stream === "silence") {
          // Silence counts if right requests are answered in the meantime, and a second invalid one gets no answer either.
          within = await patienceWith(context, peer);
          if (within === undefined) return context.skip("SNAP-STREAM-008", crowdedText);
          const [, secondRequest] = (await refusals(context, peer))[index] ?? [description, message];
          stream = await openWithin(context, peer, secondRequest, within);
        }
        if (stream === "silence" && (await isOpen(context, peer, message))) {
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
        let last: JsonObject | undefined;
        let next = await stream.next(boundOf(context, "stream"));
        for (; next !== "end" && next !== "silence"; next = await stream.next(boundOf(context, "stream")))
          last = messageIn(next.item.data);
        stream.cut();
        if (next === "silence" && (last?.type === "event" || (await isOpen(context, peer, message)))) {
          context.skip("SNAP-STREAM-008", `${description} is not refused`);
          continue;
        }
        const why = `${description} is answered with status ${stream.status}, and its stream stays open`;
        context.expect("SNAP-STREAM-008", next === "end", why);
        if (next !== "end" || stream.status !== 200) continue;
        const lastAnswer = contentOf(last);
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
