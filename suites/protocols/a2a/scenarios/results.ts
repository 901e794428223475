import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { type CallResult, describeAnswer } from "./calls.ts";
import { makeMessage } from "./recipes.ts";
import type { InterfaceVisit } from "./visit.ts";

/** Members with user-defined content, which may contain null. */
const userMembers = ["data", "metadata", "params", "header"];

/** Finds the path of the first null outside user-defined content; undefined if there is none. */
function findNull(value: Json | undefined, path = ""): string | undefined {
  if (value === null) return path;
  if (Array.isArray(value))
    return findFirstNull(
      value.map((item, index): [string, Json] => [String(index), item]),
      path,
    );
  if (!isObject(value)) return undefined;
  return findFirstNull(
    Object.entries(value).filter(([name, memberValue]) =>
      memberValue === null ? name !== "data" : !userMembers.includes(name),
    ),
    path,
  );
}

function findFirstNull(members: readonly [name: string, value: Json | undefined][], path: string): string | undefined {
  for (const [name, member] of members) {
    const nullPath = findNull(member, `${path}/${name}`);
    if (nullPath !== undefined) return nullPath;
  }
  return undefined;
}

/** Checks the form of the result of each operation. */
export async function checkResults(visit: InterfaceVisit): Promise<void> {
  const { context, endpoint } = visit;
  const rule = endpoint.binding === "JSONRPC" ? "A2A-RPC-010" : "A2A-REST-002";
  const expectNoNull = (operation: string, { result }: CallResult): void => {
    const nullPath = findNull(result);
    visit.expect("A2A-JSON-008", nullPath === undefined, `the result of ${operation} contains null at ${nullPath}`);
  };
  const sendAnswer = await visit.call("SendMessage", { message: makeMessage(context) });
  expectNoNull("SendMessage", sendAnswer);
  const resultMembers = isObject(sendAnswer.result)
    ? ["task", "message"].filter((name) => isObject((sendAnswer.result as JsonObject)[name]))
    : [];
  visit.expect("A2A-SEND-001", resultMembers.length === 1, `a message is answered with ${describeAnswer(sendAnswer)}`);
  if (resultMembers.length !== 1) return;
  const task = (sendAnswer.result as JsonObject).task;
  if (isObject(task)) {
    const taskAnswer = await visit.call("GetTask", { id: task.id as Json });
    expectNoNull("GetTask", taskAnswer);
    const isTask = isObject(taskAnswer.result) && taskAnswer.result.id === task.id;
    visit.expect(rule, isTask, `GetTask returns ${describeAnswer(taskAnswer)}, not the task`);
  }
  const listAnswer = await visit.call("ListTasks", { pageSize: 1 });
  expectNoNull("ListTasks", listAnswer);
  const isList = isObject(listAnswer.result) && !Array.isArray(listAnswer.result);
  visit.expect(rule, isList, `ListTasks returns ${describeAnswer(listAnswer)}, not an object with the tasks`);
  const { status } = sendAnswer.reply;
  visit.expect(rule, status === 200, `an accepted message is answered with HTTP ${status}`, "SHOULD");
}
