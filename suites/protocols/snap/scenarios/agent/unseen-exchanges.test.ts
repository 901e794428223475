import { expect, it } from "vitest";
import { keyC } from "../../rules/keys.ts";
import { cancelled, gotTask, log, refused, sent, task } from "../../rules/logs.fixture.ts";
import { unseen } from "./unseen-exchanges.ts";

const bare = (id: string, state: string) => ({ ...task(id, state), contextId: undefined as never });
const opened = sent(task("one", "working"));
const theirs = { from: keyC.address.main };

it.each([
  [
    "SNAP-TASK-002",
    [gotTask("one", task("one", "working"))],
    [gotTask("one", task("one", "completed")), gotTask("one", task("one", "completed"))],
  ],
  ["SNAP-TASK-004", [gotTask("one", task("one", "working"))], [sent(task("two", "working"))]],
  [
    "SNAP-TASK-008",
    [cancelled("one", task("one", "working"))],
    [cancelled("one", task("one", "canceled")), cancelled("one", refused(1002))],
  ],
  [
    "SNAP-TASK-009",
    [gotTask("one", task("one", "completed"))],
    [gotTask("one", task("one", "completed")), gotTask("one", task("one", "completed"))],
  ],
  ["SNAP-CTX-005", [gotTask("one", bare("one", "working"))], [gotTask("one", task("one", "working"))]],
  [
    "SNAP-CTX-003",
    [sent(bare("two", "working"), theirs)],
    [sent(task("two", "working", { contextId: "ctx-6" }), theirs)],
  ],
])("takes %s for kept only once it could have been broken", (rule, less, enough) => {
  expect(unseen(rule, log(opened, ...less))).toMatch(/^the agent was not seen /);
  expect(unseen(rule, log(opened, ...enough))).toBeUndefined();
});
