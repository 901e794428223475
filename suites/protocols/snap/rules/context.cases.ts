import { kept } from "../../../../generators/index.ts";
import type { Cases, JsonObject } from "../../../../schemas/index.ts";
import { c } from "./keys.ts";
import { got, log, sent, task } from "./logs.ts";
import { removed, replaced } from "./messages.ts";

const id = "task-12";
const path = "/exchanges/1/answer/task/contextId";

/** What contexts are tried with. */
export function contextCases(): Cases[] {
  const on = { payload: { taskId: id } };
  const onC = { from: c.address.main };
  const carried = log(sent(task(id, "input_required")), sent(task(id, "working"), on));
  const streamed = {
    exchanges: (carried.exchanges as JsonObject[]).map((each) => ({ ...each, method: "message/stream" })),
  };
  const read = log(sent(task(id, "working")), got(id, task(id, "working")), got(id, task(id, "completed")));
  const two = log(sent(task(id, "working")), sent(task("task-13", "working", { contextId: "ctx-6" }), onC));
  const three = log(...(two.exchanges as JsonObject[]), sent(task("task-14", "working")));
  const own = log(sent(task(id, "working")), sent(task("task-13", "working")));
  return [
    {
      rule: "SNAP-CTX-002",
      document: "task-log",
      valid: [
        kept("same", "is that of the task so far", path, carried),
        kept("streamed", "is that of the task so far", path, streamed, true),
      ],
      invalid: [
        replaced("other", "is another than so far", path, "ctx-6"),
        replaced("other-streamed", "is another than so far", path, "ctx-6", "streamed"),
      ],
    },
    {
      rule: "SNAP-CTX-003",
      document: "task-log",
      valid: [
        kept("two-senders", "is another than that of the first sender", path, two),
        kept("three", "is that of the own task before", "/exchanges/2/answer/task/contextId", three),
        kept("one-sender", "is shared by two tasks of one sender", path, own, true),
      ],
      invalid: [
        replaced("shared", "is that of another sender", path, "ctx-5"),
        replaced(
          "first-again",
          "is that of the sender between",
          "/exchanges/2/answer/task/contextId",
          "ctx-6",
          "three",
        ),
      ],
    },
    {
      rule: "SNAP-CTX-004",
      document: "task-log",
      valid: [
        kept("each", "is there", path, read),
        kept("opened", "is there", "/exchanges/0/answer/task/contextId", log(sent(task(id, "working"))), true),
      ],
      invalid: [
        removed("first", "is missing", "/exchanges/0/answer/task/contextId"),
        removed("last", "is missing", "/exchanges/2/answer/task/contextId"),
        removed("alone", "is missing", "/exchanges/0/answer/task/contextId", "opened"),
      ],
    },
    {
      rule: "SNAP-CTX-005",
      document: "task-log",
      valid: [
        kept("same", "is that of each answer before", "/exchanges/2/answer/task/contextId", read),
        kept("two-tasks", "is another, of another task", path, two, true),
      ],
      invalid: [
        replaced("other", "is another than before", "/exchanges/2/answer/task/contextId", "ctx-6", "same"),
        replaced("case", "differs in case", path, "CTX-5", "same"),
      ],
    },
  ];
}
