import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { brief, isError, isInvalid, isServerFault } from "./calls.ts";
import { listIn } from "./party.ts";
import { askingTask, finishedTask, getTask, openTask, patient, recipe, taskIn, unknownId } from "./recipes.ts";
import { atEachInterface, type InterfaceVisit } from "./visit.ts";

async function knowsNone(visit: InterfaceVisit): Promise<void> {
  const observed = await visit.call("GetTask", { id: unknownId(visit.context) });
  visit.expect("A2A-GET-001", isError(observed, "TaskNotFound"), `an unknown task is answered with ${brief(observed)}`);
}

async function readsAgain(visit: InterfaceVisit): Promise<void> {
  const task = await finishedTask(visit);
  const all: JsonObject[] = [];
  for (let count = 0; count < 3; count++) all.push(await getTask(visit, task.id as Json));
  const [first] = all;
  visit.expect("A2A-GET-002", first?.id === task.id, `the task ${task.id} is answered with the task ${first?.id}`);
  visit.expect("A2A-GET-002", isObject(first?.status), "a task is answered without its status");
  const isSame = all.every((each) => isDeepStrictEqual(each, first));
  visit.expect("A2A-GET-002", isSame, "a task that is over is another one when it is read again");
  const { timestamp } = isObject(first?.status) ? first.status : {};
  if (timestamp === undefined) return;
  const isInUtc = typeof timestamp === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(timestamp);
  const why = `a task has the timestamp ${JSON.stringify(timestamp)}, which is not UTC with Z`;
  visit.expect("A2A-JSON-003", isInUtc, why, "MUST");
}

async function bearsIds(visit: InterfaceVisit): Promise<void> {
  const isRpc = visit.endpoint.binding === "JSONRPC";
  for (const id of [...(isRpc ? [""] : []), " ", "..%2f..", "\u0000", "x".repeat(10_000), "__proto__"]) {
    const observed = await visit.call("GetTask", { id });
    const isRight =
      observed.error !== undefined &&
      !isServerFault(observed) &&
      (!isRpc || isError(observed, "TaskNotFound", "InvalidParams") || observed.reply.status >= 400);
    const why = `the id ${JSON.stringify(id.slice(0, 20))} is answered with ${brief(observed)}`;
    visit.expect("A2A-GET-003", isRight, why);
  }
}

function historyOf(value: Json | undefined): Json[] {
  return isObject(value) ? listIn(value.history) : [];
}

async function limitsHistory(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const task = await finishedTask(visit);
  const id = task.id as Json;
  for (const historyLength of [1, 2, 0]) {
    const got = await getTask(visit, id, { historyLength });
    const sent = taskIn(
      await visit.call(
        "SendMessage",
        { message: recipe(context, "finishing"), configuration: { historyLength } },
        patient(visit),
      ),
    );
    const listed = await visit.call("ListTasks", { historyLength, pageSize: 5 });
    const tasks = isObject(listed.result) ? listIn(listed.result.tasks) : [];
    for (const [name, shown] of [
      ["GetTask", [got]],
      ["SendMessage", [sent]],
      ["ListTasks", tasks],
    ] as [string, Json[]][])
      for (const each of shown) {
        const { length } = historyOf(each);
        visit.expect(
          "A2A-HIST-001",
          length <= historyLength,
          `${name} with historyLength ${historyLength} gives ${length} messages`,
        );
        const isGone = historyLength > 0 || !isObject(each) || each.history === undefined;
        visit.expect(
          "A2A-HIST-002",
          isGone || length > 0,
          `${name} with historyLength 0 gives an empty history`,
          "SHOULD",
        );
      }
  }
}

async function keepsRecent(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const task = await askingTask(visit);
  const taskId = task.id as Json;
  const answer = recipe(context, "answering", { taskId });
  await visit.call("SendMessage", { message: answer }, patient(visit));
  const whole = historyOf(await getTask(visit, taskId));
  const last = historyOf(await getTask(visit, taskId, { historyLength: 1 }));
  // Whether more are kept than were asked for is another rule.
  const isLast = last.length === 0 || isDeepStrictEqual(last.at(-1), whole.at(-1));
  visit.expect("A2A-HIST-003", isLast, "with historyLength 1 another message is kept than the most recent one");
  const ids = whole.map((each) => (isObject(each) ? each.messageId : undefined));
  const [first, second] = [listIn(task.history)[0], answer].map((each) =>
    ids.indexOf(isObject(each) ? each.messageId : ""),
  );
  const isOrdered = first === -1 || second === -1 || (first as number) < (second as number);
  visit.expect("A2A-HIST-004", isOrdered, "the history has a message before one that was sent earlier");
  const kept = whole.find((each) => isObject(each) && each.messageId === answer.messageId);
  const isSame = !isObject(kept) || (kept.role === answer.role && textsOf(kept) === textsOf(answer));
  visit.expect("A2A-HIST-004", isSame, "a message in the history is not as it was sent");
  visit.expect("A2A-HIST-004", new Set(ids).size === ids.length, "the history has a message twice");
}

function textsOf({ parts }: JsonObject): string {
  return listIn(parts)
    .map((part) => (isObject(part) ? part.text : ""))
    .join("|");
}

async function refusesLengths(visit: InterfaceVisit): Promise<void> {
  const task = await openTask(visit, "finishing");
  const id = task.id as Json;
  for (const [name, observed] of [
    ["GetTask with historyLength -1", await visit.call("GetTask", { id, historyLength: -1 })],
    ["ListTasks with historyLength -1", await visit.call("ListTasks", { historyLength: -1 })],
    ["GetTask with historyLength 1.5", await visit.call("GetTask", { id, historyLength: 1.5 })],
  ] as const) {
    const isNear = observed.error === undefined;
    visit.expect(
      "A2A-HIST-005",
      isInvalid(observed),
      `${name} is answered with ${brief(observed)}`,
      isNear ? "SHOULD" : "MUST",
    );
  }
}

export const reading: readonly Scenario[] = [
  atEachInterface({
    name: "get-unknown",
    says: "an unknown task is not found",
    rules: ["A2A-GET-001"],
    play: knowsNone,
  }),
  atEachInterface({
    name: "get-again",
    says: "a task is read as it is, and reading changes nothing",
    rules: ["A2A-GET-002", "A2A-JSON-003"],
    play: readsAgain,
  }),
  atEachInterface({
    name: "get-odd",
    says: "odd ids do no harm",
    rules: ["A2A-GET-003"],
    play: bearsIds,
  }),
  atEachInterface({
    name: "history-length",
    says: "no more messages are given than were asked for",
    rules: ["A2A-HIST-001", "A2A-HIST-002"],
    play: limitsHistory,
  }),
  atEachInterface({
    name: "history-order",
    says: "the history has messages as they were sent, and the last of them if it is cut",
    rules: ["A2A-HIST-003", "A2A-HIST-004"],
    play: keepsRecent,
  }),
  atEachInterface({
    name: "history-wrong",
    says: "a length that is no count is refused",
    rules: ["A2A-HIST-005"],
    play: refusesLengths,
  }),
];
