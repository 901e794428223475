import type { Json } from "../../../../schemas/index.ts";
import {
  awaitTask,
  blockingOptions,
  getTask,
  hasRecipe,
  type RecipeName,
  recipeMessage,
  taskIn,
  terminalStates,
} from "./recipes.ts";
import { type InterfaceVisit, notShown, openStream, type TaskReading } from "./visit.ts";

/** Follows tasks of several recipes through their lives, and checks that the readings of each task are consistent. */
export async function checkTaskLives(visit: InterfaceVisit): Promise<void> {
  const { context, party } = visit;
  const names = (["finishing", "working", "asking", "failing"] as RecipeName[]).filter((name) =>
    hasRecipe(context, name),
  );
  let hasOnlyReplies = true;
  if (party.hasStreaming) await followStream(visit);
  for (const name of names) {
    const answer = await visit.call(
      "SendMessage",
      { message: recipeMessage(context, name), configuration: { returnImmediately: true } },
      blockingOptions(visit),
    );
    const task = taskIn(answer);
    if (task === undefined) continue;
    hasOnlyReplies = false;
    await awaitTask(visit, task.id as Json);
    if (name === "asking")
      await visit.call(
        "SendMessage",
        { message: recipeMessage(context, "answering", { taskId: task.id as Json }) },
        blockingOptions(visit),
      );
    const laterTask = await getTask(visit, task.id as Json);
    const returnedContext = task.contextId;
    const hasSameContext =
      laterTask.contextId === undefined || laterTask.contextId === "" || returnedContext === laterTask.contextId;
    visit.expect(
      "A2A-CTX-001",
      hasSameContext,
      `the reply names the context ${JSON.stringify(returnedContext)}, and the task has ${JSON.stringify(laterTask.contextId)}`,
    );
    visit.expect(
      "A2A-CTX-001",
      laterTask.contextId !== undefined && laterTask.contextId !== "",
      "a task does not name a context",
      "SHOULD",
    );
  }
  if (hasOnlyReplies) throw notShown("the agent answers with messages, and does not create tasks");
  await visit.call("ListTasks", { pageSize: 20 });
  for (const readings of groupByTask(visit.readings)) {
    if (readings.length > 1) checkLife(visit, readings);
    checkContextNamed(visit, readings);
  }
}

/** Checks that the first answer about a task names the task's context if a later one does. */
function checkContextNamed(visit: InterfaceVisit, readings: readonly TaskReading[]): void {
  const [firstReading] = readings;
  const hasContext = ({ contextId }: TaskReading): boolean => contextId !== undefined && contextId !== "";
  const laterReading = readings.find(hasContext);
  if (firstReading === undefined || laterReading === undefined || !/^Send/.test(firstReading.via)) return;
  const why = `the task ${firstReading.id} is returned by ${firstReading.via} without a context, and is in ${laterReading.contextId} by ${laterReading.via}`;
  visit.expect("A2A-CTX-001", hasContext(firstReading), why);
}

async function followStream(visit: InterfaceVisit): Promise<void> {
  const stream = await openStream(visit, "SendStreamingMessage", {
    message: recipeMessage(visit.context, "finishing"),
  });
  while (stream.isStream && (await stream.read(stream.items.length + 1, 5000)))
    if (terminalStates.includes(visit.readings.at(-1)?.state ?? "")) break;
  stream.cut();
}

function groupByTask(readings: readonly TaskReading[]): TaskReading[][] {
  const readingsByTask = new Map<string, TaskReading[]>();
  for (const reading of readings) readingsByTask.set(reading.id, [...(readingsByTask.get(reading.id) ?? []), reading]);
  return [...readingsByTask.values()];
}

/** Compares all readings of one task, each with the previous one. */
function checkLife(visit: InterfaceVisit, readings: readonly TaskReading[]): void {
  let previous: TaskReading | undefined;
  for (const current of readings) {
    const timestampMs = Date.parse(String(current.timestamp));
    visit.expect(
      "A2A-TASK-008",
      Number.isFinite(timestampMs),
      `the status of a task has the timestamp ${JSON.stringify(current.timestamp)}`,
    );
    if (previous !== undefined) compareReadings(visit, previous, current);
    previous = current;
  }
}

function compareReadings(visit: InterfaceVisit, previous: TaskReading, current: TaskReading): void {
  const [contextBefore, contextNow] = [previous, current].map(({ contextId }) =>
    contextId === "" ? undefined : contextId,
  );
  const isSame = contextBefore === undefined || contextNow === undefined || contextBefore === contextNow;
  visit.expect(
    "A2A-TASK-007",
    isSame,
    `the task ${current.id} is in the context ${contextBefore}, and then in ${contextNow}`,
  );
  const [timeBefore, timeNow] = [previous, current].map(({ timestamp }) => Date.parse(String(timestamp)));
  const isLater = !((timeNow as number) < (timeBefore as number));
  visit.expect(
    "A2A-TASK-008",
    isLater,
    `the status of a task has the timestamp ${previous.timestamp}, and then ${current.timestamp}`,
  );
  const isOver = terminalStates.includes(previous.state);
  visit.expect(
    "A2A-TASK-011",
    !isOver || current.state === previous.state,
    `a task is ${previous.state}, and then ${current.state}`,
  );
  const isReset = current.state === "TASK_STATE_SUBMITTED" && previous.state !== current.state;
  visit.expect(
    "A2A-TASK-011",
    !isReset || isOver,
    `a task is ${previous.state}, and then ${current.state} again`,
    "SHOULD",
  );
}
