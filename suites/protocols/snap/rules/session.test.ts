import { expect, it } from "vitest";
import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { a, keyB, keyC, type TestKey } from "./keys.ts";
import { gotTask, sentTask, task } from "./logs.fixture.ts";
import { saidMessage } from "./messages.ts";
import { session } from "./session.ts";
import { stepsIn } from "./task-log.ts";

const get = (id: string, taskId: string, from: TestKey = a): JsonObject => ({
  id,
  type: "request",
  method: "tasks/get",
  payload: { taskId },
  from: from.address.main,
  to: keyB.address.main,
});
const taskAnswer = (id: string, taskId: string, to: TestKey = a): JsonObject => ({
  id,
  type: "response",
  method: "tasks/get",
  payload: { task: { id: taskId } },
  from: keyB.address.main,
  to: to.address.main,
});

/** Pairs lines, and lists the ids of the tasks. */
async function taskIdsIn(...lines: JsonObject[]): Promise<string[]> {
  const { value } = session(lines);
  const { exchanges } = value as unknown as {
    exchanges: { payload: { taskId: string }; answer: { task: { id: string } } }[];
  };
  return exchanges.map(({ payload, answer }) => `${payload.taskId} ${answer.task.id}`);
}

it("pairs a response with the open request of its method between the same parties", async () => {
  expect(await taskIdsIn(get("q1", "one"), taskAnswer("r1", "one"), get("q2", "two"), taskAnswer("r2", "two"))).toEqual(
    ["one one", "two two"],
  );
  expect(
    await taskIdsIn(get("q1", "one"), get("q2", "two", keyC), taskAnswer("r1", "two", keyC), taskAnswer("r2", "one")),
  ).toEqual(["two two", "one one"]);
  expect(await taskIdsIn(get("q1", "one"), { ...taskAnswer("r1", "one"), method: "tasks/cancel" })).toEqual([]);
});

it("pairs by a common id, and pairs nothing if several requests fit", async () => {
  const crossed = [get("q1", "one"), get("q2", "two")];
  expect(await taskIdsIn(...crossed, taskAnswer("q2", "two"), taskAnswer("q1", "one"))).toEqual(["two two", "one one"]);
  expect(await taskIdsIn(...crossed, taskAnswer("r2", "two"), taskAnswer("r1", "one"))).toEqual([]);
  expect(await taskIdsIn(...crossed, taskAnswer("r2", "two"), get("q3", "three"), taskAnswer("r3", "three"))).toEqual([
    "three three",
  ]);
});

const send = (id: string, payload: JsonObject = {}): JsonObject => ({
  ...get(id, ""),
  method: "message/send",
  payload: { message: saidMessage, ...payload },
});
const openingAnswer = (id: string, taskId: string): JsonObject => ({
  ...taskAnswer(id, taskId),
  method: "message/send",
});
const refusal = (id: string, code: number): JsonObject => ({
  ...taskAnswer(id, ""),
  payload: { error: { code, message: "No." } },
});

/** The methods and answers of the exchanges, in short. */
function summarize(...lines: Json[]): string[] {
  const { value } = session(lines);
  const { exchanges } = value as { exchanges: { method: string; answer: JsonObject }[] };
  return exchanges.map(({ method, answer: { task, error } }) =>
    isObject(task) ? `${method} ${task.id}` : `${method} ${isObject(error) ? error.code : "nothing"}`,
  );
}

/** The entry of a session whose answers allow no conclusion about the task. */
const nothingConcluded = "tasks/cancel 5001";

it("reads an unanswered, repeated request once, and concludes nothing from the answers to a repeated one", () => {
  expect(
    summarize(send("q1"), send("q1"), openingAnswer("r1", "one"), get("q2", "one"), taskAnswer("r2", "one")),
  ).toEqual(["message/send one", "tasks/get one"]);
  const repeated = [send("q1"), openingAnswer("r1", "one"), send("q1"), openingAnswer("r2", "one")];
  expect(summarize(...repeated)).toEqual(["message/send one"]);
  expect(
    summarize(...repeated, get("q3", "one"), taskAnswer("r3", "one"), get("q3", "one"), taskAnswer("r4", "one")),
  ).toEqual(["message/send one", "tasks/get one", nothingConcluded]);
});

it("concludes nothing about a task that an unanswered or unreadable message may have opened", () => {
  const afterwards = [get("q2", "two"), taskAnswer("r2", "two")];
  expect(summarize(...afterwards)).toEqual(["tasks/get two"]);
  expect(summarize(send("q1"), ...afterwards)).toEqual([nothingConcluded]);
  expect(summarize(["EVENT", {}], ...afterwards)).toEqual([nothingConcluded]);
});

it("does not attribute a code to the task if the request has another fault", () => {
  const rightRequest = { ...get("q1", "none"), timestamp: 1_768_478_400 };
  const summarizeAnswer = (afterwards: JsonObject, members: JsonObject = {}): string[] =>
    summarize(afterwards, { ...refusal("r1", 1003), timestamp: 1_768_478_401, ...members });
  expect(summarizeAnswer(rightRequest)).toEqual(["tasks/get 1003"]);
  const faulty: JsonObject[] = [
    { ...rightRequest, version: "9.9" },
    { ...rightRequest, payload: { taskId: "none", historyLength: -1 } },
    { ...rightRequest, sig: "0" },
    { ...rightRequest, timestamp: 1_768_478_000 },
  ];
  for (const each of faulty) expect(summarizeAnswer(each)).toEqual([nothingConcluded]);
});

it("treats an unknown task as finished, and does not validate the flag of a repeated request", () => {
  const lines = [send("q1"), openingAnswer("r1", "one"), get("q2", "one"), refusal("r2", 1001)];
  expect(summarize(...lines)).toEqual(["message/send one", nothingConcluded]);
  expect(summarize(...lines.slice(2))).toEqual(["tasks/get 1001"]);
  const flagged = openingAnswer("r1", "one");
  const { messages } = session([
    send("q1"),
    { ...flagged, payload: { ...(flagged.payload as JsonObject), deduplicated: true } },
  ]);
  expect(messages.map(({ line }) => line)).toEqual([0]);
});

it("reads a postponed request again, and concludes nothing from a message that reached another task", () => {
  const putOff = { ...refusal("r0", 5002), method: "message/send" };
  expect(
    summarize(send("q1"), putOff, send("q1"), openingAnswer("r1", "one"), get("q2", "one"), taskAnswer("r2", "one")),
  ).toEqual(["message/send 5002", "message/send one", "tasks/get one"]);
  const lines = [send("q1"), openingAnswer("r1", "one"), send("q2", { taskId: "one" }), openingAnswer("r2", "two")];
  expect(summarize(...lines, get("q3", "two"), taskAnswer("r3", "two"))).toEqual([
    "message/send one",
    nothingConcluded,
    nothingConcluded,
  ]);
});

it("counts no turn for a message to a finished task, or for a repeated key", () => {
  const turns = (state: string, payload: JsonObject): number | undefined => {
    const log = [
      sentTask(task("one", state), { payload: { idempotencyKey: "again" } }),
      sentTask(task("one", state), { payload }),
    ];
    return [...stepsIn({ exchanges: [...log, gotTask("one", task("one", state))] })].at(-1)?.knownTask?.turns;
  };
  expect(turns("input_required", { taskId: "one" })).toBe(2);
  expect(turns("completed", { taskId: "one" })).toBe(1);
  expect(turns("completed", { idempotencyKey: "again" })).toBe(1);
});
