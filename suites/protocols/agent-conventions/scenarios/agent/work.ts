import {
  canonical,
  hookAnswer,
  type JsonObject,
  missingNeeds,
  type Scenario,
  type ScenarioContext,
} from "../../../../../schemas/index.ts";
import {
  drawItems,
  freshTask,
  includesSuperior,
  isSameId,
  isType,
  isWork,
  memberObject,
  peer,
  summarize,
} from "../messages.ts";
import { type AgentPlay, agentOf } from "./play.ts";
import { attemptTimes, expectArrival, madeAfter, waitForEscalation } from "./work-messages.ts";

const side = "agent";

const handoverScenario: Scenario = {
  name: "agent-hands-over",
  side,
  says: "a handoff contains every fact that the next agent's contract requires",
  rules: ["CONV-HAND-001"],
  needs: [],
  withinMs: 40_000,
  async play(context) {
    const agent = await agentOf(context);
    // The second handoff has different facts.
    for (const retries of [0, 2]) if (!(await judgeHandover(context, agent, retries))) return;
  },
};

/** Makes the agent hand over a task, and checks the handoff. Returns false if there is none. */
async function judgeHandover(context: ScenarioContext, agent: AgentPlay, retries: number): Promise<boolean> {
  const rule = "CONV-HAND-001";
  // The odd facts, 0 and false, are easily mistaken for missing ones.
  const [plainFacts, oddFacts] = [
    { branch: context.fresh("branch"), schema: `v${retries}`, owner: context.fresh("owner") },
    { retries, dry_run: retries > 0 },
  ];
  const facts: JsonObject = { ...plainFacts, ...oddFacts };
  const contract = [...drawItems(context, Object.keys(plainFacts), 2), ...drawItems(context, Object.keys(oddFacts), 1)];
  const { task } = await agent.assignWork({ work: "handoff", to: peer, contract }, { context: facts });
  await agent.pass(2 * agent.beat);
  let otherTask: unknown;
  const handoff = await agent.waitForMessage((message) => {
    if (isType(message, "task.handoff") && message.task_id !== task) otherTask = message.task_id;
    return isType(message, "task.handoff") && message.task_id === task;
  });
  if (handoff === undefined) {
    if (otherTask === undefined) context.skip(rule, "no handoff of the task arrived");
    else context.expect(rule, false, `${task} should be handed over, but the handoff is for ${otherTask}`, "SHOULD");
    return false;
  }
  const passedFacts = memberObject(memberObject(handoff, "handoff"), "context");
  const missingFacts = contract.filter((name) => [undefined, null, ""].includes(passedFacts[name] as null));
  context.expect(
    rule,
    missingFacts.length === 0,
    `the contract of ${peer} requires ${contract.join(" and ")}; the handoff lacks ${missingFacts.join(" and ")}`,
  );
  const changedNames = contract.filter(
    (name) => canonical(passedFacts[name] ?? null) !== canonical(facts[name] ?? null),
  );
  const changeTexts = changedNames.map(
    (name) => `${name} ${JSON.stringify(facts[name])} is ${JSON.stringify(passedFacts[name])}`,
  );
  context.expect(rule, changedNames.length === 0, `in the handoff ${changeTexts.join(" and ")}`, "SHOULD");
  await agent.settle();
  const progress = (await agent.outbox()).filter((message) => isWork(message, task)).filter(madeAfter(handoff));
  if (progress.length > 0)
    context.note(rule, `work on ${task} is reported after its handoff, which the specification does not forbid`);
  return true;
}

/** Faults that a retry cannot fix. The other faults may pass, so the agent may retry as often as CONV-JID-003 allows. */
const permanentFaults: ReadonlySet<string> = new Set(["invariant"]);

const haltScenario: Scenario = {
  name: "agent-halts",
  side,
  says: "an agent that cannot continue stops immediately and escalates",
  rules: ["CONV-JID-001"],
  needs: [],
  withinMs: 90_000,
  async play(context) {
    const rule = "CONV-JID-001";
    const agent = await agentOf(context);
    for (const [work, description] of drawItems(context, [
      ["missing", "a resource is missing"],
      ["invariant", "an invariant is violated"],
      ["late", "a deadline has passed"],
    ] as const)) {
      const { task } = await agent.assignWork({ work });
      await agent.pass(agent.beat);
      const report = await waitForEscalation(agent, task);
      expectArrival(context, { agent, rule }, report !== undefined, `${description}, but no escalation arrived`);
      await agent.settle();
      // Messages from before the fault do not count.
      const progress = (await agent.outbox()).filter((message) => isWork(message, task)).filter(madeAfter(report));
      context.expect(
        rule,
        progress.length === 0,
        `${description}, but ${progress.length} progress messages are sent afterwards`,
      );
      const workReport = await agent.reportWorkIfSupported();
      // CONV-JID-007 covers attempts after the escalation.
      const escalationEnd = Date.parse(String(report?.timestamp)) + 999;
      const attempts =
        workReport?.attempts.filter(
          ({ task_id: id, at }) => id === task && !(Date.parse(String(at)) > escalationEnd),
        ) ?? [];
      if (workReport === undefined)
        context.skip(
          rule,
          `${description}: the hook "worked" is needed to see whether work is tried again`,
          missingNeeds("worked"),
        );
      else if (attempts.length === 0)
        context.skip(rule, `${description}: the hook "worked" reports no attempt`, hookAnswer("worked"));
      else if (permanentFaults.has(work))
        context.expect(rule, attempts.length === 1, `${description}, but the work is tried ${attempts.length} times`);
    }
  },
};

const retryScenario: Scenario = {
  name: "agent-tries-again",
  side,
  says: "after a transient fault, work is retried after one and two seconds, and then escalated",
  rules: ["CONV-JID-003"],
  needs: [],
  withinMs: 60_000,
  waits: 12_000,
  asksClock: true,
  async play(context) {
    const rule = "CONV-JID-003";
    const agent = await agentOf(context);
    const { task } = await agent.assignWork({ work: "transient" });
    for (let waitedMs = 0; waitedMs < 12_000; waitedMs += 500) await agent.pass(500);
    const report = await waitForEscalation(agent, task);
    expectArrival(context, { agent, rule }, report !== undefined, "a transient fault that remains is not escalated");
    const times = await attemptTimes(agent, task);
    if (times === undefined)
      return context.skip(rule, 'the hook "worked" is needed to see the attempts', missingNeeds("worked"));
    const pauses = times.slice(1).map((time, index) => time - (times[index] as number));
    const pausesText = pauses.map((pause) => `${(pause / 1000).toFixed(1)} s`).join(", ");
    if (times.length === 4 && Math.abs((pauses[2] ?? 0) - 4000) < 1500)
      context.note(rule, "there are four attempts: the specification can be read as three retries");
    else context.expect(rule, times.length === 3, `there are ${times.length} attempts`);
    context.expect(rule, isPaced(times), `the pauses between attempts are ${pausesText}`);
  },
};

/** Whether the first pause is about one second and the next about two. Times in whole seconds may each be up to a second off. */
function isPaced(times: readonly number[]): boolean {
  const slackMs = times.every((time) => time % 1000 === 0) ? 1000 : 0;
  const isWithin = (from: number, to: number, expectedMs: number): boolean => {
    const [fromTime, toTime] = [times[from], times[to]];
    if (fromTime === undefined || toTime === undefined) return true;
    const pause = toTime - fromTime;
    return pause >= expectedMs * 0.9 - slackMs && pause <= expectedMs * 1.5 + 250 + slackMs;
  };
  return isWithin(0, 1, 1000) && isWithin(1, 2, 2000) && isWithin(0, 2, 3000);
}

const waitScenario: Scenario = {
  name: "agent-waits",
  side,
  says: "after an escalation an agent continues only on request",
  rules: ["CONV-JID-007"],
  needs: [],
  withinMs: 60_000,
  async play(context) {
    const rule = "CONV-JID-007";
    const agent = await agentOf(context);
    const [work = "invariant"] = drawItems(context, ["invariant", "missing", "late"]);
    const { task } = await agent.assignWork({ work });
    await agent.pass(agent.beat);
    const report = await waitForEscalation(agent, task);
    if (report === undefined) return context.skip(rule, "the fault is not escalated");
    await agent.settle();
    const otherMessages = await agent.outbox();
    const escalations = [report, ...otherMessages.filter((message) => isType(message, "escalation."))];
    context.expect(
      rule,
      escalations.some(({ recipient }) => includesSuperior(recipient)),
      `the fault is reported by ${summarize(report)}, but not to an orchestrator, a hub or a tournant`,
    );
    const attemptsBefore = await attemptTimes(agent, task);
    // A message about another task or another agent does not ask the agent to continue this task.
    await agent.deliver(await agent.message("status.ready", { status: "ready" }, { from: peer, to: "broadcast" }));
    const { task: otherTask } = await agent.assignWork({}, {});
    const completion = { task_id: otherTask, completion: { summary: "The tests pass." } };
    await agent.deliver(await agent.message("task.complete", completion, { from: peer }));
    await agent.pass(agent.hasClock ? 60 * agent.beat : 6 * agent.beat);
    await agent.settle();
    const laterWork = [...otherMessages, ...(await agent.outbox())].filter((message) => isWork(message, task));
    const progress = laterWork.filter(madeAfter(report));
    context.expect(
      rule,
      progress.length === 0,
      `no message has asked the agent to continue, but ${progress.length} progress messages are sent`,
    );
    const attemptsAfter = await attemptTimes(agent, task);
    if (attemptsBefore === undefined || attemptsAfter === undefined)
      return context.skip(rule, 'the hook "worked" is needed to see that no work is tried', missingNeeds("worked"));
    // Timestamps may be in whole seconds. Attempts between two escalations belong to tier 1.
    const lastReport = Math.max(...escalations.map(({ timestamp }) => Date.parse(String(timestamp)))) + 999;
    const repeatedCount = Math.max(
      attemptsAfter.length - attemptsBefore.length,
      attemptsAfter.filter((at) => at > lastReport).length,
    );
    context.expect(
      rule,
      repeatedCount === 0,
      `no message has asked the agent to continue, but the work is tried ${repeatedCount} times`,
    );
    if (!agent.hasClock)
      context.skip(
        rule,
        'the agent has not continued so far; the hook "clock" is needed to see whether it does later',
        missingNeeds("clock"),
      );
  },
};

const dependencyScenario: Scenario = {
  name: "agent-waits-for-dependencies",
  side,
  says: "a task does not begin before its dependency is complete",
  rules: ["CONV-DEP-001"],
  needs: [],
  withinMs: 60_000,
  waits: 5000,
  async play(context) {
    const rule = "CONV-DEP-001";
    const agent = await agentOf(context);
    const expectNotBegun = async (task: string, why: string): Promise<void> => {
      await agent.settle();
      const progress = (await agent.outbox()).filter((message) => isWork(message, task));
      const attempts = await attemptTimes(agent, task);
      context.expect(rule, progress.length === 0 && !attempts?.length, `${task} ${why}, but the work on it begins`);
      if (attempts === undefined)
        context.skip(rule, 'the hook "worked" is needed to see whether work is tried', missingNeeds("worked"));
    };
    const { task: first } = await agent.assignWork({ work: "steady" });
    await agent.pass(agent.beat);
    const { task } = await agent.assignWork({ work: "steady" }, { dependencies: [first] });
    await agent.pass(3 * agent.beat);
    await expectNotBegun(task, `depends on ${first}, which is not complete`);
    // Progress or failure of a dependency is not enough, nor is the completion of only one of several dependencies.
    const complete = { completion: { summary: "The tests pass." } };
    for (const [type, description, members, changedIndex, count] of [
      ["task.update", "makes progress", { progress: { percent_complete: 40, status: "on_track" } }, 0, 1],
      [
        "task.update",
        "makes progress, at 100 per cent",
        { progress: { percent_complete: 100, status: "on_track" } },
        0,
        1,
      ],
      ["task.failed", "has failed", { failure: { reason: "No space is left.", can_retry: false } }, 0, 1],
      ["task.complete", "is complete, and on a later one, which is not", complete, 0, 2],
      ["task.complete", "is complete, and on an earlier one, which is not", complete, 1, 2],
    ] as const) {
      const dependencies = Array.from({ length: count }, () => freshTask(context));
      const { task: ownTask } = await agent.assignWork({ work: "steady" }, { dependencies });
      await agent.deliver(
        await agent.message(type, { task_id: dependencies[changedIndex] as string, ...members }, { from: peer }),
      );
      await agent.pass(2 * agent.beat);
      await expectNotBegun(ownTask, `depends on ${dependencies[changedIndex]}, which ${description}`);
    }
    // The id of a subtask starts with the id of its task.
    const dependency = freshTask(context);
    const similarId = dependency.includes(".") ? dependency.replace(/\..*$/, "") : `${dependency}.5`;
    const { task: ownTask } = await agent.assignWork({ work: "steady" }, { dependencies: [dependency] });
    await agent.deliver(await agent.message("task.complete", { task_id: similarId, ...complete }, { from: peer }));
    await agent.pass(2 * agent.beat);
    await expectNotBegun(ownTask, `depends on ${dependency}, and only ${similarId} is complete`);
    if (await judgeBegin(context, agent, rule)) await judgeBeginAfterBlock(context, agent, rule);
  },
};

/** Whether a task with a complete dependency begins. Otherwise it is unclear why the others have not begun, and the rule is skipped. */
async function judgeBegin(context: ScenarioContext, agent: AgentPlay, rule: string): Promise<boolean> {
  const { hasBegun } = await beginsAfter(context, agent, []);
  if (!hasBegun) context.skip(rule, "the work does not begin even on a task with a complete dependency");
  return hasBegun;
}

/**
 * Expects that a task begins after its dependency was blocked for a while, or that the agent reports why it does not. Otherwise
 * the agent has forgotten the task.
 */
async function judgeBeginAfterBlock(context: ScenarioContext, agent: AgentPlay, rule: string): Promise<void> {
  const { hasBegun, isReported } = await beginsAfter(context, agent, ["blocked", "on_track"]);
  const why = "work begins on a task with a complete dependency, but not if the dependency was blocked in between";
  if (isReported)
    context.skip(rule, "the agent reports on a task that does not begin after its dependency was blocked");
  else expectArrival(context, { agent, rule, level: "SHOULD" }, hasBegun, why);
}

/** Whether a task begins after its dependency had these statuses and is complete. `isReported`: it does not begin, but the agent reports on it. */
async function beginsAfter(
  context: ScenarioContext,
  agent: AgentPlay,
  statuses: readonly string[],
): Promise<{ hasBegun: boolean; isReported: boolean }> {
  const dependency = freshTask(context);
  const { task, message: assignment } = await agent.assignWork({ work: "steady" }, { dependencies: [dependency] });
  const sendAboutDependency = async (type: string, members: JsonObject): Promise<void> =>
    agent.deliver(await agent.message(type, { task_id: dependency, ...members }, { from: peer }));
  for (const status of statuses)
    await sendAboutDependency("task.update", { progress: { percent_complete: 40, status } });
  await sendAboutDependency("task.complete", { completion: { summary: "The tests pass." } });
  const messages: JsonObject[] = [];
  const hasBegun = await agent.becomesTrue(async () => {
    messages.push(...(await agent.outbox()));
    return messages.some((message) => isWork(message, task)) || ((await attemptTimes(agent, task))?.length ?? 0) > 0;
  });
  const isAbout = (message: JsonObject): boolean =>
    [message.task_id, memberObject(message, "context").task_id].includes(task) ||
    (isType(message, "ack.refused") && isSameId(message.acknowledging_message_id, assignment.message_id));
  return { hasBegun, isReported: !hasBegun && messages.some(isAbout) };
}

export const workScenarios: readonly Scenario[] = [
  handoverScenario,
  dependencyScenario,
  haltScenario,
  retryScenario,
  waitScenario,
];
