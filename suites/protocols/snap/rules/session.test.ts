import { expect, it } from "vitest";
import type { JsonObject } from "../../../../schemas/index.ts";
import { a, b, c, type TestKey } from "./keys.ts";
import { session } from "./session.ts";

const get = (id: string, taskId: string, from: TestKey = a): JsonObject => ({
  ...{ id, type: "request", method: "tasks/get", payload: { taskId } },
  ...{ from: from.address.main, to: b.address.main },
});
const told = (id: string, taskId: string, to: TestKey = a): JsonObject => ({
  ...{ id, type: "response", method: "tasks/get", payload: { task: { id: taskId } } },
  ...{ from: b.address.main, to: to.address.main },
});

/** Asked and answered, by the ids of tasks. */
async function paired(...lines: JsonObject[]): Promise<string[]> {
  const { value } = session(lines);
  const { exchanges } = value as unknown as {
    exchanges: { payload: { taskId: string }; answer: { task: { id: string } } }[];
  };
  return exchanges.map(({ payload, answer }) => `${payload.taskId} ${answer.task.id}`);
}

it("takes a response for the answer to the open request of its method between the same two", async () => {
  expect(await paired(get("q1", "one"), told("r1", "one"), get("q2", "two"), told("r2", "two"))).toEqual([
    "one one",
    "two two",
  ]);
  expect(await paired(get("q1", "one"), get("q2", "two", c), told("r1", "two", c), told("r2", "one"))).toEqual([
    "two two",
    "one one",
  ]);
  expect(await paired(get("q1", "one"), { ...told("r1", "one"), method: "tasks/cancel" })).toEqual([]);
});

it("goes by an id that both have, and takes a response for nothing where it may answer several requests", async () => {
  const crossed = [get("q1", "one"), get("q2", "two")];
  expect(await paired(...crossed, told("q2", "two"), told("q1", "one"))).toEqual(["two two", "one one"]);
  expect(await paired(...crossed, told("r2", "two"), told("r1", "one"))).toEqual([]);
  expect(await paired(...crossed, told("r2", "two"), get("q3", "three"), told("r3", "three"))).toEqual(["three three"]);
});
