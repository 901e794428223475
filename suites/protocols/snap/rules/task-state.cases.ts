import { kept } from "../../../../generators/index.ts";
import type { Cases, InvalidCase } from "../../../../schemas/index.ts";
import { c } from "./keys.ts";
import { cancelled, got, log, noted, refused, sent, task } from "./logs.ts";
import { between, replaced } from "./messages.ts";

/** What the life of a task is tried with. */
export function taskStateCases(): Cases[] {
  return [reachable(), final(), jumps(), cancelling(), cancellingAgain()];
}

const id = "task-12";
const stateAt = (index: number): string => `/exchanges/${index}/answer/task/status/state`;

function reachable(): Cases {
  const polled = log(sent(task(id, "submitted")), got(id, task(id, "completed")));
  const back = log(
    sent(task(id, "working")),
    got(id, task(id, "input_required")),
    sent(task(id, "working"), { payload: { taskId: id } }),
  );
  const life = noted("submitted", "working", "input_required", "working", "completed");
  const waiting = noted("submitted", "working", "input_required", "failed");
  return {
    rule: "SNAP-TASK-001",
    document: "task-log",
    valid: [
      kept("seen-late", "is completed, as what lies between was not seen", stateAt(1), polled, true),
      kept("back-to-work", "is working, after input was required", stateAt(2), back),
      kept("whole-life", "go by the table", "/states", life),
      kept("asked-once", "go by the table", "/states", noted("submitted", "working", "input_required", "working")),
      kept("failed-while-waiting", "go by the table", "/states", waiting, true),
      kept("canceled-at-once", "go by the table", "/states", noted("submitted", "canceled"), true),
      kept("noted-twice", "have one state noted twice", "/states", noted("submitted", "submitted", "working"), true),
      kept(
        "seen-late-after-waiting",
        "is completed, as the work after the input was not seen",
        stateAt(1),
        log(sent(task(id, "input_required")), got(id, task(id, "completed"))),
        true,
      ),
    ],
    invalid: [
      replaced("back-to-submitted", "is submitted, after work had begun", stateAt(2), "submitted", "back-to-work"),
      replaced(
        "noted-back-to-submitted",
        "is submitted, after work had begun",
        "/states/3/state",
        "submitted",
        "asked-once",
      ),
      replaced(
        "completed-while-waiting",
        "is completed, while input was required",
        "/states/3/state",
        "completed",
        "failed-while-waiting",
      ),
    ],
  };
}

function final(): Cases {
  const done = log(sent(task(id, "working")), got(id, task(id, "completed")), got(id, task(id, "completed")));
  const dropped = log(sent(task(id, "working")), cancelled(id, task(id, "canceled")), got(id, task(id, "canceled")));
  return {
    rule: "SNAP-TASK-002",
    document: "task-log",
    valid: [
      kept("completed", "is completed, as before", stateAt(2), done, true),
      kept("canceled", "is canceled, as before", stateAt(2), dropped),
      kept("failed", "end with failed", "/states", noted("submitted", "failed")),
    ],
    invalid: [
      replaced("completed-working", "is working, after it was completed", stateAt(2), "working"),
      replaced("completed-failed", "is failed, after it was completed", stateAt(2), "failed"),
      replaced("canceled-completed", "is completed, after it was canceled", stateAt(2), "completed", "canceled"),
      {
        name: "failed-working",
        says: "is working, after it had failed",
        from: "failed",
        at: "/states/2/state",
        change: [{ op: "add", path: "/states/-", value: { taskId: id, state: "working" } }],
      },
    ],
  };
}

function jumps(): Cases {
  const both = {
    exchanges: [],
    states: [
      { taskId: id, state: "submitted" },
      { taskId: "task-13", state: "submitted" },
      { taskId: "task-13", state: "working" },
      { taskId: id, state: "working" },
      { taskId: "task-13", state: "completed" },
    ],
  };
  return {
    rule: "SNAP-TASK-003",
    document: "task-log",
    valid: [
      kept("worked", "go through work", "/states", noted("submitted", "working", "completed")),
      kept("asked", "go through work", "/states", noted("submitted", "working", "input_required"), true),
      kept("mixed", "go through work, task by task", "/states", both, true),
      kept("failed-at-once", "end before any work", "/states", noted("submitted", "failed"), true),
    ],
    invalid: [
      {
        name: "completed-at-once",
        says: "is missing, in which it was worked on",
        at: "/states/1",
        change: [{ op: "remove", path: "/states/1" }],
      },
      {
        name: "asked-at-once",
        says: "is missing, in which it was worked on",
        at: "/states/1",
        from: "asked",
        change: [{ op: "remove", path: "/states/1" }],
      },
      {
        name: "other-task-worked",
        says: "is missing, in which this task was worked on",
        at: "/states/2",
        from: "mixed",
        change: [{ op: "remove", path: "/states/2" }],
      },
    ],
  };
}

function cancelling(): Cases {
  const running = log(sent(task(id, "working")), cancelled(id, task(id, "canceled")), got(id, task(id, "canceled")));
  const waiting = log(sent(task(id, "input_required")), cancelled(id, task(id, "canceled")));
  const submitted = log(sent(task(id, "submitted")), cancelled(id, task(id, "canceled")));
  const instead = (name: string, says: string, code: number): InvalidCase => ({
    name,
    says,
    at: "/exchanges/1/answer",
    from: "submitted",
    change: [{ op: "replace", path: "/exchanges/1/answer", value: refused(code) }],
  });
  return {
    rule: "SNAP-TASK-007",
    document: "task-log",
    valid: [
      kept("working", "is canceled", stateAt(1), running),
      kept("waiting", "is canceled", stateAt(1), waiting, true),
      kept("submitted", "is canceled", stateAt(1), submitted, true),
      kept(
        "read-before",
        "is canceled, after it was read at work",
        stateAt(2),
        log(sent(task(id, "working")), got(id, task(id, "working")), cancelled(id, task(id, "canceled"))),
      ),
      kept(
        "by-another",
        "refuses, as another asks",
        "/exchanges/1/answer",
        log(sent(task(id, "working")), cancelled(id, refused(1001), { from: c.address.main })),
        true,
      ),
    ],
    invalid: [
      {
        name: "still-working",
        says: "is working, although the task was cancelled",
        from: "working",
        at: stateAt(1),
        change: between(
          running,
          log(sent(task(id, "working")), cancelled(id, task(id, "working")), got(id, task(id, "working"))),
        ),
      },
      replaced(
        "still-waiting",
        "is input_required, although the task was cancelled",
        stateAt(1),
        "input_required",
        "waiting",
      ),
      instead("unknown", "says that there is no such task", 1001),
      { ...instead("not-cancelable", "says that a running task cannot be cancelled", 1002), level: "SHOULD" },
    ],
  };
}

function cancellingAgain(): Cases {
  const at = "/exchanges/1/answer";
  const done = log(sent(task(id, "completed")), cancelled(id, refused(1002)));
  const failed = log(sent(task(id, "failed")), cancelled(id, refused(1002)));
  const twice = log(
    sent(task(id, "working")),
    cancelled(id, task(id, "canceled")),
    cancelled(id, task(id, "canceled")),
  );
  return {
    rule: "SNAP-TASK-008",
    document: "task-log",
    valid: [
      kept("completed", "refuses, as the task is completed", at, done),
      kept("failed", "refuses, as the task has failed", at, failed, true),
      kept("canceled", "is the task, canceled as before", "/exchanges/2/answer", twice, true),
      kept(
        "read",
        "is the completed task, which was only read",
        at,
        log(sent(task(id, "completed")), got(id, task(id, "completed"))),
        true,
      ),
    ],
    invalid: [
      replaced("completed-canceled", "is the task, now canceled", at, { task: task(id, "canceled") }),
      replaced("failed-canceled", "is the task, now canceled", at, { task: task(id, "canceled") }, "failed"),
      replaced("canceled-working", "is the task, now at work", stateAt(2), "working", "canceled"),
      {
        ...replaced("completed-unchanged", "is the task as it was", at, { task: task(id, "completed") }),
        level: "SHOULD",
      },
      { ...replaced("canceled-refused", "refuses", "/exchanges/2/answer", refused(1002), "canceled"), level: "SHOULD" },
    ],
  };
}
