import { type JsonObject, missingNeeds, type Scenario, type ScenarioContext } from "../../../../../schemas/index.ts";
import { expectArrival } from "../agent/work-messages.ts";
import { drawItems, freshCue, freshTask } from "../messages.ts";
import { judgeRecording, type ShownBy, validityRule } from "../recorded.ts";
import { agents, isPhase, type Phase, report, type Team, teamOf } from "./team.ts";

const side = "hub";

const followingScenario: Scenario = {
  name: "hub-follows",
  side,
  says: "when a cue is complete, the cue in its auto_follow begins",
  rules: ["CONV-CUE-007"],
  needs: [],
  withinMs: 40_000,
  async play(context) {
    const rule = "CONV-CUE-007";
    const team = await teamOf(context);
    const [first, second, third] = [freshCue(context), freshCue(context), freshCue(context)];
    const target_agents = [...agents];
    await team.ask("assign", {
      cues: [
        { target_agents, cue_id: first, auto_follow: second },
        { target_agents, cue_id: second, auto_follow: third },
        { target_agents, cue_id: third },
      ],
      begin: first,
    });
    let earlyAgents: string[] | undefined;
    const isNext = (message: JsonObject): boolean => {
      if (!isPhase(message, second, "warning")) return false;
      earlyAgents ??= agents.filter((agent) => !team.completedAgents(first).includes(agent));
      return true;
    };
    for (const agent of agents) team.withheld.set(agent, "go");
    for (const phase of ["warning", "standby", "go"] as const) {
      const hasArrived = await team.waitFor((message) => isNext(message) || isPhase(message, first, phase));
      if (!hasArrived) return context.skip(rule, `no ${phase} of ${first} arrived`);
    }
    for (const agent of agents)
      await team.waitFor((message) => isNext(message) || isPhase(message, first, "go", agent));
    // Only the completion of the work completes the cue, not the arrival of its go.
    for (const answerKind of ["arrived", "does"] as const)
      for (const agent of agents) {
        await team.answer(agent, first, answerKind);
        await team.settle();
        team.messages.some(isNext);
      }
    const hasBegun = await team.waitFor(isNext);
    expectArrival(
      context,
      { agent: team, rule },
      hasBegun,
      `${first} is complete, but no warning of ${second} arrived`,
    );
    if (!hasBegun) return;
    context.expect(
      rule,
      earlyAgents?.length === 0,
      `${second} begins before ${earlyAgents?.join(" and ")} has completed ${first}`,
    );
    team.withheld.clear();
    // The go may have arrived while the agents withheld their answers.
    for (const agent of agents)
      if (await team.waitFor((message) => isPhase(message, second, "go", agent))) await team.answer(agent, second);
    const hasThirdBegun = await team.waitFor((message) => isPhase(message, third, "warning"));
    const why = `${second}, which followed ${first}, is complete, but no warning of ${third} arrived`;
    expectArrival(context, { agent: team, rule }, hasThirdBegun, why);
  },
};

const waitScenario: Scenario = {
  name: "hub-waits",
  side,
  says: "a standby waits for every acknowledgment, and a go until every agent is ready",
  rules: ["CONV-CUE-002"],
  needs: [],
  withinMs: 90_000,
  async play(context) {
    const rule = "CONV-CUE-002";
    for (const slow of drawItems(context, agents)) {
      const team = await teamOf(context);
      if (!(await reachesGo(context, team)))
        return context.skip(
          rule,
          "a cue that every agent answers does not reach its go, so no message could be too early",
        );
      const cue = freshCue(context);
      const isCueAt = (phase: Phase, agent?: string) => (message: JsonObject) => isPhase(message, cue, phase, agent);
      team.withheld.set(slow, "warning");
      await team.ask("assign", { cues: [{ target_agents: drawItems(context, agents), cue_id: cue }], begin: cue });
      if (!(await team.waitFor(isCueAt("warning", slow))))
        return context.skip(rule, `no warning of ${cue} reaches ${slow}`);
      const mustWait = async (phase: Phase, circumstance: string): Promise<void> => {
        await team.settle();
        context.expect(rule, !team.messages.some(isCueAt(phase)), `a ${phase} is sent ${circumstance}`);
      };
      await mustWait("standby", `before ${slow} has acknowledged the warning`);
      // A second acknowledgment of one agent does not count for another.
      for (const agent of agents) if (agent !== slow) await team.answer(agent, cue);
      await mustWait("standby", `after two acknowledgments, but none from ${slow}`);
      team.withheld.set(slow, "standby");
      await team.answer(slow, cue);
      if (!(await team.waitFor(isCueAt("standby", slow))))
        return context.skip(rule, `all agents have acknowledged the warning, but no standby of ${cue} reaches ${slow}`);
      await mustWait("go", `before ${slow} has reported that it is ready`);
      // A second acknowledgment of the warning is not an answer to the standby.
      const warning = team.messages.find(isCueAt("warning", slow));
      if (warning !== undefined) await team.answerTo(slow, warning);
      await mustWait("go", `after ${slow} has acknowledged the warning again, but not reported that it is ready`);
      for (const answerKind of drawItems(context, ["unready", "preparing"] as const)) {
        await team.answer(slow, cue, answerKind);
        await mustWait("go", `although ${slow} has reported ${answerKind === "unready" ? "not_ready" : answerKind}`);
      }
      // Lets the hub finish the cue.
      await team.answer(slow, cue);
      await team.settle();
      await judgeRefused(context, team, slow);
      await judgeWithdrawal(context, team, slow);
      await judgeNonTargetAnswer(context, team, slow);
      await judgeOtherCue(context, team, slow);
      await judgeSilence(context, team, slow);
    }
  },
};

/** Whether a cue that every agent answers reaches its go. Its delay shows how long to wait for forbidden messages. */
async function reachesGo(context: ScenarioContext, team: Team): Promise<boolean> {
  const cue = freshCue(context);
  await team.ask("assign", { cues: [{ target_agents: [...agents], cue_id: cue }], begin: cue });
  for (const phase of ["warning", "standby", "go"] as const)
    if (!(await team.waitFor((message) => isPhase(message, cue, phase)))) return false;
  return true;
}

/** Checks that a refusal does not count as an acknowledgment. */
async function judgeRefused(context: ScenarioContext, team: Team, slow: string): Promise<void> {
  const cue = freshCue(context);
  team.withheld.set(slow, "warning");
  await team.ask("assign", { cues: [{ target_agents: [...agents], cue_id: cue }], begin: cue });
  if (!(await team.waitFor((message) => isPhase(message, cue, "warning", slow)))) return;
  await team.answer(slow, cue, "refuses");
  await team.settle();
  const hasContinued = team.messages.some((message) => isPhase(message, cue, "standby", slow));
  context.expect("CONV-CUE-002", !hasContinued, `${slow} refuses a warning, but a standby reaches it anyway`);
}

/**
 * Checks that an agent does not count as ready if it withdraws, or if it refuses in the same message. Only a warning, since the
 * specification does not say so explicitly.
 */
async function judgeWithdrawal(context: ScenarioContext, team: Team, slow: string): Promise<void> {
  for (const [answers, description] of [
    [["does", "unready"], "reports that it is ready, and then that it is not"],
    [["refuses-ready"], "refuses a standby in a message with ready_status ready"],
  ] as const) {
    const cue = freshCue(context);
    for (const agent of agents) team.withheld.set(agent, "standby");
    await team.ask("assign", { cues: [{ target_agents: [...agents], cue_id: cue }], begin: cue });
    for (const agent of agents) if (!(await team.waitFor((message) => isPhase(message, cue, "standby", agent)))) return;
    for (const answerKind of answers) await team.answer(slow, cue, answerKind);
    for (const agent of agents) if (agent !== slow) await team.answer(agent, cue);
    await team.settle();
    const hasContinued = team.messages.some((message) => isPhase(message, cue, "go"));
    context.expect("CONV-CUE-002", !hasContinued, `${slow} ${description}, but a go is sent`, "SHOULD");
  }
}

/** Checks that silence does not count as an acknowledgment, however long it lasts. */
async function judgeSilence(context: ScenarioContext, team: Team, slow: string): Promise<void> {
  const rule = "CONV-CUE-002";
  if (!team.hasClock)
    return context.skip(rule, 'the hook "clock" is needed to see whether the hub waits longer', missingNeeds("clock"));
  const cue = freshCue(context);
  const waitForPhase = (phase: Phase, agent?: string) => team.waitFor((message) => isPhase(message, cue, phase, agent));
  team.withheld.set(slow, "warning");
  await team.ask("assign", { cues: [{ target_agents: [...agents], cue_id: cue }], begin: cue });
  if (!(await waitForPhase("warning", slow))) return context.skip(rule, `no warning of ${cue} reaches ${slow}`);
  for (const phase of ["standby", "go"] as const) {
    await team.passThreeMinutes();
    const hasContinued = team.messages.some((message) => isPhase(message, cue, phase));
    context.expect(rule, !hasContinued, `${slow} is silent for three minutes, but a ${phase} is sent`);
    if (hasContinued || phase === "go") return;
    team.withheld.set(slow, "standby");
    await team.answer(slow, cue);
    // The hub may have given up the cue by now.
    if (!(await waitForPhase("standby", slow))) return;
  }
}

/** Checks that an acknowledgment from an agent that is not a target does not count. */
async function judgeNonTargetAnswer(context: ScenarioContext, team: Team, slow: string): Promise<void> {
  const cue = freshCue(context);
  team.withheld.set(slow, "warning");
  await team.ask("assign", { cues: [{ target_agents: [slow], cue_id: cue }], begin: cue });
  const isWarning = (message: JsonObject): boolean => isPhase(message, cue, "warning", slow);
  if (!(await team.waitFor(isWarning))) return;
  const warning = team.messages.find(isWarning);
  for (const agent of agents) if (agent !== slow && warning !== undefined) await team.answerTo(agent, warning);
  await team.settle();
  const hasContinued = team.messages.some((message) => isPhase(message, cue, "standby"));
  context.expect(
    "CONV-CUE-002",
    !hasContinued,
    `another agent acknowledges a warning for ${slow} alone, and a standby is sent`,
  );
}

/** Checks that an answer to one cue does not count for another cue in progress. */
async function judgeOtherCue(context: ScenarioContext, team: Team, slow: string): Promise<void> {
  const [cue, otherCue] = [freshCue(context), freshCue(context)];
  team.withheld.set(slow, "warning");
  for (const begin of [cue, otherCue]) {
    await team.ask("assign", { cues: [{ target_agents: [...agents], cue_id: begin }], begin });
    // A hub may allow only one cue in progress at a time.
    if (!(await team.waitFor((message) => isPhase(message, begin, "warning", slow)))) return team.answer(slow, cue);
  }
  await team.settle();
  await team.answer(slow, otherCue);
  await team.settle();
  const hasContinued = team.messages.some((message) => isPhase(message, cue, "standby"));
  context.expect(
    "CONV-CUE-002",
    !hasContinued,
    `${slow} acknowledges the warning of ${otherCue}, and a standby of ${cue} is sent`,
  );
  await team.answer(slow, cue);
}

const shownBy: ShownBy = {
  "": ["CONV-BASE-007", "CONV-BASE-009", "CONV-BASE-010", "CONV-BASE-014", validityRule],
  "coord.": ["CONV-COORD-005", "CONV-CUE-001"],
  "coord.go": ["CONV-CUE-002", "CONV-CUE-005"],
};

const recordedScenario: Scenario = {
  name: "hub-recorded-messages",
  side,
  says: "each message of a hub follows the schemas and the rules, and each cue has its phases in order",
  rules: Object.values(shownBy).flat(),
  needs: [],
  withinMs: 60_000,
  async play(context) {
    const team = await teamOf(context);
    const [first, second] = [freshCue(context), freshCue(context)];
    const target_agents = [...agents];
    await team.ask("assign", {
      cues: [
        { target_agents, cue_id: first, auto_follow: second },
        { target_agents, cue_id: second },
      ],
      begin: first,
    });
    let missingText: string | undefined;
    for (const cue of [first, second])
      if (!(await team.waitFor((message) => isPhase(message, cue, "go")))) missingText ??= `no go of ${cue} arrived`;
    const invalidUpdate = { task_id: freshTask(context), progress: { percent_complete: 140 } };
    await team.deliver(report(context, agents[0], "task.update", invalidUpdate));
    await team.settle();
    await judgeRecording(context, shownBy);
    // A message that has not arrived could break a rule.
    if (missingText !== undefined) for (const rule of Object.values(shownBy).flat()) context.skip(rule, missingText);
  },
};

export const hubCueScenarios: readonly Scenario[] = [followingScenario, waitScenario, recordedScenario];
