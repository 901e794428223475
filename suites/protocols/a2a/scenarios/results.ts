import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { brief } from "./calls.ts";
import { messageOf } from "./recipes.ts";
import type { InterfaceVisit } from "./visit.ts";

/** Holds the results of three operations against their forms, over either binding. */
export /** Checks the form of results, in which the operations differ. */
async function shapesResults(visit: InterfaceVisit): Promise<void> {
  const { context, endpoint } = visit;
  const rule = endpoint.binding === "JSONRPC" ? "A2A-RPC-010" : "A2A-REST-002";
  const sent = await visit.call("SendMessage", { message: messageOf(context) });
  const wrapped = isObject(sent.result)
    ? ["task", "message"].filter((name) => isObject((sent.result as JsonObject)[name]))
    : [];
  visit.expect("A2A-SEND-001", wrapped.length === 1, `a message is answered with ${brief(sent)}`);
  if (wrapped.length !== 1) return;
  const task = (sent.result as JsonObject).task;
  if (isObject(task)) {
    const got = await visit.call("GetTask", { id: task.id as Json });
    const isBare = isObject(got.result) && got.result.id === task.id;
    visit.expect(rule, isBare, `GetTask gives ${brief(got)}, not the Task`);
  }
  const listed = await visit.call("ListTasks", { pageSize: 1 });
  const isList = isObject(listed.result) && !Array.isArray(listed.result);
  visit.expect(rule, isList, `ListTasks gives ${brief(listed)}, not an object with the tasks`);
  const { status } = sent.reply;
  visit.expect(rule, status === 200, `a message that is served is answered with HTTP ${status}`, "SHOULD");
}
