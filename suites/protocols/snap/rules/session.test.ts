import { expect, it } from "vitest";
import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { keyA, keyB, keyC, type TestKey } from "./keys.ts";
import { gotTask, sentTask, task } from "./logs.fixture.ts";
import { exampleMessage } from "./messages.ts";
import { session } from "./session.ts";
import { stepsIn } from "./task-log.ts";

const getRequest = (id: string, taskId: string, from: TestKey = keyA): JsonObject => ({
  id,
  type: "request",
  method: "tasks/get",
  payload: { taskId },
  from: from.address.main,
  to: keyB.address.main,
});
const taskAnswer = (id: string, taskId: string, to: TestKey = keyA): JsonObject => ({
  id,
  type: "response",
  method: "tasks/get",
  payload: { task: { id: taskId } },
  from: keyB.address.main,
  to: to.address.main,
});

/** For each exchange of a session, the ids of the requested and the returned task. */
async function taskIdsIn(...lines: JsonObject[]): Promise<string[]> {
  const { value } = session(lines);
  const { exchanges } = value as unknown as {
    exchanges: { payload: { taskId: string }; answer: { task: { id: string } } }[];
  };
  return exchanges.map(({ payload, answer }) => `${payload.taskId} ${answer.task.id}`);
}

it("pairs a response with the open request of its method between the same parties", async () => {
  expect(
    await taskIdsIn(getRequest("q1", "one"), taskAnswer("r1", "one"), getRequest("q2", "two"), taskAnswer("r2", "two")),
  ).toEqual(["one one", "two two"]);
  expect(
    await taskIdsIn(
      getRequest("q1", "one"),
      getRequest("q2", "two", keyC),
      taskAnswer("r1", "two", keyC),
      taskAnswer("r2", "one"),
    ),
  ).toEqual(["two two", "one one"]);
  expect(await taskIdsIn(getRequest("q1", "one"), { ...taskAnswer("r1", "one"), method: "tasks/cancel" })).toEqual([]);
});

it("pairs a response with a request of the same id, and with none if several requests could match", async () => {
  const openRequests = [getRequest("q1", "one"), getRequest("q2", "two")];
  expect(await taskIdsIn(...openRequests, taskAnswer("q2", "two"), taskAnswer("q1", "one"))).toEqual([
    "two two",
    "one one",
  ]);
  expect(await taskIdsIn(...openRequests, taskAnswer("r2", "two"), taskAnswer("r1", "one"))).toEqual([]);
  expect(
    await taskIdsIn(...openRequests, taskAnswer("r2", "two"), getRequest("q3", "three"), taskAnswer("r3", "three")),
  ).toEqual(["three three"]);
});

const sendRequest = (id: string, payload: JsonObject = {}): JsonObject => ({
  ...getRequest(id, ""),
  method: "message/send",
  payload: { message: exampleMessage, ...payload },
});
const openingAnswer = (id: string, taskId: string): JsonObject => ({
  ...taskAnswer(id, taskId),
  method: "message/send",
});
const refusal = (id: string, code: number): JsonObject => ({
  ...taskAnswer(id, ""),
  payload: { error: { code, message: "No." } },
});

/** For each exchange of a session, its method and the returned task or error code. */
function summarize(...lines: Json[]): string[] {
  const { value } = session(lines);
  const { exchanges } = value as { exchanges: { method: string; answer: JsonObject }[] };
  return exchanges.map(({ method, answer: { task, error } }) =>
    isObject(task) ? `${method} ${task.id}` : `${method} ${isObject(error) ? error.code : "nothing"}`,
  );
}

/** The stand-in for an exchange about a task whose answer is ignored. */
const standIn = "tasks/cancel 5001";

it("counts a request that is repeated before its answer only once, and ignores the answer to a later repetition", () => {
  expect(
    summarize(
      sendRequest("q1"),
      sendRequest("q1"),
      openingAnswer("r1", "one"),
      getRequest("q2", "one"),
      taskAnswer("r2", "one"),
    ),
  ).toEqual(["message/send one", "tasks/get one"]);
  const repeatedMessages = [
    sendRequest("q1"),
    openingAnswer("r1", "one"),
    sendRequest("q1"),
    openingAnswer("r2", "one"),
  ];
  expect(summarize(...repeatedMessages)).toEqual(["message/send one"]);
  expect(
    summarize(
      ...repeatedMessages,
      getRequest("q3", "one"),
      taskAnswer("r3", "one"),
      getRequest("q3", "one"),
      taskAnswer("r4", "one"),
    ),
  ).toEqual(["message/send one", "tasks/get one", standIn]);
});

it("ignores answers about a task that an unanswered or unreadable message may have opened", () => {
  const laterMessages = [getRequest("q2", "two"), taskAnswer("r2", "two")];
  expect(summarize(...laterMessages)).toEqual(["tasks/get two"]);
  expect(summarize(sendRequest("q1"), ...laterMessages)).toEqual([standIn]);
  expect(summarize(["EVENT", {}], ...laterMessages)).toEqual([standIn]);
});

it("ignores an error code if the request has a fault of its own", () => {
  const validRequest = { ...getRequest("q1", "none"), timestamp: 1_768_478_400 };
  const summarizeAnswer = (request: JsonObject, members: JsonObject = {}): string[] =>
    summarize(request, { ...refusal("r1", 1003), timestamp: 1_768_478_401, ...members });
  expect(summarizeAnswer(validRequest)).toEqual(["tasks/get 1003"]);
  const faultyRequests: JsonObject[] = [
    { ...validRequest, version: "9.9" },
    { ...validRequest, payload: { taskId: "none", historyLength: -1 } },
    { ...validRequest, sig: "0" },
    { ...validRequest, timestamp: 1_768_478_000 },
  ];
  for (const request of faultyRequests) expect(summarizeAnswer(request)).toEqual([standIn]);
});

it("ignores a refusal of a task as unknown, and does not validate an answer with the flag of a repeated request", () => {
  const lines = [sendRequest("q1"), openingAnswer("r1", "one"), getRequest("q2", "one"), refusal("r2", 1001)];
  expect(summarize(...lines)).toEqual(["message/send one", standIn]);
  expect(summarize(...lines.slice(2))).toEqual(["tasks/get 1001"]);
  const answerToFlag = openingAnswer("r1", "one");
  const { messages } = session([
    sendRequest("q1"),
    { ...answerToFlag, payload: { ...(answerToFlag.payload as JsonObject), deduplicated: true } },
  ]);
  expect(messages.map(({ line }) => line)).toEqual([0]);
});

it("reads a postponed request again, and ignores the answer to a message that reached another task", () => {
  const postponed = { ...refusal("r0", 5002), method: "message/send" };
  expect(
    summarize(
      sendRequest("q1"),
      postponed,
      sendRequest("q1"),
      openingAnswer("r1", "one"),
      getRequest("q2", "one"),
      taskAnswer("r2", "one"),
    ),
  ).toEqual(["message/send 5002", "message/send one", "tasks/get one"]);
  const lines = [
    sendRequest("q1"),
    openingAnswer("r1", "one"),
    sendRequest("q2", { taskId: "one" }),
    openingAnswer("r2", "two"),
  ];
  expect(summarize(...lines, getRequest("q3", "two"), taskAnswer("r3", "two"))).toEqual([
    "message/send one",
    standIn,
    standIn,
  ]);
});

it("does not count a message to a finished task, or with a repeated key, as a turn", () => {
  const countTurns = (state: string, payload: JsonObject): number | undefined => {
    const log = [
      sentTask(task("one", state), { payload: { idempotencyKey: "again" } }),
      sentTask(task("one", state), { payload }),
    ];
    return [...stepsIn({ exchanges: [...log, gotTask("one", task("one", state))] })].at(-1)?.knownTask?.turns;
  };
  expect(countTurns("input_required", { taskId: "one" })).toBe(2);
  expect(countTurns("completed", { taskId: "one" })).toBe(1);
  expect(countTurns("completed", { idempotencyKey: "again" })).toBe(1);
});
