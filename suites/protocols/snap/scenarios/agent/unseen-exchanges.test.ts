import { expect, it } from "vitest";
import { c } from "../../rules/keys.ts";
import { cancelled, got, log, refused, sent, task } from "../../rules/logs.fixture.ts";
import { unseen } from "./unseen-exchanges.ts";

const bare = (id: string, state: string) => ({ ...task(id, state), contextId: undefined as never });
const opened = sent(task("one", "working"));
const theirs = { from: c.address.main };

it.each([
  [
    "SNAP-TASK-002",
    [got("one", task("one", "working"))],
    [got("one", task("one", "completed")), got("one", task("one", "completed"))],
  ],
  ["SNAP-TASK-004", [got("one", task("one", "working"))], [sent(task("two", "working"))]],
  [
    "SNAP-TASK-008",
    [cancelled("one", task("one", "working"))],
    [cancelled("one", task("one", "canceled")), cancelled("one", refused(1002))],
  ],
  [
    "SNAP-TASK-009",
    [got("one", task("one", "completed"))],
    [got("one", task("one", "completed")), got("one", task("one", "completed"))],
  ],
  ["SNAP-CTX-005", [got("one", bare("one", "working"))], [got("one", task("one", "working"))]],
  [
    "SNAP-CTX-003",
    [sent(bare("two", "working"), theirs)],
    [sent(task("two", "working", { contextId: "ctx-6" }), theirs)],
  ],
])("takes %s for kept only once it could have been broken", (rule, less, enough) => {
  expect(unseen(rule, log(opened, ...less))).toMatch(/^the agent was not seen /);
  expect(unseen(rule, log(opened, ...enough))).toBeUndefined();
});
