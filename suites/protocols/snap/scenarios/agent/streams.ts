import {
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import {
  ask,
  contentOf,
  judgeInstances,
  messageOf,
  type Peer,
  peerOf,
  request,
  sendAccepted,
  stateOf,
  textFor,
} from "../parties.ts";
import { answersTo, messageIn, socketTo, socketUrl } from "./connect.ts";
import { findEnvelopeFault } from "./envelope.ts";
import { isStream, openMessageStream, openWithin, readWholeStream, skipWhereCrowded } from "./stream.ts";

const items = ["SNAP-STREAM-001", "SNAP-STREAM-002", "SNAP-STREAM-006", "SNAP-PAY-017"];

/** Compares the response of a stream with the task from `tasks/get`. An event need not contain an artifact. */
async function judgeLastTask(context: ScenarioContext, peer: Peer, last: JsonObject | undefined): Promise<void> {
  // An unfinished task may have gained or lost artifacts in the meantime.
  if (last?.id === undefined || stateOf(last) !== "completed") return;
  const streamRequest = await request(context, peer, "tasks/get", { taskId: last.id, historyLength: 0 });
  const { task, brief: summary } = await ask(context, peer, streamRequest);
  const [streamedCount, storedCount] = [countArtifacts(last), countArtifacts(task)];
  if (task === undefined && streamedCount === 0)
    return context.skip(
      "SNAP-STREAM-006",
      `nothing shows whether the task has artifacts: tasks/get returns ${summary}`,
    );
  const why = `the response at the end of the stream has ${streamedCount} of the ${storedCount} artifacts that tasks/get returns`;
  context.expect("SNAP-STREAM-006", stateOf(task) !== "completed" || streamedCount >= storedCount, why);
}

function countArtifacts(task: JsonObject | undefined): number {
  return Array.isArray(task?.artifacts) ? task.artifacts.length : 0;
}

export const streams: readonly Scenario[] = [
  {
    name: "streams-items",
    says: "a stream is events, one response with the whole task, and its end",
    rules: items,
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      const streamRequest = await request(context, peer, "message/stream", messageOf(context));
      const { messages, end } = await readWholeStream(context, peer, streamRequest);
      context.expect(
        "SNAP-STREAM-001",
        end === "end",
        `the stream is still open ${boundOf(context, "stream")} ms after the last message`,
      );
      const record = { request: streamRequest, answers: messages };
      await judgeInstances(context, "exchange", {
        instance: record,
        rules: ["SNAP-STREAM-001", "SNAP-STREAM-002", "SNAP-STREAM-006"],
        what: "",
      });
      const { task } = contentOf(messages.at(-1));
      for (const message of messages) {
        const { to = context.setting.options?.a2s, payload } = message;
        // In one reading of the later profile it may be absent.
        context.expect("SNAP-STREAM-002", to !== undefined, "an item of the stream has no recipient", "SHOULD");
        const taskId = message.type === "event" && isObject(payload) ? payload.taskId : undefined;
        const isOfIt = typeof taskId !== "string" || task === undefined || task.id === taskId;
        const whyOtherTask = `an event reports the task ${taskId}, and the response ${task?.id}`;
        context.expect("SNAP-STREAM-006", isOfIt, whyOtherTask, "SHOULD");
        const form = await findEnvelopeFault(context, message);
        context.expect("SNAP-STREAM-002", form === undefined, `an item of the stream is not a message: ${form}`);
        await judgeInstances(context, "envelope", { instance: message, rules: ["SNAP-PAY-017"], what: "an event: " });
      }
      await judgeLastTask(context, peer, task);
    },
  },
  {
    name: "streams-bytes",
    says: "a stream over HTTP is server-sent events, with a message on each data line",
    rules: ["SNAP-STREAM-004"],
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      const { stream, faults } = await readWholeStream(
        context,
        peer,
        await request(context, peer, "message/stream", messageOf(context)),
      );
      context.expect("SNAP-STREAM-004", stream.status === 200, `a stream has status ${stream.status}`);
      for (const fault of faults) context.expect("SNAP-STREAM-004", false, `the stream ${fault}`);
    },
  },
  {
    name: "streams-offered",
    says: "an agent that promises streams has them",
    rules: ["SNAP-CARD-016"],
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      if (peer.card === undefined) return context.skip("SNAP-CARD-016", "the agent serves no card");
      const { capabilities } = peer.card;
      const isPromised = isObject(capabilities) && capabilities.streaming === true;
      const stream = await openMessageStream(
        context,
        peer,
        await request(context, peer, "message/stream", messageOf(context)),
      );
      const first = await stream.next(boundOf(context, "stream"));
      stream.cut();
      if (stream.status === 429) throw new TargetSkip("the agent accepts no request for a stream: HTTP 429");
      if (first !== "silence" && first !== "end") skipWhereCrowded(messageIn(first.item.data));
      const isServed =
        isStream(stream) &&
        first !== "silence" &&
        first !== "end" &&
        contentOf(messageIn(first.item.data)).code === undefined;
      if (isPromised && !isServed && socketUrl(context, peer) !== undefined) {
        // A stream may have no events.
        const socket = await socketTo(context, peer);
        const answers = await answersTo(
          context,
          socket,
          await request(context, peer, "message/stream", messageOf(context)),
        );
        const last = contentOf(answers.at(-1));
        const why = `the card promises streams, but message/stream is answered with a stream neither over HTTP nor over WebSocket: ${last.brief}`;
        context.expect("SNAP-CARD-016", last.task !== undefined, why);
      } else if (isPromised)
        context.expect(
          "SNAP-CARD-016",
          isServed,
          "the card promises streams, but message/stream is not answered with a stream",
        );
      else context.expect("SNAP-CARD-016", !isServed, "the agent streams, but its card does not say so", "SHOULD");
    },
  },
  {
    name: "streams-resumed",
    says: "after a stream has broken, its task can be followed to the end",
    rules: ["SNAP-STREAM-007"],
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      const text = textFor(context, "working");
      // An agent that does not stream need not answer before the work is done.
      await readWholeStream(context, peer, await request(context, peer, "message/stream", messageOf(context)));
      const stream = await openWithin(
        context,
        peer,
        await request(context, peer, "message/stream", messageOf(context, text)),
      );
      // An agent that sends its headers with the first item sends none while it works without events.
      const first = typeof stream === "string" ? "silence" : await stream.next(boundOf(context, "stream"));
      if (typeof stream === "string" || !isStream(stream) || first === "end" || first === "silence")
        return context.skip(
          "SNAP-STREAM-007",
          "no event came before the end of the stream, so that it could not be cut",
        );
      const { payload } = messageIn(first.item.data) ?? {};
      const taskId = isObject(payload) ? payload.taskId : undefined;
      if (typeof taskId !== "string")
        return context.skip("SNAP-STREAM-007", "the first item of the stream names no task");
      stream.cut();
      const { task } = await sendAccepted(context, peer, { method: "tasks/get", payload: { taskId } });
      if (!["working", "input_required"].includes(stateOf(task)))
        return context.skip("SNAP-STREAM-007", `the task is already ${stateOf(task)}`);
      const secondStream = await openMessageStream(
        context,
        peer,
        await request(context, peer, "tasks/resubscribe", { taskId }),
      );
      const cancelAnswer = await ask(context, peer, await request(context, peer, "tasks/cancel", { taskId }));
      if (cancelAnswer.isRefused)
        return context.skip(
          "SNAP-STREAM-007",
          `the task cannot be cancelled, so that it does not end: ${cancelAnswer.brief}`,
        );
      let last: JsonObject | undefined;
      let nextItem = await secondStream.next(boundOf(context, "stream"));
      for (
        ;
        nextItem !== "end" && nextItem !== "silence";
        nextItem = await secondStream.next(boundOf(context, "stream"))
      )
        last = messageIn(nextItem.item.data);
      const lastAnswer = contentOf(last);
      if (lastAnswer.code === 1007)
        return context.skip("SNAP-STREAM-007", "the agent does not offer tasks/resubscribe");
      const isRight = last?.type === "response" && lastAnswer.task?.id === taskId;
      context.expect(
        "SNAP-STREAM-007",
        isRight,
        `a subscriber that resubscribes after a cut does not learn how the task ended: ${lastAnswer.brief}`,
      );
    },
  },
];
