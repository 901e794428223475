import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { brief, type CallResult } from "./calls.ts";
import { messageOf } from "./recipes.ts";
import type { InterfaceVisit } from "./visit.ts";

/** Members with values of the user's own: a null is a value there. */
const free = ["data", "metadata", "params", "header"];

/** The place of a member of the protocol that is null; undefined if none is. */
function nullIn(value: Json | undefined, path = ""): string | undefined {
  if (value === null) return path;
  if (Array.isArray(value))
    return firstNull(
      value.map((each, index): [string, Json] => [String(index), each]),
      path,
    );
  if (!isObject(value)) return undefined;
  return firstNull(
    Object.entries(value).filter(([name, each]) => (each === null ? name !== "data" : !free.includes(name))),
    path,
  );
}

function firstNull(members: readonly [name: string, value: Json | undefined][], path: string): string | undefined {
  for (const [name, each] of members) {
    const found = nullIn(each, `${path}/${name}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Checks the form of results, which differs by operation. */
export async function shapesResults(visit: InterfaceVisit): Promise<void> {
  const { context, endpoint } = visit;
  const rule = endpoint.binding === "JSONRPC" ? "A2A-RPC-010" : "A2A-REST-002";
  const leavesOut = (operation: string, { result }: CallResult): void => {
    const place = nullIn(result);
    visit.expect("A2A-JSON-008", place === undefined, `the result of ${operation} has null at ${place}`);
  };
  const sent = await visit.call("SendMessage", { message: messageOf(context) });
  leavesOut("SendMessage", sent);
  const wrapped = isObject(sent.result)
    ? ["task", "message"].filter((name) => isObject((sent.result as JsonObject)[name]))
    : [];
  visit.expect("A2A-SEND-001", wrapped.length === 1, `a message is answered with ${brief(sent)}`);
  if (wrapped.length !== 1) return;
  const task = (sent.result as JsonObject).task;
  if (isObject(task)) {
    const got = await visit.call("GetTask", { id: task.id as Json });
    leavesOut("GetTask", got);
    const isBare = isObject(got.result) && got.result.id === task.id;
    visit.expect(rule, isBare, `GetTask gives ${brief(got)}, not the Task`);
  }
  const listed = await visit.call("ListTasks", { pageSize: 1 });
  leavesOut("ListTasks", listed);
  const isList = isObject(listed.result) && !Array.isArray(listed.result);
  visit.expect(rule, isList, `ListTasks gives ${brief(listed)}, not an object with the tasks`);
  const { status } = sent.reply;
  visit.expect(rule, status === 200, `a message that is served is answered with HTTP ${status}`, "SHOULD");
}
