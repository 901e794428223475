import { type JsonObject, missingNeeds, type Scenario, type ScenarioContext } from "../../../../../schemas/index.ts";
import { boundOf } from "../bounds.ts";
import { drawItems, freshTask, hub, inShort, isSameId, isType, isWork, peer, timeOf } from "../messages.ts";
import { attemptTimes } from "./conflict-messages.ts";
import { bringToReady, judgePace, unreadyText } from "./cues.ts";
import { type AgentPlay, agentOf } from "./play.ts";

const side = "agent";

const rule = "CONV-CUE-006";

/** How many milliseconds before a piece of work is due the agent is stopped. */
const leadMs = 1500;

export const stops: readonly Scenario[] = [
  {
    name: "agent-stops",
    side,
    says: "a stop ends the work at once",
    rules: [rule],
    needs: [],
    withinMs: 60_000,
    waits: 15_000,
    async play(context) {
      const agent = await agentOf(context);
      await judgePace(context, agent);
      const { task } = await agent.assignWork({ work: "steady" });
      await agent.pass(2.2 * agent.beat);
      const first = await agent.waitForMessage((each) => isWork(each, task));
      if (first === undefined)
        return context.skip(rule, "no progress of steady work is reported, so that its end would not show");
      const before = [first, ...(await agent.outbox()).filter((each) => isWork(each, task))];
      const stopMoment = await agent.moment();
      const stop = await agent.stopping();
      await agent.deliver(stop);
      const upon = await agent.outbox();
      await agent.pass(6 * agent.beat);
      await agent.settle();
      const after = [...upon, ...(await agent.outbox())].filter((each) => isWork(each, task));
      // Steady work is never complete, and its next piece is due one beat after the previous one.
      const complete = after.find((each) => isType(each, "task.complete"));
      const earlyMessage = messagesInQuickSuccession([...before, ...after], 0.8 * agent.beat - 1000).find((message) =>
        after.includes(message),
      );
      const answer = complete ?? earlyMessage;
      if (answer !== undefined) context.expect(rule, false, `an immediate stop is answered by ${inShort(answer)}`);
      const progress = after.filter(stopMoment.isLater);
      context.expect(
        rule,
        progress.length === 0,
        `after an immediate stop ${progress.length} messages of progress come`,
      );
      if (after.length > 0 && progress.length === 0 && answer === undefined)
        context.skip(rule, `${after.length} messages of progress came after the stop, and may have been on their way`);
      const attempts = (await agent.workedIfTold())?.attempts.filter(
        (attempt) => attempt.task_id === task && stopMoment.isLater(attempt),
      );
      context.expect(
        rule,
        (attempts ?? []).length === 0,
        `after an immediate stop work is tried ${attempts?.length} times`,
      );
      if (agent.hasClock) await judgeImmediateStop(context, agent, rule);
      await judgeCueStop(context, agent, rule);
      await judgeScheduledStop(context, agent, rule);
    },
  },
  {
    name: "agent-stops-gracefully",
    side,
    says: "a graceful stop ends the work as well, if later",
    rules: [rule],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      const agent = await agentOf(context);
      if (!agent.hasClock)
        return context.skip(rule, 'no text says by when, which the hook "clock" would let pass', missingNeeds("clock"));
      await judgePace(context, agent);
      const { task } = await agent.assignWork({ work: "steady" });
      await agent.pass(2.2 * agent.beat);
      if ((await agent.waitForMessage((each) => isWork(each, task))) === undefined)
        return context.skip(rule, "no progress of steady work is reported, so that its end would not show");
      await agent.deliver(await agent.stopping("graceful"));
      const shutdown = boundOf(context, "moved-message");
      for (let passedMs = 0; passedMs < shutdown; passedMs += agent.beat) await agent.pass(agent.beat);
      await agent.settle();
      await agent.outbox();
      const endMoment = await agent.moment();
      await agent.pass(6 * agent.beat);
      await agent.settle();
      const progress = (await agent.outbox()).filter((each) => isWork(each, task) && endMoment.isLater(each));
      const why = `${shutdown / 1000} s after a graceful stop ${progress.length} messages of progress come`;
      context.expect(rule, progress.length === 0, why);
    },
  },
  {
    name: "agent-stops-for-others",
    side,
    says: "a stop counts regardless of its sender",
    rules: [rule],
    needs: [],
    withinMs: 60_000,
    waits: 4000,
    play: judgeOtherSenders,
  },
  {
    name: "agent-stops-all",
    side,
    says: "a stop ends all work, and work that waits",
    rules: [rule],
    needs: [],
    withinMs: 60_000,
    waits: 5000,
    play: judgeStopOfAll,
  },
];

/** An agent with several tasks: two are in progress, one of them after its dependency; another waits for its dependency; and one has met a fault. */
interface BusyAgent {
  agent: AgentPlay;
  /** The tasks that have shown progress. */
  tasksInProgress: string[];
  /** The task that waits, and its dependency. */
  waitingTask: string;
  needed: string;
  /** Whether a task began after its dependency was complete. */
  beginsLater: boolean;
}

async function giveWork(context: ScenarioContext): Promise<BusyAgent> {
  const agent = await agentOf(context);
  await judgePace(context, agent);
  const [needed, doneTask] = [freshTask(context), freshTask(context)];
  const { task: waiting } = await agent.assignWork({ work: "steady" }, { dependencies: [needed] });
  const { task: first } = await agent.assignWork({ work: "steady" });
  const { task: laterTask } = await agent.assignWork({ work: "steady" }, { dependencies: [doneTask] });
  await agent.deliver(await completionOf(agent, doneTask));
  await agent.pass(2.2 * agent.beat);
  const come = await agent.waitForMessage((each) => isWork(each, first));
  const messages = [...(come === undefined ? [] : [come]), ...(await agent.outbox())];
  const seen = [first, laterTask].filter((task) => messages.some((each) => isWork(each, task)));
  return { agent, tasksInProgress: seen, waitingTask: waiting, needed, beginsLater: seen.includes(laterTask) };
}

function completionOf(agent: AgentPlay, task: string): Promise<JsonObject> {
  const complete = { task_id: task, completion: { summary: "The tests pass." } };
  return agent.message("task.complete", complete, { from: peer });
}

/** A stop from an orchestrator other than the one that assigned the work ends all of it. */
async function judgeStopOfAll(context: ScenarioContext): Promise<void> {
  const { agent, tasksInProgress, waitingTask, needed, beginsLater } = await giveWork(context);
  if (tasksInProgress.length === 0)
    return context.skip(rule, "no progress of steady work is reported, so that its end would not show");
  const { task: triedTask } = await agent.assignWork({ work: "transient" });
  await agent.settle();
  const { task: secondTask } = await agent.assignWork({ work: "transient" });
  await agent.outbox();
  const stopMoment = await agent.moment();
  const [from] = drawItems(context, ["orchestrator-night", "orchestrator"]);
  await agent.deliver(await agent.stopping("immediate", from));
  await agent.pass(6 * agent.beat);
  await agent.settle();
  const all = (await agent.outbox()).filter(stopMoment.isLater);
  const progress = tasksInProgress.filter((task) => all.some((each) => isWork(each, task)));
  context.expect(
    rule,
    progress.length === 0,
    `after a stop of ${from}, work on ${progress.length} of ${tasksInProgress.length} tasks goes on`,
  );
  const workReport = await agent.workedIfTold();
  if (workReport === undefined)
    return context.skip(
      rule,
      'whether work is tried after a stop would show with the hook "worked"',
      missingNeeds("worked"),
    );
  const attempts = workReport.attempts
    .filter(({ task_id: id }) => id === triedTask || id === secondTask)
    .filter(stopMoment.isLater);
  context.expect(
    rule,
    attempts.length === 0,
    `after a stop of ${from}, a failed attempt is made ${attempts.length} times more`,
  );
  if (!beginsLater) return context.skip(rule, "nor does a task begin after its dependency is complete");
  await agent.deliver(await completionOf(agent, needed));
  await agent.pass(2 * agent.beat);
  await agent.settle();
  const isBegun =
    (await agent.outbox()).some((each) => isWork(each, waitingTask)) ||
    ((await attemptTimes(agent, waitingTask)) ?? []).length > 0;
  // A waiting task is not yet an operation.
  context.expect(rule, !isBegun, "a task that waited for another when it was stopped begins", "SHOULD");
}

/** A stop from an agent that is not an orchestrator. The text only restricts the sender of a go. */
async function judgeOtherSenders(context: ScenarioContext): Promise<void> {
  const { agent, tasksInProgress } = await giveWork(context);
  if (tasksInProgress.length === 0)
    return context.skip(rule, "no progress of steady work is reported, so that its end would not show");
  const [from = hub] = drawItems(context, [hub, peer, "tournant-main"]);
  const stopMoment = await agent.moment();
  await agent.deliver(await agent.stopping("immediate", from));
  await agent.pass(6 * agent.beat);
  await agent.settle();
  const progress = (await agent.outbox()).filter(
    (each) => tasksInProgress.some((task) => isWork(each, task)) && stopMoment.isLater(each),
  );
  context.expect(
    rule,
    progress.length === 0,
    `after a stop of ${from} ${progress.length} messages of progress come`,
    "SHOULD",
  );
  await agent.deliver(await agent.stopping());
}

/** A stop shortly before the next piece of work is due. A stopped agent may refuse further tasks. */
async function judgeImmediateStop(context: ScenarioContext, agent: AgentPlay, rule: string): Promise<void> {
  const { task } = await agent.assignWork({ work: "steady" });
  const isOfTask = (each: JsonObject): boolean => isWork(each, task);
  await agent.pass(agent.beat);
  const first = await agent.waitForMessage(isOfTask);
  if (first === undefined)
    return context.skip(
      rule,
      `whether a stop ends work that is due soon is not shown: no progress of a second task comes`,
    );
  const messages = [first, ...(await agent.outbox()).filter(isOfTask)];
  const dueAt = Math.max(...messages.map(({ timestamp }) => Date.parse(String(timestamp)))) + agent.beat;
  const wait = dueAt - (await agent.now()) - leadMs;
  if (!(wait >= 0))
    return context.skip(rule, "whether a stop ends work that is due soon is not shown: progress comes too late");
  await agent.pass(wait);
  await agent.deliver(await agent.stopping());
  // Messages that were made before the stop arrived are not a result of it.
  const stopMoment = await agent.moment();
  await agent.pass(2 * agent.beat);
  await agent.settle();
  const progress = (await agent.outbox()).filter((each) => isOfTask(each) && stopMoment.isLater(each));
  const why = `work that is due ${leadMs / 1000} s after an immediate stop is done, and ${progress.length} messages of progress come`;
  context.expect(rule, progress.length === 0, why);
}

/** Endless work is not complete just because it was stopped. A stopped agent may refuse further cues. */
async function judgeCueStop(context: ScenarioContext, agent: AgentPlay, rule: string): Promise<void> {
  const cue = await bringToReady(context, agent);
  if (!cue.isReady) return context.skip(rule, `the effect of a stop on a cue does not show: ${unreadyText}`);
  const go = await cue.say("go", { go_details: { execution_type: "immediate" } });
  await agent.pass(agent.beat);
  await agent.settle();
  const isDone = (each: JsonObject): boolean =>
    isType(each, "ack.completed") && isSameId(each.acknowledging_message_id, go.message_id);
  const isEarly = (await agent.outbox()).some(isDone);
  await agent.deliver(await agent.stopping());
  await agent.settle();
  const isReportedComplete = (await agent.outbox()).some(isDone);
  context.expect(rule, isEarly || !isReportedComplete, "a cue is called complete after a stop has ended its work");
}

/** Scheduled work is not yet an operation, but it has no reason to begin after its cue was stopped. */
async function judgeScheduledStop(context: ScenarioContext, agent: AgentPlay, rule: string): Promise<void> {
  const cue = await bringToReady(context, agent);
  if (!cue.isReady) return;
  const time = Math.ceil(((await agent.now()) + 4 * agent.beat + 1000) / 1000) * 1000;
  await cue.say("go", { go_details: { execution_type: "scheduled", scheduled_time: timeOf(time) } });
  await cue.say("stop", { stop_details: { urgency: "immediate" } });
  if ((await agent.now()) >= time) return;
  await agent.pass(Math.max(0, time - (await agent.now())) + 1000 + 2 * agent.lag());
  await agent.settle();
  const workReport = await agent.workedIfTold();
  if (workReport === undefined)
    return context.skip(
      rule,
      'whether stopped work begins at its time would show with the hook "worked"',
      missingNeeds("worked"),
    );
  const attempts = workReport.attempts.filter(({ cue_id: id }) => id === cue.cue);
  context.expect(rule, attempts.length === 0, "work on a cue that was stopped ahead of its time begins", "SHOULD");
}

/** Messages that were made less than the given milliseconds after the previous one; copies count once. */
function messagesInQuickSuccession(messages: readonly JsonObject[], milliseconds: number): JsonObject[] {
  const timeOf = ({ timestamp }: JsonObject): number => Date.parse(String(timestamp));
  const distinct = [...new Map(messages.map((message) => [String(message.message_id), message])).values()];
  const inTurn = distinct.sort((a, b) => timeOf(a) - timeOf(b));
  return inTurn.filter(
    (each, index) => index > 0 && timeOf(each) - timeOf(inTurn[index - 1] as JsonObject) < milliseconds,
  );
}
