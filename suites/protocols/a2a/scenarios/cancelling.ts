import type { Json, JsonObject, Scenario } from "../../../../schemas/index.ts";
import { brief, isError, isServerFault } from "./calls.ts";
import {
  askingTask,
  awaitTask,
  finishedTask,
  getTask,
  hasRecipe,
  openTask,
  running,
  stateOf,
  terminal,
  unknownId,
  workingTask,
} from "./recipes.ts";
import { atEachInterface, type InterfaceVisit, notShown, optionMissing } from "./visit.ts";

const canceled = "TASK_STATE_CANCELED";

/** Unfinished tasks of each kind that the agent can be made to open. */
async function liveTasks(visit: InterfaceVisit): Promise<JsonObject[]> {
  const { context } = visit;
  if (!hasRecipe(context, "asking") && !hasRecipe(context, "working"))
    throw optionMissing("working", "a message on which the agent works for a second or more, in several updates");
  const asking = hasRecipe(context, "asking") ? [await askingTask(visit)] : [];
  return hasRecipe(context, "working") ? [...asking, await workingTask(visit)] : asking;
}

async function cancelsLive(visit: InterfaceVisit): Promise<void> {
  for (const task of await liveTasks(visit)) {
    const id = task.id as Json;
    const observed = await visit.call("CancelTask", { id });
    const after = await getTask(visit, id);
    const before = stateOf(task);
    if (observed.error !== undefined) {
      if (isError(observed, "TaskNotCancelable") && terminal.includes(stateOf(after)) && stateOf(after) !== canceled)
        continue;
      const isKnown = isError(observed, "TaskNotCancelable", "UnsupportedOperation");
      const why = `the cancel of a task that is ${before} is answered with ${brief(observed)}`;
      visit.expect("A2A-CAN-001", false, why, isKnown && stateOf(after) !== canceled ? "SHOULD" : "MUST");
      continue;
    }
    const said = stateOf(observed.result);
    if (running.includes(said)) {
      const end = await awaitTask(visit, id);
      const isLate = stateOf(end) === canceled;
      visit.expect(
        "A2A-CAN-001",
        false,
        `the cancel of a task that is ${before} leaves it ${said}`,
        isLate ? "SHOULD" : "MUST",
      );
      continue;
    }
    const isAgreed = said === canceled && stateOf(after) === canceled;
    visit.expect(
      "A2A-CAN-001",
      isAgreed,
      `the cancel of a task that is ${before} says ${said}, and GetTask ${stateOf(after)}`,
    );
  }
}

async function cancelsTwice(visit: InterfaceVisit): Promise<void> {
  for (const task of await liveTasks(visit)) {
    const id = task.id as Json;
    const first = await visit.call("CancelTask", { id });
    if (first.error !== undefined || stateOf(first.result) !== canceled) continue;
    const observed = await visit.call("CancelTask", { id });
    const isFine = observed.error === undefined || isError(observed, "TaskNotCancelable", "TaskNotFound");
    visit.expect("A2A-CAN-003", isFine, `a second cancel is answered with ${brief(observed)}`);
    const after = await visit.call("GetTask", { id });
    const isSame = isError(after, "TaskNotFound") || stateOf(after.result) === canceled;
    visit.expect("A2A-CAN-003", isSame, `a task that was cancelled twice is ${stateOf(after.result)}`);
  }
}

async function cancelsOver(visit: InterfaceVisit): Promise<void> {
  const names = (["finishing", "failing", "rejecting"] as const).filter((name) => hasRecipe(visit.context, name));
  for (const name of names) {
    const task = await finishedTask(visit, name);
    const state = stateOf(task);
    const observed = await visit.call("CancelTask", { id: task.id as Json });
    visit.expect(
      "A2A-CAN-002",
      isError(observed, "TaskNotCancelable"),
      `the cancel of a task that is ${state} is answered with ${brief(observed)}`,
    );
    const after = await getTask(visit, task.id as Json);
    visit.expect(
      "A2A-CAN-002",
      stateOf(after) === state,
      `a task that was ${state} is ${stateOf(after)} after a cancel`,
    );
  }
}

async function cancelsUnknown(visit: InterfaceVisit): Promise<void> {
  const observed = await visit.call("CancelTask", { id: unknownId(visit.context) });
  visit.expect(
    "A2A-CAN-004",
    isError(observed, "TaskNotFound"),
    `the cancel of an unknown task is answered with ${brief(observed)}`,
  );
}

/** The number of cancellations, each nearer to the end of its task. */
const rounds = 5;

/** Shares of the time that a task works: a cancellation after the first should be in time, and one after the second too late. */
const around = { early: 0.5, late: 1.1 } as const;

/** Cancels tasks closer and closer to their end, from both sides. */
async function racesEnd(visit: InterfaceVisit): Promise<void> {
  const begun = performance.now();
  await openTask(visit, "working");
  const full = performance.now() - begun;
  const { timeScale = 1 } = visit.context.setting;
  const near: Record<keyof typeof around, number> = { ...around };
  for (let round = 0; round < rounds; round++) {
    const share = (near.early + near.late) / 2;
    const { id = null } = await workingTask(visit);
    await visit.context.wait((full * share) / timeScale);
    const isInTime = await cancelsNearEnd(visit, id);
    near[isInTime ? "early" : "late"] = share;
  }
  if (near.early === around.early) throw notShown("no cancellation of a task at work was in time");
  if (near.late === around.late) throw notShown("no cancellation of a task at work came after its end");
}

/** Cancels a task, and compares the answer with the end of the task; returns whether it was cancelled. */
async function cancelsNearEnd(visit: InterfaceVisit, id: Json): Promise<boolean> {
  const observed = await visit.call("CancelTask", { id });
  const after = await awaitTask(visit, id);
  const isSaid = observed.error === undefined && stateOf(observed.result) === canceled;
  if (isServerFault(observed))
    visit.expect("A2A-CAN-005", false, `a cancel near the end is answered with ${brief(observed)}`);
  const isCancelled = stateOf(after) === canceled;
  visit.expect(
    "A2A-CAN-005",
    isSaid === isCancelled || running.includes(stateOf(observed.result)),
    `a cancel near the end is answered with ${brief(observed)}, and the task is ${stateOf(after)}`,
  );
  return isCancelled;
}

export const cancelling: readonly Scenario[] = [
  atEachInterface({
    name: "cancel-live",
    says: "an unfinished task can be cancelled",
    rules: ["A2A-CAN-001"],
    play: cancelsLive,
  }),
  atEachInterface({
    name: "cancel-twice",
    says: "a second cancellation changes nothing",
    rules: ["A2A-CAN-003"],
    play: cancelsTwice,
  }),
  atEachInterface({
    name: "cancel-over",
    says: "a finished task is not cancelled",
    rules: ["A2A-CAN-002"],
    play: cancelsOver,
  }),
  atEachInterface({
    name: "cancel-unknown",
    says: "an unknown task is not found",
    rules: ["A2A-CAN-004"],
    play: cancelsUnknown,
  }),
  atEachInterface({
    name: "cancel-race",
    says: "a cancellation near the end reports whether it came in time",
    waits: 30_000,
    rules: ["A2A-CAN-005"],
    withinMs: 180_000,
    slow: true,
    play: racesEnd,
  }),
];
