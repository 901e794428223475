import type { Json, JsonObject, Scenario } from "../../../../schemas/index.ts";
import { describeAnswer, isError, isServerFault } from "./calls.ts";
import {
  awaitTask,
  getTask,
  hasRecipe,
  makeAskingTask,
  makeFinishedTask,
  makeWorkingTask,
  openTask,
  runningStates,
  stateOf,
  terminalStates,
  unknownId,
} from "./recipes.ts";
import { atEachInterface, type InterfaceVisit, notShown, optionMissing } from "./visit.ts";

const canceledState = "TASK_STATE_CANCELED";

/** Opens an unfinished task of each kind for which there is a recipe. */
async function openUnfinishedTasks(visit: InterfaceVisit): Promise<JsonObject[]> {
  const { context } = visit;
  if (!hasRecipe(context, "asking") && !hasRecipe(context, "working"))
    throw optionMissing("working", "a message on which the agent works for a second or more, in several updates");
  const askingTasks = hasRecipe(context, "asking") ? [await makeAskingTask(visit)] : [];
  return hasRecipe(context, "working") ? [...askingTasks, await makeWorkingTask(visit)] : askingTasks;
}

async function checkCancelUnfinished(visit: InterfaceVisit): Promise<void> {
  for (const task of await openUnfinishedTasks(visit)) {
    const id = task.id as Json;
    const answer = await visit.call("CancelTask", { id });
    const taskAfter = await getTask(visit, id);
    const stateBefore = stateOf(task);
    if (answer.error !== undefined) {
      if (
        isError(answer, "TaskNotCancelable") &&
        terminalStates.includes(stateOf(taskAfter)) &&
        stateOf(taskAfter) !== canceledState
      )
        continue;
      const isKnown = isError(answer, "TaskNotCancelable", "UnsupportedOperation");
      const why = `cancelling a task that is ${stateBefore} is answered with ${describeAnswer(answer)}`;
      visit.expect("A2A-CAN-001", false, why, isKnown && stateOf(taskAfter) !== canceledState ? "SHOULD" : "MUST");
      continue;
    }
    const reportedState = stateOf(answer.result);
    if (runningStates.includes(reportedState)) {
      const endedTask = await awaitTask(visit, id);
      const isCanceledLater = stateOf(endedTask) === canceledState;
      visit.expect(
        "A2A-CAN-001",
        false,
        `cancelling a task that is ${stateBefore} leaves it ${reportedState}`,
        isCanceledLater ? "SHOULD" : "MUST",
      );
      continue;
    }
    const isCanceled = reportedState === canceledState && stateOf(taskAfter) === canceledState;
    visit.expect(
      "A2A-CAN-001",
      isCanceled,
      `cancelling a task that is ${stateBefore} says ${reportedState}, and GetTask ${stateOf(taskAfter)}`,
    );
  }
}

async function checkSecondCancel(visit: InterfaceVisit): Promise<void> {
  for (const task of await openUnfinishedTasks(visit)) {
    const id = task.id as Json;
    const firstAnswer = await visit.call("CancelTask", { id });
    if (firstAnswer.error !== undefined || stateOf(firstAnswer.result) !== canceledState) continue;
    const secondAnswer = await visit.call("CancelTask", { id });
    const isAllowed = secondAnswer.error === undefined || isError(secondAnswer, "TaskNotCancelable", "TaskNotFound");
    visit.expect("A2A-CAN-003", isAllowed, `a second cancel is answered with ${describeAnswer(secondAnswer)}`);
    const taskAnswer = await visit.call("GetTask", { id });
    const staysCanceled = isError(taskAnswer, "TaskNotFound") || stateOf(taskAnswer.result) === canceledState;
    visit.expect("A2A-CAN-003", staysCanceled, `a task that was cancelled twice is ${stateOf(taskAnswer.result)}`);
  }
}

async function checkCancelFinished(visit: InterfaceVisit): Promise<void> {
  const recipeNames = (["finishing", "failing", "rejecting"] as const).filter((name) => hasRecipe(visit.context, name));
  for (const name of recipeNames) {
    const task = await makeFinishedTask(visit, name);
    const state = stateOf(task);
    const answer = await visit.call("CancelTask", { id: task.id as Json });
    visit.expect(
      "A2A-CAN-002",
      isError(answer, "TaskNotCancelable"),
      `cancelling a task that is ${state} is answered with ${describeAnswer(answer)}`,
    );
    const taskAfter = await getTask(visit, task.id as Json);
    visit.expect(
      "A2A-CAN-002",
      stateOf(taskAfter) === state,
      `a task that was ${state} is ${stateOf(taskAfter)} after a cancel`,
    );
  }
}

async function checkCancelUnknown(visit: InterfaceVisit): Promise<void> {
  const answer = await visit.call("CancelTask", { id: unknownId(visit.context) });
  visit.expect(
    "A2A-CAN-004",
    isError(answer, "TaskNotFound"),
    `cancelling an unknown task is answered with ${describeAnswer(answer)}`,
  );
}

/** The number of cancellations in the race, each closer to the end of its task. */
const raceRounds = 5;

/** Fractions of a task's working time. A cancellation at the early one should succeed; one at the late one should fail. */
const initialShares = { early: 0.5, late: 1.1 } as const;

/** Finds the end of a task by bisection: each round cancels a task in the middle of the range, and halves the range. */
async function checkCancelRace(visit: InterfaceVisit): Promise<void> {
  const startedAt = performance.now();
  await openTask(visit, "working");
  const workingMs = performance.now() - startedAt;
  const { timeScale = 1 } = visit.context.setting;
  const shares: Record<keyof typeof initialShares, number> = { ...initialShares };
  for (let round = 0; round < raceRounds; round++) {
    const share = (shares.early + shares.late) / 2;
    const { id = null } = await makeWorkingTask(visit);
    await visit.context.wait((workingMs * share) / timeScale);
    const isInTime = await cancelNearEnd(visit, id);
    shares[isInTime ? "early" : "late"] = share;
  }
  if (shares.early === initialShares.early) throw notShown("no cancellation of a working task was in time");
  if (shares.late === initialShares.late) throw notShown("no cancellation of a working task was too late");
}

/** Cancels a task, and compares the answer with the end of the task; returns whether it was cancelled. */
async function cancelNearEnd(visit: InterfaceVisit, id: Json): Promise<boolean> {
  const answer = await visit.call("CancelTask", { id });
  const endedTask = await awaitTask(visit, id);
  const reportsCancel = answer.error === undefined && stateOf(answer.result) === canceledState;
  if (isServerFault(answer))
    visit.expect("A2A-CAN-005", false, `a cancel near the end is answered with ${describeAnswer(answer)}`);
  const isCancelled = stateOf(endedTask) === canceledState;
  visit.expect(
    "A2A-CAN-005",
    reportsCancel === isCancelled || runningStates.includes(stateOf(answer.result)),
    `a cancel near the end is answered with ${describeAnswer(answer)}, and the task is ${stateOf(endedTask)}`,
  );
  return isCancelled;
}

export const cancelScenarios: readonly Scenario[] = [
  atEachInterface({
    name: "cancel-live",
    says: "an unfinished task can be cancelled",
    rules: ["A2A-CAN-001"],
    play: checkCancelUnfinished,
  }),
  atEachInterface({
    name: "cancel-twice",
    says: "a second cancellation has no effect",
    rules: ["A2A-CAN-003"],
    play: checkSecondCancel,
  }),
  atEachInterface({
    name: "cancel-over",
    says: "a finished task is not cancelled",
    rules: ["A2A-CAN-002"],
    play: checkCancelFinished,
  }),
  atEachInterface({
    name: "cancel-unknown",
    says: "an unknown task is not found",
    rules: ["A2A-CAN-004"],
    play: checkCancelUnknown,
  }),
  atEachInterface({
    name: "cancel-race",
    says: "a cancellation near the end reports whether it was in time",
    waits: 30_000,
    rules: ["A2A-CAN-005"],
    withinMs: 180_000,
    slow: true,
    play: checkCancelRace,
  }),
];
