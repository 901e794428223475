import { type JsonObject, missingNeeds, type Scenario, type ScenarioContext } from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import { drawItems, freshTask, hub, isSameId, isType, isWork, peer, summarize, timeOf } from "../messages.ts";
import { bringToReady, measurePace, unreadyText } from "./cues.ts";
import { type AgentPlay, agentOf } from "./play.ts";
import { attemptTimes } from "./work-messages.ts";

const side = "agent";
const invisibleEndText = "no progress of steady work is reported, so its end is not visible";

const rule = "CONV-CUE-006";

/** How long before the next piece of work the agent is stopped, in milliseconds. */
const leadMs = 1500;

export const stopScenarios: readonly Scenario[] = [
  {
    name: "agent-stops",
    side,
    says: "a stop ends the work immediately",
    rules: [rule],
    needs: [],
    withinMs: 60_000,
    waits: 15_000,
    async play(context) {
      const agent = await agentOf(context);
      await measurePace(context, agent);
      const { task } = await agent.assignWork({ work: "steady" });
      await agent.pass(2.2 * agent.beat);
      const first = await agent.waitForMessage((message) => isWork(message, task));
      if (first === undefined) return context.skip(rule, invisibleEndText);
      const earlierProgress = [first, ...(await agent.outbox()).filter((message) => isWork(message, task))];
      const stopMoment = await agent.moment();
      const stop = await agent.makeStop();
      await agent.deliver(stop);
      const immediateMessages = await agent.outbox();
      await agent.pass(6 * agent.beat);
      await agent.settle();
      const laterProgress = [...immediateMessages, ...(await agent.outbox())].filter((message) =>
        isWork(message, task),
      );
      // Steady work is never complete, and its next piece is due one beat after the previous one.
      const completion = laterProgress.find((message) => isType(message, "task.complete"));
      const earlyMessage = messagesInQuickSuccession(
        [...earlierProgress, ...laterProgress],
        0.8 * agent.beat - 1000,
      ).find((message) => laterProgress.includes(message));
      const answer = completion ?? earlyMessage;
      if (answer !== undefined) context.expect(rule, false, `an immediate stop is answered with ${summarize(answer)}`);
      const progress = laterProgress.filter(stopMoment.isLater);
      context.expect(
        rule,
        progress.length === 0,
        `after an immediate stop, ${progress.length} progress messages are sent`,
      );
      if (laterProgress.length > 0 && progress.length === 0 && answer === undefined)
        context.skip(
          rule,
          `${laterProgress.length} progress messages arrived after the stop, but may have been on their way`,
        );
      const attempts = (await agent.reportWorkIfSupported())?.attempts.filter(
        (attempt) => attempt.task_id === task && stopMoment.isLater(attempt),
      );
      context.expect(
        rule,
        (attempts ?? []).length === 0,
        `after an immediate stop, ${attempts?.length} attempts are made`,
      );
      if (agent.hasClock) await judgeImmediateStop(context, agent, rule);
      await judgeCueStop(context, agent, rule);
      await judgeScheduledStop(context, agent, rule);
    },
  },
  {
    name: "agent-stops-gracefully",
    side,
    says: "a graceful stop also ends the work, perhaps later",
    rules: [rule],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      const agent = await agentOf(context);
      if (!agent.hasClock)
        return context.skip(
          rule,
          'the specification sets no deadline, so the hook "clock" is needed to let time pass',
          missingNeeds("clock"),
        );
      await measurePace(context, agent);
      const { task } = await agent.assignWork({ work: "steady" });
      await agent.pass(2.2 * agent.beat);
      if ((await agent.waitForMessage((message) => isWork(message, task))) === undefined)
        return context.skip(rule, invisibleEndText);
      await agent.deliver(await agent.makeStop("graceful"));
      const shutdownMs = boundOf(context, "moved-message");
      for (let passedMs = 0; passedMs < shutdownMs; passedMs += agent.beat) await agent.pass(agent.beat);
      await agent.settle();
      await agent.outbox();
      const endMoment = await agent.moment();
      await agent.pass(6 * agent.beat);
      await agent.settle();
      const progress = (await agent.outbox()).filter((message) => isWork(message, task) && endMoment.isLater(message));
      const why = `${shutdownMs / 1000} s after a graceful stop ${progress.length} progress messages are sent`;
      context.expect(rule, progress.length === 0, why);
    },
  },
  {
    name: "agent-stops-for-others",
    side,
    says: "an agent respects a stop from any sender",
    rules: [rule],
    needs: [],
    withinMs: 60_000,
    waits: 4000,
    play: judgeOtherSenders,
  },
  {
    name: "agent-stops-all",
    side,
    says: "a stop ends all work, including work that waits",
    rules: [rule],
    needs: [],
    withinMs: 60_000,
    waits: 5000,
    play: judgeStopOfAll,
  },
];

/** An agent with three tasks: one is in progress, one is in progress after its dependency is complete, and one waits for a dependency. */
interface BusyAgent {
  agent: AgentPlay;
  /** The tasks with reported progress. */
  tasksInProgress: string[];
  waitingTask: string;
  /** The dependency of the waiting task. */
  dependency: string;
  /** Whether the task with a completed dependency has begun. */
  beginsAfterDependency: boolean;
}

async function assignSeveralTasks(context: ScenarioContext): Promise<BusyAgent> {
  const agent = await agentOf(context);
  await measurePace(context, agent);
  const [dependency, doneTask] = [freshTask(context), freshTask(context)];
  const { task: waitingTask } = await agent.assignWork({ work: "steady" }, { dependencies: [dependency] });
  const { task: first } = await agent.assignWork({ work: "steady" });
  const { task: laterTask } = await agent.assignWork({ work: "steady" }, { dependencies: [doneTask] });
  await agent.deliver(await completionOf(agent, doneTask));
  await agent.pass(2.2 * agent.beat);
  const firstProgress = await agent.waitForMessage((message) => isWork(message, first));
  const messages = [...(firstProgress === undefined ? [] : [firstProgress]), ...(await agent.outbox())];
  const tasksInProgress = [first, laterTask].filter((task) => messages.some((message) => isWork(message, task)));
  const beginsAfterDependency = tasksInProgress.includes(laterTask);
  return { agent, tasksInProgress, waitingTask, dependency, beginsAfterDependency };
}

function completionOf(agent: AgentPlay, task: string): Promise<JsonObject> {
  const complete = { task_id: task, completion: { summary: "The tests pass." } };
  return agent.message("task.complete", complete, { from: peer });
}

/** Expects that a stop ends all work, even from an orchestrator that did not assign it. */
async function judgeStopOfAll(context: ScenarioContext): Promise<void> {
  const { agent, tasksInProgress, waitingTask, dependency, beginsAfterDependency } = await assignSeveralTasks(context);
  if (tasksInProgress.length === 0) return context.skip(rule, invisibleEndText);
  const { task: triedTask } = await agent.assignWork({ work: "transient" });
  await agent.settle();
  const { task: secondTask } = await agent.assignWork({ work: "transient" });
  await agent.outbox();
  const stopMoment = await agent.moment();
  const [from] = drawItems(context, ["orchestrator-night", "orchestrator"]);
  await agent.deliver(await agent.makeStop("immediate", from));
  await agent.pass(6 * agent.beat);
  await agent.settle();
  const laterMessages = (await agent.outbox()).filter(stopMoment.isLater);
  const progress = tasksInProgress.filter((task) => laterMessages.some((message) => isWork(message, task)));
  context.expect(
    rule,
    progress.length === 0,
    `after a stop from ${from}, work on ${progress.length} of ${tasksInProgress.length} tasks continues`,
  );
  const workReport = await agent.reportWorkIfSupported();
  if (workReport === undefined)
    return context.skip(
      rule,
      'the hook "worked" is needed to see whether work is tried after a stop',
      missingNeeds("worked"),
    );
  const attempts = workReport.attempts
    .filter(({ task_id: id }) => id === triedTask || id === secondTask)
    .filter(stopMoment.isLater);
  context.expect(
    rule,
    attempts.length === 0,
    `after a stop from ${from}, failed work is retried ${attempts.length} times`,
  );
  if (!beginsAfterDependency)
    return context.skip(rule, "no task begins after its dependency is complete, even without a stop");
  await agent.deliver(await completionOf(agent, dependency));
  await agent.pass(2 * agent.beat);
  await agent.settle();
  const hasBegun =
    (await agent.outbox()).some((message) => isWork(message, waitingTask)) ||
    ((await attemptTimes(agent, waitingTask)) ?? []).length > 0;
  // Only a warning, since a waiting task is not yet an operation.
  context.expect(rule, !hasBegun, "a task that was stopped while it waited for another one begins", "SHOULD");
}

/** Expects that an agent respects a stop from an agent that is not an orchestrator. The specification restricts only the sender of a go. */
async function judgeOtherSenders(context: ScenarioContext): Promise<void> {
  const { agent, tasksInProgress } = await assignSeveralTasks(context);
  if (tasksInProgress.length === 0) return context.skip(rule, invisibleEndText);
  const [from = hub] = drawItems(context, [hub, peer, "tournant-main"]);
  const stopMoment = await agent.moment();
  await agent.deliver(await agent.makeStop("immediate", from));
  await agent.pass(6 * agent.beat);
  await agent.settle();
  const progress = (await agent.outbox()).filter(
    (message) => tasksInProgress.some((task) => isWork(message, task)) && stopMoment.isLater(message),
  );
  context.expect(
    rule,
    progress.length === 0,
    `after a stop from ${from}, ${progress.length} progress messages are sent`,
    "SHOULD",
  );
  await agent.deliver(await agent.makeStop());
}

/** Expects that a stop shortly before the next piece of work prevents it. A stopped agent may refuse the task. */
async function judgeImmediateStop(context: ScenarioContext, agent: AgentPlay, rule: string): Promise<void> {
  const { task } = await agent.assignWork({ work: "steady" });
  const isOfTask = (message: JsonObject): boolean => isWork(message, task);
  await agent.pass(agent.beat);
  const first = await agent.waitForMessage(isOfTask);
  if (first === undefined)
    return context.skip(
      rule,
      "a stop shortly before work is due was not tested: no progress of a second task is reported",
    );
  const messages = [first, ...(await agent.outbox()).filter(isOfTask)];
  const dueAt = Math.max(...messages.map(({ timestamp }) => Date.parse(String(timestamp)))) + agent.beat;
  const waitMs = dueAt - (await agent.now()) - leadMs;
  if (!(waitMs >= 0))
    return context.skip(rule, "a stop shortly before work is due was not tested: progress arrives too late");
  await agent.pass(waitMs);
  await agent.deliver(await agent.makeStop());
  // Messages from before the arrival of the stop do not count.
  const stopMoment = await agent.moment();
  await agent.pass(2 * agent.beat);
  await agent.settle();
  const progress = (await agent.outbox()).filter((message) => isOfTask(message) && stopMoment.isLater(message));
  const why = `work that was due ${leadMs / 1000} s after an immediate stop is done: ${progress.length} progress messages are sent`;
  context.expect(rule, progress.length === 0, why);
}

/** Expects that stopped endless work is not reported as complete. A stopped agent may refuse the cue. */
async function judgeCueStop(context: ScenarioContext, agent: AgentPlay, rule: string): Promise<void> {
  const cue = await bringToReady(context, agent);
  if (!cue.isReady) return context.skip(rule, `the effect of a stop on a cue was not tested: ${unreadyText}`);
  const go = await cue.send("go", { go_details: { execution_type: "immediate" } });
  await agent.pass(agent.beat);
  await agent.settle();
  const isCompletion = (message: JsonObject): boolean =>
    isType(message, "ack.completed") && isSameId(message.acknowledging_message_id, go.message_id);
  const wasReportedBefore = (await agent.outbox()).some(isCompletion);
  await agent.deliver(await agent.makeStop());
  await agent.settle();
  const isReportedComplete = (await agent.outbox()).some(isCompletion);
  context.expect(
    rule,
    wasReportedBefore || !isReportedComplete,
    "a cue is reported as complete after a stop has ended its work",
  );
}

/** Expects that scheduled work does not begin after its cue was stopped. Only a warning, since such work is not yet an operation. */
async function judgeScheduledStop(context: ScenarioContext, agent: AgentPlay, rule: string): Promise<void> {
  const cue = await bringToReady(context, agent);
  if (!cue.isReady) return;
  const time = Math.ceil(((await agent.now()) + 4 * agent.beat + 1000) / 1000) * 1000;
  await cue.send("go", { go_details: { execution_type: "scheduled", scheduled_time: timeOf(time) } });
  await cue.send("stop", { stop_details: { urgency: "immediate" } });
  if ((await agent.now()) >= time) return;
  await agent.pass(Math.max(0, time - (await agent.now())) + 1000 + 2 * agent.lag());
  await agent.settle();
  const workReport = await agent.reportWorkIfSupported();
  if (workReport === undefined)
    return context.skip(
      rule,
      'the hook "worked" is needed to see whether stopped work begins at its time',
      missingNeeds("worked"),
    );
  const attempts = workReport.attempts.filter(({ cue_id: id }) => id === cue.cue);
  context.expect(
    rule,
    attempts.length === 0,
    "work on a cue begins although the cue was stopped before its time",
    "SHOULD",
  );
}

/** The messages that were made less than this many milliseconds after the previous message. Copies count once. */
function messagesInQuickSuccession(messages: readonly JsonObject[], milliseconds: number): JsonObject[] {
  const timeOf = ({ timestamp }: JsonObject): number => Date.parse(String(timestamp));
  const distinct = [...new Map(messages.map((message) => [String(message.message_id), message])).values()];
  const sorted = distinct.sort((a, b) => timeOf(a) - timeOf(b));
  return sorted.filter(
    (message, index) => index > 0 && timeOf(message) - timeOf(sorted[index - 1] as JsonObject) < milliseconds,
  );
}
