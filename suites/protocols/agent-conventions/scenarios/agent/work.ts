import {
  canonical,
  hookAnswer,
  type JsonObject,
  missingNeeds,
  type Scenario,
  type ScenarioContext,
} from "../../../../../schemas/index.ts";
import { drawItems, freshTask, inShort, isAbove, isSameId, isType, isWork, memberObject, peer } from "../messages.ts";
import { attemptTimes, escalation, madeAfter, mustCome } from "./conflict-messages.ts";
import { type AgentPlay, agentOf } from "./play.ts";

const side = "agent";

const handoverScenario: Scenario = {
  name: "agent-hands-over",
  side,
  says: "a handoff has all that the next agent's contract asks for",
  rules: ["CONV-HAND-001"],
  needs: [],
  withinMs: 40_000,
  async play(context) {
    const agent = await agentOf(context);
    // The second handoff has other facts than the first.
    for (const retries of [0, 2]) if (!(await judgeHandover(context, agent, retries))) return;
  },
};

/** Makes the agent hand over a task. Returns whether it did. */
async function judgeHandover(context: ScenarioContext, agent: AgentPlay, retries: number): Promise<boolean> {
  const rule = "CONV-HAND-001";
  // The contract requires some facts that are easily mistaken for missing ones.
  const [plainFacts, oddFacts] = [
    { branch: context.fresh("branch"), schema: `v${retries}`, owner: context.fresh("owner") },
    { retries, dry_run: retries > 0 },
  ];
  const facts: JsonObject = { ...plainFacts, ...oddFacts };
  const contract = [...drawItems(context, Object.keys(plainFacts), 2), ...drawItems(context, Object.keys(oddFacts), 1)];
  const { task } = await agent.assignWork({ work: "handoff", to: peer, contract }, { context: facts });
  await agent.pass(2 * agent.beat);
  let otherFact: unknown;
  const handoff = await agent.waitForMessage((each) => {
    if (isType(each, "task.handoff") && each.task_id !== task) otherFact = each.task_id;
    return isType(each, "task.handoff") && each.task_id === task;
  });
  if (handoff === undefined) {
    if (otherFact === undefined) context.skip(rule, "no handoff of the task comes");
    else context.expect(rule, false, `${task} is to be handed over, and the handoff is of ${otherFact}`, "SHOULD");
    return false;
  }
  const passedFacts = memberObject(memberObject(handoff, "handoff"), "context");
  const missing = contract.filter((name) => [undefined, null, ""].includes(passedFacts[name] as null));
  context.expect(
    rule,
    missing.length === 0,
    `the contract of ${peer} asks for ${contract.join(" and ")}; the handoff lacks ${missing.join(" and ")}`,
  );
  const changedNames = contract.filter(
    (name) => canonical(passedFacts[name] ?? null) !== canonical(facts[name] ?? null),
  );
  const changeTexts = changedNames.map(
    (name) => `${name} ${JSON.stringify(facts[name])} is ${JSON.stringify(passedFacts[name])}`,
  );
  context.expect(rule, changedNames.length === 0, `in the handoff ${changeTexts.join(" and ")}`, "SHOULD");
  await agent.settle();
  const on = (await agent.outbox()).filter((each) => isWork(each, task)).filter(madeAfter(handoff));
  if (on.length > 0) context.note(rule, `work on ${task} is reported after it was handed over, which no text forbids`);
  return true;
}

/** Faults for which a retry is useless, because the violation remains. The other faults may pass, so the agent may retry as often as CONV-JID-003 says. */
const permanentFaults: ReadonlySet<string> = new Set(["invariant"]);

const haltScenario: Scenario = {
  name: "agent-halts",
  side,
  says: "an agent that cannot go on stops at once and escalates",
  rules: ["CONV-JID-001"],
  needs: [],
  withinMs: 90_000,
  async play(context) {
    const rule = "CONV-JID-001";
    const agent = await agentOf(context);
    for (const [work, description] of drawItems(context, [
      ["missing", "a resource is missing"],
      ["invariant", "an invariant is violated"],
      ["late", "the time has run out"],
    ] as const)) {
      const { task } = await agent.assignWork({ work });
      await agent.pass(agent.beat);
      const report = await escalation(agent, task);
      mustCome(context, { agent, rule }, report !== undefined, `${description}, and no escalation comes`);
      await agent.settle();
      // Messages from before the fault are irrelevant.
      const on = (await agent.outbox()).filter((each) => isWork(each, task)).filter(madeAfter(report));
      context.expect(rule, on.length === 0, `${description}, and ${on.length} messages of progress come after that`);
      const workReport = await agent.workedIfTold();
      // CONV-JID-007 judges attempts after the escalation.
      const until = Date.parse(String(report?.timestamp)) + 999;
      const attempts =
        workReport?.attempts.filter(({ task_id: id, at }) => id === task && !(Date.parse(String(at)) > until)) ?? [];
      if (workReport === undefined)
        context.skip(
          rule,
          `${description}: that no work is tried again would show with the hook "worked"`,
          missingNeeds("worked"),
        );
      else if (attempts.length === 0)
        context.skip(rule, `${description}: the hook "worked" reports no attempt`, hookAnswer("worked"));
      else if (permanentFaults.has(work))
        context.expect(rule, attempts.length === 1, `${description}, and the work is tried ${attempts.length} times`);
    }
  },
};

const retryScenario: Scenario = {
  name: "agent-tries-again",
  side,
  says: "a passing fault is tried three times, after one and two seconds, and then escalated",
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
    const report = await escalation(agent, task);
    mustCome(context, { agent, rule }, report !== undefined, "a fault that does not pass is not escalated");
    const times = await attemptTimes(agent, task);
    if (times === undefined)
      return context.skip(rule, 'how often it is tried would show with the hook "worked"', missingNeeds("worked"));
    const pauses = times.slice(1).map((time, index) => time - (times[index] as number));
    const pausesText = pauses.map((pause) => `${(pause / 1000).toFixed(1)} s`).join(", ");
    if (times.length === 4 && Math.abs((pauses[2] ?? 0) - 4000) < 1500)
      context.note(rule, "there are four attempts: three may be read as retries");
    else context.expect(rule, times.length === 3, `there are ${times.length} attempts`);
    context.expect(rule, isPaced(times), `the pauses between attempts are ${pausesText}`);
  },
};

/** Whether the first attempts are a second apart, and the next two seconds. If times are in whole seconds, each may be up to a second off. */
function isPaced(times: readonly number[]): boolean {
  const slackMs = times.every((time) => time % 1000 === 0) ? 1000 : 0;
  const isWithin = (from: number, to: number, expectedMs: number): boolean => {
    const [fromTime, otherFact] = [times[from], times[to]];
    if (fromTime === undefined || otherFact === undefined) return true;
    const pause = otherFact - fromTime;
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
    const report = await escalation(agent, task);
    if (report === undefined) return context.skip(rule, "no escalation comes of the fault");
    await agent.settle();
    const otherMessages = await agent.outbox();
    const all = [report, ...otherMessages.filter((each) => isType(each, "escalation."))];
    context.expect(
      rule,
      all.some(({ recipient }) => isAbove(recipient)),
      `the problem is reported by ${inShort(report)}, and to no orchestrator, hub or tournant`,
    );
    const before = await attemptTimes(agent, task);
    // A message about another task or another agent does not ask the agent to continue this task.
    await agent.deliver(await agent.message("status.ready", { status: "ready" }, { from: peer, to: "broadcast" }));
    const { task: otherFact } = await agent.assignWork({}, {});
    const completion = { task_id: otherFact, completion: { summary: "The tests pass." } };
    await agent.deliver(await agent.message("task.complete", completion, { from: peer }));
    await agent.pass(agent.hasClock ? 60 * agent.beat : 6 * agent.beat);
    await agent.settle();
    const laterWork = [...otherMessages, ...(await agent.outbox())].filter((each) => isWork(each, task));
    const on = laterWork.filter(madeAfter(report));
    context.expect(
      rule,
      on.length === 0,
      `no message has told the agent to continue, and ${on.length} messages of progress come`,
    );
    const after = await attemptTimes(agent, task);
    if (before === undefined || after === undefined)
      return context.skip(rule, 'that no work is tried would show with the hook "worked"', missingNeeds("worked"));
    // Reports have whole seconds; tier 1 covers attempts between two reports.
    const lastReport = Math.max(...all.map(({ timestamp }) => Date.parse(String(timestamp)))) + 999;
    const repeatedCount = Math.max(after.length - before.length, after.filter((at) => at > lastReport).length);
    context.expect(
      rule,
      repeatedCount === 0,
      `no message has told the agent to continue, and the work is tried ${repeatedCount} times`,
    );
    if (!agent.hasClock)
      context.skip(
        rule,
        'that it does not go on later would show with the hook "clock"; so far it has not',
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
    const mustNotBegin = async (task: string, why: string): Promise<void> => {
      await agent.settle();
      const on = (await agent.outbox()).filter((each) => isWork(each, task));
      const attempts = await attemptTimes(agent, task);
      context.expect(rule, on.length === 0 && !attempts?.length, `${task} ${why}, and the work on it begins`);
      if (attempts === undefined)
        context.skip(rule, 'whether work is tried would show with the hook "worked"', missingNeeds("worked"));
    };
    const { task: first } = await agent.assignWork({ work: "steady" });
    await agent.pass(agent.beat);
    const { task } = await agent.assignWork({ work: "steady" }, { dependencies: [first] });
    await agent.pass(3 * agent.beat);
    await mustNotBegin(task, `depends on ${first}, which is not complete`);
    // A message about another agent's progress or failure is not enough, and neither is the completion of only one of several dependencies. Each dependency is known from an assignment.
    const complete = { completion: { summary: "The tests pass." } };
    for (const [type, changeTexts, members, endState, count] of [
      ["task.update", "goes on", { progress: { percent_complete: 40, status: "on_track" } }, 0, 1],
      ["task.update", "goes on at 100 per cent", { progress: { percent_complete: 100, status: "on_track" } }, 0, 1],
      ["task.failed", "has failed", { failure: { reason: "No space is left.", can_retry: false } }, 0, 1],
      ["task.complete", "is complete, and then on another, which is not", complete, 0, 2],
      ["task.complete", "is complete, and before it on another, which is not", complete, 1, 2],
    ] as const) {
      const dependencies = Array.from({ length: count }, () => freshTask(context));
      const { task: ownTask } = await agent.assignWork({ work: "steady" }, { dependencies: dependencies });
      await agent.deliver(
        await agent.message(type, { task_id: dependencies[endState] as string, ...members }, { from: peer }),
      );
      await agent.pass(2 * agent.beat);
      await mustNotBegin(ownTask, `depends on ${dependencies[endState]}, which ${changeTexts}`);
    }
    // The id of an inserted task begins like that of another task.
    const needed = freshTask(context);
    const like = needed.includes(".") ? needed.replace(/\..*$/, "") : `${needed}.5`;
    const { task: ownTask } = await agent.assignWork({ work: "steady" }, { dependencies: [needed] });
    await agent.deliver(await agent.message("task.complete", { task_id: like, ...complete }, { from: peer }));
    await agent.pass(2 * agent.beat);
    await mustNotBegin(ownTask, `depends on ${needed}, and ${like} is complete`);
    if (await judgeBegin(context, agent, rule)) await judgeBeginAfterBlock(context, agent, rule);
  },
};

/** A task with a complete dependency may begin. If it does, the others could have begun too. */
async function judgeBegin(context: ScenarioContext, agent: AgentPlay, rule: string): Promise<boolean> {
  const { isBegun } = await beginsAfter(context, agent, []);
  if (!isBegun) context.skip(rule, "nor does the work begin on a task with a complete dependency");
  return isBegun;
}

/** No text says that a task begins at all. But if a task does not begin after its dependency was blocked for a while, and the agent says nothing about it, the agent has forgotten the task. */
async function judgeBeginAfterBlock(context: ScenarioContext, agent: AgentPlay, rule: string): Promise<void> {
  const { isBegun, isTold: isReported } = await beginsAfter(context, agent, ["blocked", "on_track"]);
  const why = "work begins on a task with a complete dependency, and not if that was blocked in between";
  if (isReported)
    context.skip(rule, "the agent says of a task that it does not begin, after its dependency was blocked");
  else mustCome(context, { agent, rule, level: "SHOULD" }, isBegun, why);
}

/** Whether a task begins after its dependency went through some states and became complete, and whether the agent reports something else about the task. */
async function beginsAfter(
  context: ScenarioContext,
  agent: AgentPlay,
  states: readonly string[],
): Promise<{ isBegun: boolean; isTold: boolean }> {
  const dependencies = freshTask(context);
  const { task, message: pause } = await agent.assignWork({ work: "steady" }, { dependencies: [dependencies] });
  const say = async (type: string, members: JsonObject): Promise<void> =>
    agent.deliver(await agent.message(type, { task_id: dependencies, ...members }, { from: peer }));
  for (const status of states) await say("task.update", { progress: { percent_complete: 40, status } });
  await say("task.complete", { completion: { summary: "The tests pass." } });
  const messagesHeard: JsonObject[] = [];
  const isBegun = await agent.becomesTrue(async () => {
    messagesHeard.push(...(await agent.outbox()));
    return messagesHeard.some((each) => isWork(each, task)) || ((await attemptTimes(agent, task))?.length ?? 0) > 0;
  });
  const isAbout = (each: JsonObject): boolean =>
    [each.task_id, memberObject(each, "context").task_id].includes(task) ||
    (isType(each, "ack.refused") && isSameId(each.acknowledging_message_id, pause.message_id));
  return { isBegun, isTold: !isBegun && messagesHeard.some(isAbout) };
}

export const work: readonly Scenario[] = [
  handoverScenario,
  dependencyScenario,
  haltScenario,
  retryScenario,
  waitScenario,
];
