import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type JsonObject, type Scenario } from "../../../../schemas/index.ts";
import { describeAnswer, isError, isInvalid, isServerFault } from "./calls.ts";
import { listIn } from "./party.ts";
import {
  blockingOptions,
  getTask,
  makeAskingTask,
  makeFinishedTask,
  openTask,
  recipeMessage,
  taskIn,
  unknownId,
} from "./recipes.ts";
import { atEachInterface, type InterfaceVisit } from "./visit.ts";

async function checkUnknownTask(visit: InterfaceVisit): Promise<void> {
  const answer = await visit.call("GetTask", { id: unknownId(visit.context) });
  visit.expect(
    "A2A-GET-001",
    isError(answer, "TaskNotFound"),
    `an unknown task is answered with ${describeAnswer(answer)}`,
  );
}

async function checkRepeatedReads(visit: InterfaceVisit): Promise<void> {
  const task = await makeFinishedTask(visit);
  const readings: JsonObject[] = [];
  for (let count = 0; count < 3; count++) readings.push(await getTask(visit, task.id as Json));
  const [firstReading] = readings;
  visit.expect(
    "A2A-GET-002",
    firstReading?.id === task.id,
    `the task ${task.id} is answered with the task ${firstReading?.id}`,
  );
  visit.expect("A2A-GET-002", isObject(firstReading?.status), "a task is answered without its status");
  const isSame = readings.every((reading) => isDeepStrictEqual(reading, firstReading));
  visit.expect("A2A-GET-002", isSame, "a finished task has changed when it is read again");
  const { timestamp } = isObject(firstReading?.status) ? firstReading.status : {};
  if (timestamp === undefined) return;
  const isInUtc = typeof timestamp === "string" && /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?Z$/.test(timestamp);
  const why = `a task has the timestamp ${JSON.stringify(timestamp)}, which is not UTC with Z`;
  visit.expect("A2A-JSON-003", isInUtc, why, "MUST");
}

async function checkOddIds(visit: InterfaceVisit): Promise<void> {
  const isRpc = visit.endpoint.binding === "JSONRPC";
  for (const id of [...(isRpc ? [""] : []), " ", "..%2f..", "\u0000", "x".repeat(10_000), "__proto__"]) {
    const answer = await visit.call("GetTask", { id });
    const isRefused =
      answer.error !== undefined &&
      !isServerFault(answer) &&
      (!isRpc || isError(answer, "TaskNotFound", "InvalidParams") || answer.reply.status >= 400);
    const why = `the id ${JSON.stringify(id.slice(0, 20))} is answered with ${describeAnswer(answer)}`;
    visit.expect("A2A-GET-003", isRefused, why);
  }
}

function historyOf(value: Json | undefined): Json[] {
  return isObject(value) ? listIn(value.history) : [];
}

async function checkHistoryLimit(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const task = await makeFinishedTask(visit);
  const id = task.id as Json;
  for (const historyLength of [1, 2, 0]) {
    const readTask = await getTask(visit, id, { historyLength });
    const sentTask = taskIn(
      await visit.call(
        "SendMessage",
        { message: recipeMessage(context, "finishing"), configuration: { historyLength } },
        blockingOptions(visit),
      ),
    );
    const listAnswer = await visit.call("ListTasks", { historyLength, pageSize: 5 });
    const tasks = isObject(listAnswer.result) ? listIn(listAnswer.result.tasks) : [];
    for (const [name, shownTasks] of [
      ["GetTask", [readTask]],
      ["SendMessage", [sentTask]],
      ["ListTasks", tasks],
    ] as [string, Json[]][])
      for (const shownTask of shownTasks) {
        const { length } = historyOf(shownTask);
        visit.expect(
          "A2A-HIST-001",
          length <= historyLength,
          `${name} with historyLength ${historyLength} returns ${length} messages`,
        );
        const mayBeEmpty = historyLength > 0 || !isObject(shownTask) || shownTask.history === undefined;
        visit.expect(
          "A2A-HIST-002",
          mayBeEmpty || length > 0,
          `${name} with historyLength 0 returns an empty history`,
          "SHOULD",
        );
      }
  }
}

async function checkHistoryOrder(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const task = await makeAskingTask(visit);
  const taskId = task.id as Json;
  const answer = recipeMessage(context, "answering", { taskId });
  await visit.call("SendMessage", { message: answer }, blockingOptions(visit));
  const fullHistory = historyOf(await getTask(visit, taskId));
  const lastMessages = historyOf(await getTask(visit, taskId, { historyLength: 1 }));
  // Another rule limits the number of returned messages.
  const isLast = lastMessages.length === 0 || isDeepStrictEqual(lastMessages.at(-1), fullHistory.at(-1));
  visit.expect("A2A-HIST-003", isLast, "with historyLength 1 the returned message is not the most recent one");
  const ids = fullHistory.map((message) => (isObject(message) ? message.messageId : undefined));
  const [firstIndex, answerIndex] = [listIn(task.history)[0], answer].map((message) =>
    ids.indexOf(isObject(message) ? message.messageId : ""),
  );
  const isOrdered = firstIndex === -1 || answerIndex === -1 || (firstIndex as number) < (answerIndex as number);
  visit.expect("A2A-HIST-004", isOrdered, "the history lists a message before one that was sent earlier");
  const keptAnswer = fullHistory.find((message) => isObject(message) && message.messageId === answer.messageId);
  const isUnchanged =
    !isObject(keptAnswer) || (keptAnswer.role === answer.role && textsOf(keptAnswer) === textsOf(answer));
  visit.expect("A2A-HIST-004", isUnchanged, "a message in the history differs from the sent message");
  visit.expect("A2A-HIST-004", new Set(ids).size === ids.length, "the history contains a message twice");
}

function textsOf({ parts }: JsonObject): string {
  return listIn(parts)
    .map((part) => (isObject(part) ? part.text : ""))
    .join("|");
}

async function checkInvalidLengths(visit: InterfaceVisit): Promise<void> {
  const task = await openTask(visit, "finishing");
  const id = task.id as Json;
  for (const [name, lengthAnswer] of [
    ["GetTask with historyLength -1", await visit.call("GetTask", { id, historyLength: -1 })],
    ["ListTasks with historyLength -1", await visit.call("ListTasks", { historyLength: -1 })],
    ["GetTask with historyLength 1.5", await visit.call("GetTask", { id, historyLength: 1.5 })],
  ] as const) {
    const isAccepted = lengthAnswer.error === undefined;
    visit.expect(
      "A2A-HIST-005",
      isInvalid(lengthAnswer),
      `${name} is answered with ${describeAnswer(lengthAnswer)}`,
      isAccepted ? "SHOULD" : "MUST",
    );
  }
}

export const readingScenarios: readonly Scenario[] = [
  atEachInterface({
    name: "get-unknown",
    says: "an unknown task is not found",
    rules: ["A2A-GET-001"],
    play: checkUnknownTask,
  }),
  atEachInterface({
    name: "get-again",
    says: "reading a task returns it, and does not change it",
    rules: ["A2A-GET-002", "A2A-JSON-003"],
    play: checkRepeatedReads,
  }),
  atEachInterface({
    name: "get-odd",
    says: "unusual ids are refused without a server fault",
    rules: ["A2A-GET-003"],
    play: checkOddIds,
  }),
  atEachInterface({
    name: "history-length",
    says: "a history has at most the requested number of messages",
    rules: ["A2A-HIST-001", "A2A-HIST-002"],
    play: checkHistoryLimit,
  }),
  atEachInterface({
    name: "history-order",
    says: "the history has the messages in order and unchanged, and keeps the last ones if it is limited",
    rules: ["A2A-HIST-003", "A2A-HIST-004"],
    play: checkHistoryOrder,
  }),
  atEachInterface({
    name: "history-wrong",
    says: "a negative or fractional historyLength is refused",
    rules: ["A2A-HIST-005"],
    play: checkInvalidLengths,
  }),
];
