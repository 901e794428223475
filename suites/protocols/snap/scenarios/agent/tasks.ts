import {
  isObject,
  type Json,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
} from "../../../../../schemas/index.ts";
import { keyA, type TestKey } from "../../rules/keys.ts";
import { terminal } from "../../rules/task-log.ts";
import {
  ask,
  freshId,
  judgeInstances,
  messageOf,
  type PartyAnswer,
  type Peer,
  peerOf,
  request,
  requestWith,
  sendAccepted,
  stateOf,
  stranger,
  textFor,
  waitUntilAtRest,
} from "../parties.ts";
import { unseenExchange } from "./unseen-exchanges.ts";

/** Sends requests about tasks, and records the exchanges in a log for the rules. */
interface TaskRequests {
  exchange(method: string, payload: JsonObject, by?: TestKey): Promise<PartyAnswer>;
  /** Sends a request that the agent must accept, and returns its task. */
  task(method: string, payload: JsonObject, by?: TestKey): Promise<JsonObject>;
  /** Records a state of a task that was read outside the log. */
  saw(task: JsonObject, stateAfter: JsonObject): void;
  judge(rules: readonly string[]): Promise<void>;
}

/** The code of a refusal because the task does not exist. */
const unknownTask = 1001;

function startLog(context: ScenarioContext, peer: Peer): TaskRequests {
  const exchanges: JsonObject[] = [];
  const record = (method: string, payload: JsonObject, { message }: PartyAnswer, by: TestKey): void => {
    const answer = isObject(message?.payload) ? message.payload : {};
    if (!isObject(answer.error) || answer.error.code !== 1007)
      exchanges.push({ from: by.address[peer.network], method, payload, answer });
  };
  const isForgotten = async (payload: JsonObject, by: TestKey): Promise<boolean> => {
    const answer = await ask(context, peer, await requestWith(context, peer, { method: "tasks/get", payload, by }));
    return answer.code === unknownTask;
  };
  return {
    async exchange(method, payload, by = keyA) {
      const answer = await ask(context, peer, await requestWith(context, peer, { method, payload, by }));
      // The agent may have forgotten a task that ended in the meantime. Then its refusal to cancel is not judged.
      const isGone = method === "tasks/cancel" && answer.code === unknownTask && (await isForgotten(payload, by));
      if (!isGone) record(method, payload, answer, by);
      return answer;
    },
    async task(method, payload, by = keyA) {
      const answer = await sendAccepted(context, peer, { method, payload, by });
      record(method, payload, answer, by);
      return answer.task;
    },
    saw(task, state) {
      const from = keyA.address[peer.network];
      exchanges.push({
        from,
        method: "tasks/get",
        payload: { ...nameTask(task), historyLength: 0 },
        answer: { task: state },
      });
    },
    async judge(rules) {
      await judgeInstances(context, "task-log", { instance: { exchanges }, rules, what: "" });
      for (const rule of rules) {
        const why = unseenExchange(rule, { exchanges });
        if (why !== undefined) context.skip(rule, why);
      }
    },
  };
}

function isFinalState(state: string): boolean {
  return terminal.includes(state);
}

function nameTask(task: JsonObject): { taskId: Json } {
  return { taskId: task.id as Json };
}

/** Sends a message to a finished task, and checks that its state does not change, whatever the answer. */
async function judgeFinishedTask(context: ScenarioContext, peer: Peer, task: JsonObject): Promise<void> {
  await ask(context, peer, await request(context, peer, "message/send", { ...nameTask(task), ...messageOf(context) }));
  const { task: laterTask } = await sendAccepted(context, peer, { method: "tasks/get", payload: nameTask(task) });
  const [stateBefore, state] = [task, laterTask].map(stateOf);
  const why = `a task that is ${stateBefore} becomes ${state} after a message to it`;
  // The specification does not say how to handle such a message.
  context.expect("SNAP-TASK-002", state === stateBefore, why, "SHOULD");
}

/** Cancels a task that waits for input, and another task that is about to end, and checks that they stay cancelled. */
async function judgeCancellations(context: ScenarioContext, log: TaskRequests): Promise<void> {
  for (const text of [context.setting.options?.asking, undefined]) {
    if (text !== undefined && typeof text !== "string") continue;
    const task = await log.task("message/send", messageOf(context, text));
    if (isFinalState(stateOf(task))) continue;
    const { task: cancelledTask } = await log.exchange("tasks/cancel", nameTask(task));
    if (stateOf(cancelledTask) !== "canceled") continue;
    await context.pass(3000);
    await context.wait(500);
    const { task: laterTask } = await log.exchange("tasks/get", nameTask(task));
    if (laterTask === undefined) continue;
    const why = `a task that was cancelled while it was ${stateOf(task)} is ${stateOf(laterTask)} a little later`;
    context.expect("SNAP-TASK-007", stateOf(laterTask) === "canceled", why);
  }
}

const contextRules = ["SNAP-CTX-004", "SNAP-CTX-005"];

export const tasks: readonly Scenario[] = [
  {
    name: "tasks-finished",
    says: "each message opens its own task, which stays finished and the same whenever it is read",
    rules: ["SNAP-TASK-002", "SNAP-TASK-004", "SNAP-TASK-008", "SNAP-TASK-009", ...contextRules],
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      const log = startLog(context, peer);
      const payload = messageOf(context);
      const firstTask = await log.task("message/send", payload);
      // Two messages with the same messageId are still two messages.
      const { message } = messageOf(context) as { message: JsonObject };
      const { messageId } = isObject(payload.message) ? payload.message : message;
      const parts = [message.parts ?? [], { text: "And the harbour?" }].flat() as Json;
      await log.exchange("message/send", { message: { ...message, messageId: messageId as Json, parts } });
      // So are two messages with the same text.
      await log.exchange("message/send", messageOf(context));
      const restingTask = await waitUntilAtRest(context, peer, firstTask);
      log.saw(firstTask, restingTask);
      // After the task is finished, a message also opens its own task.
      await log.exchange("message/send", messageOf(context));
      await log.task("tasks/get", nameTask(firstTask));
      // Wait until times in seconds have changed, so that work after the answer becomes visible.
      await context.pass(1500);
      await context.wait(500);
      await log.task("tasks/get", nameTask(firstTask));
      if (stateOf(restingTask) === "completed" || stateOf(restingTask) === "failed") {
        const { code } = await log.exchange("tasks/cancel", nameTask(firstTask));
        const isPermitted = code === undefined || ![1003, 1004, 1005, 1006].includes(code);
        const why = `the cancellation of a task that is ${stateOf(restingTask)} is refused with code ${code}, not 1002`;
        context.expect("SNAP-TASK-008", isPermitted, why, "SHOULD");
        await log.task("tasks/get", nameTask(firstTask));
        await judgeFinishedTask(context, peer, restingTask);
      }
      await log.judge(["SNAP-TASK-002", "SNAP-TASK-004", "SNAP-TASK-008", "SNAP-TASK-009", ...contextRules]);
    },
  },
  {
    name: "tasks-cancelled",
    says: "a running task can be cancelled, for good, once and twice",
    rules: ["SNAP-TASK-007", "SNAP-TASK-001", "SNAP-TASK-002", "SNAP-TASK-008"],
    needs: ["url"],
    withinMs: 60_000,
    waits: 8000,
    async play(context) {
      const peer = await peerOf(context);
      const log = startLog(context, peer);
      const task = await log.task("message/send", messageOf(context, textFor(context, "working")));
      const { status } = await log.task("tasks/get", nameTask(task));
      const answer = await log.exchange("tasks/cancel", nameTask(task));
      // The task works until it is cancelled, so it cannot have failed by itself.
      const hasFailed = isObject(status) && status.state === "working" && stateOf(answer.task) === "failed";
      context.expect("SNAP-TASK-007", !hasFailed, "a working task is failed after its cancellation");
      const laterTask = await log.task("tasks/get", nameTask(task));
      if (!answer.isRefused && stateOf(answer.task) === "canceled") {
        const why = `a task that was cancelled is ${stateOf(laterTask)}`;
        context.expect("SNAP-TASK-007", stateOf(laterTask) === "canceled", why);
        await log.exchange("tasks/cancel", nameTask(task));
        await judgeFinishedTask(context, peer, await log.task("tasks/get", nameTask(task)));
      } else context.skip("SNAP-TASK-002", "the task was not cancelled, so no message was sent to a cancelled task");
      await judgeCancellations(context, log);
      await log.judge(["SNAP-TASK-007", "SNAP-TASK-001", "SNAP-TASK-008"]);
    },
  },
  {
    name: "tasks-continued",
    says: "a message that names a task continues it, in the same context",
    rules: ["SNAP-TASK-005", "SNAP-CTX-002", "SNAP-TASK-010", "SNAP-TASK-001"],
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      const log = startLog(context, peer);
      const askingTask = await log.task("message/send", messageOf(context, textFor(context, "asking")));
      if (stateOf(await waitUntilAtRest(context, peer, askingTask)) !== "input_required")
        return context.skip("SNAP-TASK-005", "the text of the option `asking` does not make the agent ask back");
      await log.exchange("tasks/get", nameTask(askingTask));
      const continuedTask = await log.task("message/send", { ...nameTask(askingTask), ...messageOf(context) });
      await waitUntilAtRest(context, peer, continuedTask);
      const turns = [];
      for (const historyLength of [undefined, 0, 1, 1000]) {
        const length = historyLength === undefined ? {} : { historyLength };
        const { task } = await log.exchange("tasks/get", { ...nameTask(askingTask), ...length });
        turns.push(Array.isArray(task?.history) ? task.history.length : 0);
      }
      const [fullCount = 0, , , maxCount = 0] = turns;
      const isWhole = fullCount > 0 || maxCount === 0;
      context.expect(
        "SNAP-TASK-010",
        isWhole,
        `without historyLength a task has no history, with 1000 it has ${maxCount} turns`,
      );
      await log.judge(["SNAP-TASK-005", "SNAP-CTX-002", "SNAP-TASK-010", "SNAP-TASK-001"]);
    },
  },
  {
    name: "tasks-unknown",
    says: "an unknown task is refused with that reason",
    rules: ["SNAP-TASK-006"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      const taskId = freshId(context, "none");
      const calls: [method: string, payload: JsonObject][] = [
        ["tasks/get", { taskId }],
        ["tasks/cancel", { taskId }],
        ["message/send", { taskId, ...messageOf(context) }],
        ["tasks/resubscribe", { taskId }],
      ];
      for (const [method, payload] of calls) {
        const answer = await ask(context, peer, await request(context, peer, method, payload));
        if (answer.code === 1007 && method === "tasks/get")
          return context.skip("SNAP-TASK-006", "the agent does not keep tasks: it does not offer tasks/get");
        if (answer.code === 1007) continue;
        const why = `${method} of an unknown task is not answered with code 1001: ${answer.brief}`;
        context.expect("SNAP-TASK-006", answer.code === 1001, why);
      }
    },
  },
  {
    name: "tasks-strangers",
    says: "a task and its context belong to their owner",
    rules: ["SNAP-TASK-012", "SNAP-CTX-003"],
    needs: ["url"],
    withinMs: 60_000,
    async play(context) {
      const peer = await peerOf(context);
      const log = startLog(context, peer);
      const idempotencyKey = freshId(context, "key");
      const ownTask = await log.task("message/send", { ...messageOf(context), idempotencyKey });
      const otherTask = await log.task("message/send", { ...messageOf(context), idempotencyKey }, stranger);
      const why = "a sender with another sender's idempotency key gets the context of that sender's task";
      context.expect(
        "SNAP-CTX-003",
        otherTask.contextId === undefined || otherTask.contextId !== ownTask.contextId,
        why,
      );
      const { working } = context.setting.options ?? {};
      const openTask =
        typeof working === "string" ? await log.task("message/send", messageOf(context, working)) : ownTask;
      await log.exchange("tasks/get", nameTask(ownTask), stranger);
      await log.exchange("tasks/resubscribe", nameTask(ownTask), stranger);
      await log.exchange("message/send", { ...nameTask(openTask), ...messageOf(context) }, stranger);
      await log.exchange("tasks/cancel", nameTask(openTask), stranger);
      if (openTask !== ownTask) await log.exchange("tasks/cancel", nameTask(openTask));
      await log.judge(["SNAP-TASK-012", "SNAP-CTX-003"]);
    },
  },
  {
    name: "tasks-keys",
    says: "a repeated idempotency key gives the same task or another, and is not a reason to refuse",
    rules: ["SNAP-TASK-011"],
    needs: ["url"],
    withinMs: 30_000,
    async play(context) {
      const peer = await peerOf(context);
      const idempotencyKey = freshId(context, "key");
      await sendAccepted(context, peer, { method: "message/send", payload: { ...messageOf(context), idempotencyKey } });
      const answer = await ask(
        context,
        peer,
        await request(context, peer, "message/send", { ...messageOf(context), idempotencyKey }),
      );
      const why = `a message with the idempotency key of an earlier one gets neither its task nor another: ${answer.brief}`;
      context.expect("SNAP-TASK-011", answer.task !== undefined, why);
    },
  },
];
