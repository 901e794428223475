import { expect, it } from "vitest";
import { keyC } from "../../rules/keys.ts";
import { cancelled, gotTask, log, refusedWith, sentTask, task } from "../../rules/logs.fixture.ts";
import { unseenExchange } from "./unseen-exchanges.ts";

const taskWithoutContext = (id: string, state: string) => ({ ...task(id, state), contextId: undefined as never });
const openingExchange = sentTask(task("one", "working"));
const byOtherSender = { from: keyC.address.main };

it.each([
  [
    "SNAP-TASK-002",
    [gotTask("one", task("one", "working"))],
    [gotTask("one", task("one", "completed")), gotTask("one", task("one", "completed"))],
  ],
  ["SNAP-TASK-004", [gotTask("one", task("one", "working"))], [sentTask(task("two", "working"))]],
  [
    "SNAP-TASK-008",
    [cancelled("one", task("one", "working"))],
    [cancelled("one", task("one", "canceled")), cancelled("one", refusedWith(1002))],
  ],
  [
    "SNAP-TASK-009",
    [gotTask("one", task("one", "completed"))],
    [gotTask("one", task("one", "completed")), gotTask("one", task("one", "completed"))],
  ],
  ["SNAP-CTX-005", [gotTask("one", taskWithoutContext("one", "working"))], [gotTask("one", task("one", "working"))]],
  [
    "SNAP-CTX-003",
    [sentTask(taskWithoutContext("two", "working"), byOtherSender)],
    [sentTask(task("two", "working", { contextId: "ctx-6" }), byOtherSender)],
  ],
])("lets %s conform only if the log could have violated it", (rule, insufficient, sufficient) => {
  expect(unseenExchange(rule, log(openingExchange, ...insufficient))).toMatch(/^the agent was not seen /);
  expect(unseenExchange(rule, log(openingExchange, ...sufficient))).toBeUndefined();
});
