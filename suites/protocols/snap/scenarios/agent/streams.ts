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

const streamRules = ["SNAP-STREAM-001", "SNAP-STREAM-002", "SNAP-STREAM-006", "SNAP-PAY-017"];

/** Compares the last task of a stream with the same task from `tasks/get`. Its artifacts need not have been in events. */
async function judgeLastTask(context: ScenarioContext, peer: Peer, lastTask: JsonObject | undefined): Promise<void> {
  // An unfinished task may have gained or lost artifacts in the meantime.
  if (lastTask?.id === undefined || stateOf(lastTask) !== "completed") return;
  const getRequest = await request(context, peer, "tasks/get", { taskId: lastTask.id, historyLength: 0 });
  const { task, brief: summary } = await ask(context, peer, getRequest);
  const [streamedCount, storedCount] = [countArtifacts(lastTask), countArtifacts(task)];
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
    rules: streamRules,
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
        // In one reading of the later profile, the recipient may be absent.
        context.expect("SNAP-STREAM-002", to !== undefined, "an item of the stream has no recipient", "SHOULD");
        const taskId = message.type === "event" && isObject(payload) ? payload.taskId : undefined;
        const isSameTask = typeof taskId !== "string" || task === undefined || task.id === taskId;
        const whyOtherTask = `an event reports the task ${taskId}, and the response ${task?.id}`;
        context.expect("SNAP-STREAM-006", isSameTask, whyOtherTask, "SHOULD");
        const formFault = await findEnvelopeFault(context, message);
        context.expect(
          "SNAP-STREAM-002",
          formFault === undefined,
          `an item of the stream is not a message: ${formFault}`,
        );
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
      if (stream.status === 429) throw new TargetSkip("the agent does not accept a request for a stream: HTTP 429");
      if (first !== "silence" && first !== "end") skipWhereCrowded(messageIn(first.item.data));
      const isServed =
        isStream(stream) &&
        first !== "silence" &&
        first !== "end" &&
        contentOf(messageIn(first.item.data)).code === undefined;
      if (isPromised && !isServed && socketUrl(context, peer) !== undefined) {
        // Over a WebSocket, a stream may consist of its response alone.
        const socket = await socketTo(context, peer);
        const answers = await answersTo(
          context,
          socket,
          await request(context, peer, "message/stream", messageOf(context)),
        );
        const lastContent = contentOf(answers.at(-1));
        const why = `the card promises streams, but message/stream is answered with a stream neither over HTTP nor over WebSocket: ${lastContent.brief}`;
        context.expect("SNAP-CARD-016", lastContent.task !== undefined, why);
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
      // An agent may send its headers only with the first event, and so send nothing while it works.
      const first = typeof stream === "string" ? "silence" : await stream.next(boundOf(context, "stream"));
      if (typeof stream === "string" || !isStream(stream) || first === "end" || first === "silence")
        return context.skip(
          "SNAP-STREAM-007",
          "no event arrived before the end of the stream, so the stream could not be cut",
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
          `the task cannot be cancelled, so it does not end: ${cancelAnswer.brief}`,
        );
      let lastMessage: JsonObject | undefined;
      let nextItem = await secondStream.next(boundOf(context, "stream"));
      for (
        ;
        nextItem !== "end" && nextItem !== "silence";
        nextItem = await secondStream.next(boundOf(context, "stream"))
      )
        lastMessage = messageIn(nextItem.item.data);
      const lastAnswer = contentOf(lastMessage);
      if (lastAnswer.code === 1007)
        return context.skip("SNAP-STREAM-007", "the agent does not offer tasks/resubscribe");
      const isRight = lastMessage?.type === "response" && lastAnswer.task?.id === taskId;
      context.expect(
        "SNAP-STREAM-007",
        isRight,
        `a subscriber that resubscribes after a cut does not learn how the task ended: ${lastAnswer.brief}`,
      );
    },
  },
];
