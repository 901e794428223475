import { isDeepStrictEqual } from "node:util";
import { isObject, type Json, type Scenario } from "../../../../schemas/index.ts";
import { boundOf } from "./bounds.ts";
import { describeAnswer } from "./calls.ts";
import { listIn } from "./party.ts";
import {
  awaitTask,
  getTask,
  hasRecipe,
  interruptedStates,
  openTask,
  recipeMessage,
  runningStates,
  stateOf,
  terminalStates,
} from "./recipes.ts";
import { atEachInterface, type InterfaceVisit, notShown, openStream } from "./visit.ts";

async function checkWaiting(visit: InterfaceVisit): Promise<void> {
  const names = [
    "finishing",
    ...(["working", "asking"] as const).filter((name) => hasRecipe(visit.context, name)),
  ] as const;
  for (const name of names)
    for (const configuration of [undefined, { returnImmediately: false }]) {
      const task = await openTask(visit, name, configuration === undefined ? {} : { configuration });
      const why = `a blocking call is answered with a task that is ${stateOf(task)}`;
      visit.expect("A2A-SEND-002", !runningStates.includes(stateOf(task)), why);
      const taskAfter = await getTask(visit, task.id as Json);
      const isConsistent = stateOf(taskAfter) === stateOf(task) || !runningStates.includes(stateOf(taskAfter));
      visit.expect(
        "A2A-SEND-003",
        isConsistent,
        `the answer says ${stateOf(task)}, and the task is ${stateOf(taskAfter)}`,
      );
      if (stateOf(taskAfter) !== stateOf(task)) continue;
      const [returnedArtifacts, storedArtifacts] = [task, taskAfter].map((artifactTask) =>
        listIn(artifactTask.artifacts),
      );
      const counts = `the answer has ${returnedArtifacts?.length} artifacts, and the task ${storedArtifacts?.length}`;
      visit.expect("A2A-SEND-003", isDeepStrictEqual(returnedArtifacts, storedArtifacts), `${counts}, or others`);
    }
}

async function checkImmediateAnswer(visit: InterfaceVisit): Promise<void> {
  const { context } = visit;
  const firstStart = performance.now();
  const finishedTask = await openTask(visit, "working");
  const waitedMs = performance.now() - firstStart;
  if (!terminalStates.includes(stateOf(finishedTask)))
    throw notShown(`a task that works ends as ${stateOf(finishedTask)}`);
  const secondStart = performance.now();
  const task = await openTask(visit, "working", { configuration: { returnImmediately: true } });
  const answeredMs = performance.now() - secondStart;
  const isRunning = [...runningStates, ...interruptedStates].includes(stateOf(task));
  const why = `with returnImmediately the answer arrives after ${Math.round(answeredMs)} of ${Math.round(waitedMs)} ms, and says ${stateOf(task)}`;
  if (answeredMs < waitedMs / 2) visit.expect("A2A-SEND-004", isRunning, why, "SHOULD");
  else visit.expect("A2A-SEND-004", isRunning, why);
  const laterTask = await awaitTask(visit, task.id as Json);
  const isResting = [...terminalStates, ...interruptedStates].includes(stateOf(laterTask));
  const limit = boundOf(context, "work") / 1000;
  visit.expect(
    "A2A-SEND-005",
    isResting,
    `a task that was returned immediately is still ${stateOf(laterTask)} after ${limit} seconds`,
  );
}

async function checkImmediateTask(visit: InterfaceVisit): Promise<void> {
  const task = await openTask(visit, "finishing", { configuration: { returnImmediately: true } });
  const answer = await visit.call("GetTask", { id: task.id as Json });
  const isSame = isObject(answer.result) && answer.result.id === task.id;
  visit.expect("A2A-SEND-006", isSame, `a task that was just returned is answered with ${describeAnswer(answer)}`);
  if (!isObject(answer.result)) return;
  const isConsistent = !terminalStates.includes(stateOf(task)) || stateOf(answer.result) === stateOf(task);
  visit.expect("A2A-SEND-006", isConsistent, `a task that was ${stateOf(task)} is ${stateOf(answer.result)}`);
}

async function checkStreaming(visit: InterfaceVisit): Promise<void> {
  const name = hasRecipe(visit.context, "working") ? "working" : "finishing";
  for (const returnImmediately of [true, false]) {
    const params = { message: recipeMessage(visit.context, name), configuration: { returnImmediately } };
    const stream = await openStream(visit, "SendStreamingMessage", params);
    if (!stream.isStream) throw notShown(`a stream is answered with HTTP ${stream.status}`);
    for (;;) {
      if (!(await stream.read(stream.items.length + 1, boundOf(visit.context, "item")))) break;
      if ([...terminalStates, ...interruptedStates].includes(visit.readings.at(-1)?.state ?? "")) break;
    }
    if (stream.items[0]?.response?.message !== undefined) throw notShown("a stream is answered with a message");
    const lastState = visit.readings.at(-1)?.state ?? "nothing";
    const isResting = [...terminalStates, ...interruptedStates].includes(lastState);
    visit.expect(
      "A2A-SEND-007",
      isResting,
      `a stream with returnImmediately ${returnImmediately} ends at ${lastState}`,
    );
    stream.cut();
  }
}

export const sendScenarios: readonly Scenario[] = [
  atEachInterface({
    name: "send-waits",
    says: "a call waits until its task ends or is interrupted, and returns its state",
    rules: ["A2A-SEND-002", "A2A-SEND-003"],
    withinMs: 120_000,
    play: checkWaiting,
  }),
  atEachInterface({
    name: "send-at-once",
    says: "with returnImmediately a call does not wait, and the work continues",
    waits: 6000,
    rules: ["A2A-SEND-004", "A2A-SEND-005"],
    withinMs: 120_000,
    play: checkImmediateAnswer,
  }),
  atEachInterface({
    name: "send-kept",
    says: "a returned task can be read immediately",
    rules: ["A2A-SEND-006"],
    play: checkImmediateTask,
  }),
  atEachInterface({
    name: "send-streams",
    says: "returnImmediately does not affect streams",
    rules: ["A2A-SEND-007"],
    when({ hasStreaming }) {
      if (!hasStreaming) throw notShown("its card offers no streams");
    },
    play: checkStreaming,
  }),
];
