import { type JsonObject, missingNeeds, type Scenario, type ScenarioContext } from "../../../../../schemas/index.ts";
import { mustCome } from "../agent/conflict-messages.ts";
import { drawItems, freshCue, freshTask } from "../messages.ts";
import { judge, ofAll, type ShownBy } from "../recorded.ts";
import { agents, isPhase, type Phase, report, type Team, teamOf } from "./team.ts";

const side = "hub";

const followingScenario: Scenario = {
  name: "hub-follows",
  side,
  says: "when a cue is complete, its named successor begins",
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
    const isNext = (each: JsonObject): boolean => {
      if (!isPhase(each, second, "warning")) return false;
      earlyAgents ??= agents.filter((agent) => !team.agentsDone(first).includes(agent));
      return true;
    };
    for (const agent of agents) team.silent.set(agent, "go");
    for (const phase of ["warning", "standby", "go"] as const) {
      const comes = await team.comes((each) => isNext(each) || isPhase(each, first, phase));
      if (!comes) return context.skip(rule, `no ${phase} of ${first} comes`);
    }
    for (const agent of agents) await team.comes((each) => isNext(each) || isPhase(each, first, "go", agent));
    // The arrival of a go does not complete the work.
    for (const answerKind of ["arrived", "does"] as const)
      for (const agent of agents) {
        await team.answer(agent, first, answerKind);
        await team.linger();
        team.all.some(isNext);
      }
    const isBegun = await team.comes(isNext);
    mustCome(context, { agent: team, rule }, isBegun, `${first} is complete, and no warning of ${second} comes`);
    if (!isBegun) return;
    context.expect(
      rule,
      earlyAgents?.length === 0,
      `${second} begins before ${first} is completed by ${earlyAgents?.join(" and ")}`,
    );
    team.silent.clear();
    // The go may have arrived while the agents withheld their answers.
    for (const agent of agents)
      if (await team.comes((each) => isPhase(each, second, "go", agent))) await team.answer(agent, second);
    const isLast = await team.comes((each) => isPhase(each, third, "warning"));
    const why = `${second}, which followed ${first}, is complete, and no warning of ${third} comes`;
    mustCome(context, { agent: team, rule }, isLast, why);
  },
};

const waitScenario: Scenario = {
  name: "hub-waits",
  side,
  says: "a standby waits for each acknowledgment, and a go for each agent to be ready",
  rules: ["CONV-CUE-002"],
  needs: [],
  withinMs: 90_000,
  async play(context) {
    const rule = "CONV-CUE-002";
    for (const slow of drawItems(context, agents)) {
      const team = await teamOf(context);
      if (!(await reachesGo(context, team)))
        return context.skip(rule, "a cue that each agent answers does not reach its go, so nothing could be too early");
      const cue = freshCue(context);
      const isCueAt = (phase: Phase, agent?: string) => (each: JsonObject) => isPhase(each, cue, phase, agent);
      team.silent.set(slow, "warning");
      await team.ask("assign", { cues: [{ target_agents: drawItems(context, agents), cue_id: cue }], begin: cue });
      if (!(await team.comes(isCueAt("warning", slow))))
        return context.skip(rule, `no warning of ${cue} comes to ${slow}`);
      const mustWait = async (phase: Phase, circumstance: string): Promise<void> => {
        await team.linger();
        context.expect(rule, !team.all.some(isCueAt(phase)), `a ${phase} comes ${circumstance}`);
      };
      await mustWait("standby", `before ${slow} has acknowledged the warning`);
      // A second acknowledgment of one agent does not count for another.
      for (const agent of agents) if (agent !== slow) await team.answer(agent, cue);
      await mustWait("standby", `after two acknowledgments, and none of ${slow}`);
      team.silent.set(slow, "standby");
      await team.answer(slow, cue);
      if (!(await team.comes(isCueAt("standby", slow))))
        return context.skip(rule, `each has acknowledged the warning, and no standby of ${cue} comes to ${slow}`);
      await mustWait("go", `before ${slow} has said that it is ready`);
      // A second acknowledgment of the warning does not answer the standby.
      const warning = team.all.find(isCueAt("warning", slow));
      if (warning !== undefined) await team.answerTo(slow, warning);
      await mustWait("go", `when ${slow} has acknowledged the warning once more, and not said that it is ready`);
      for (const answerKind of drawItems(context, ["unready", "preparing"] as const)) {
        await team.answer(slow, cue, answerKind);
        await mustWait("go", `although ${slow} has said ${answerKind === "unready" ? "not_ready" : answerKind}`);
      }
      // Allows the hub to finish the cue.
      await team.answer(slow, cue);
      await team.linger();
      await judgeRefused(context, team, slow);
      await judgeWithdrawal(context, team, slow);
      await judgeForeignAnswer(context, team, slow);
      await judgeOtherCue(context, team, slow);
      await judgeSilence(context, team, slow);
    }
  },
};

/** Whether a cue that each agent answers reaches its go. The delay shows how long to wait for a forbidden message. */
async function reachesGo(context: ScenarioContext, team: Team): Promise<boolean> {
  const cue = freshCue(context);
  await team.ask("assign", { cues: [{ target_agents: [...agents], cue_id: cue }], begin: cue });
  for (const phase of ["warning", "standby", "go"] as const)
    if (!(await team.comes((each) => isPhase(each, cue, phase)))) return false;
  return true;
}

/** A refusal is not an acknowledgment. */
async function judgeRefused(context: ScenarioContext, team: Team, slow: string): Promise<void> {
  const cue = freshCue(context);
  team.silent.set(slow, "warning");
  await team.ask("assign", { cues: [{ target_agents: [...agents], cue_id: cue }], begin: cue });
  if (!(await team.comes((each) => isPhase(each, cue, "warning", slow)))) return;
  await team.answer(slow, cue, "refuses");
  await team.linger();
  const isOn = team.all.some((each) => isPhase(each, cue, "standby", slow));
  context.expect("CONV-CUE-002", !isOn, `${slow} refuses a warning, and a standby comes to it all the same`);
}

/** An agent that withdraws, or refuses in the same message, is not ready. No text says so explicitly, so the result is a warning. */
async function judgeWithdrawal(context: ScenarioContext, team: Team, slow: string): Promise<void> {
  for (const [answers, description] of [
    [["does", "unready"], "says that it is ready, and then that it is not"],
    [["refuses-ready"], "refuses a standby in a message that calls it ready"],
  ] as const) {
    const cue = freshCue(context);
    for (const agent of agents) team.silent.set(agent, "standby");
    await team.ask("assign", { cues: [{ target_agents: [...agents], cue_id: cue }], begin: cue });
    for (const agent of agents) if (!(await team.comes((each) => isPhase(each, cue, "standby", agent)))) return;
    for (const answerKind of answers) await team.answer(slow, cue, answerKind);
    for (const agent of agents) if (agent !== slow) await team.answer(agent, cue);
    await team.linger();
    const isOn = team.all.some((each) => isPhase(each, cue, "go"));
    context.expect("CONV-CUE-002", !isOn, `${slow} ${description}, and a go comes`, "SHOULD");
  }
}

/** Silence is not an acknowledgment, however long it lasts. */
async function judgeSilence(context: ScenarioContext, team: Team, slow: string): Promise<void> {
  const rule = "CONV-CUE-002";
  if (!team.hasClock)
    return context.skip(rule, 'that it waits for longer would show with the hook "clock"', missingNeeds("clock"));
  const cue = freshCue(context);
  const comes = (phase: Phase, agent?: string) => team.comes((each) => isPhase(each, cue, phase, agent));
  team.silent.set(slow, "warning");
  await team.ask("assign", { cues: [{ target_agents: [...agents], cue_id: cue }], begin: cue });
  if (!(await comes("warning", slow))) return context.skip(rule, `no warning of ${cue} comes to ${slow}`);
  for (const phase of ["standby", "go"] as const) {
    await team.outlast();
    const isOn = team.all.some((each) => isPhase(each, cue, phase));
    context.expect(rule, !isOn, `${slow} says nothing for three minutes, and a ${phase} comes`);
    if (isOn || phase === "go") return;
    team.silent.set(slow, "standby");
    await team.answer(slow, cue);
    // The hub may have given up the cue by now.
    if (!(await comes("standby", slow))) return;
  }
}

/** An acknowledgment of an agent that is not a target does not count for a target. */
async function judgeForeignAnswer(context: ScenarioContext, team: Team, slow: string): Promise<void> {
  const cue = freshCue(context);
  team.silent.set(slow, "warning");
  await team.ask("assign", { cues: [{ target_agents: [slow], cue_id: cue }], begin: cue });
  const isWarning = (each: JsonObject): boolean => isPhase(each, cue, "warning", slow);
  if (!(await team.comes(isWarning))) return;
  const warning = team.all.find(isWarning);
  for (const agent of agents) if (agent !== slow && warning !== undefined) await team.answerTo(agent, warning);
  await team.linger();
  const isOn = team.all.some((each) => isPhase(each, cue, "standby"));
  context.expect("CONV-CUE-002", !isOn, `another agent acknowledges a warning for ${slow} alone, and a standby comes`);
}

/** An answer to one cue says nothing about another cue in progress. */
async function judgeOtherCue(context: ScenarioContext, team: Team, slow: string): Promise<void> {
  const [cue, otherCue] = [freshCue(context), freshCue(context)];
  team.silent.set(slow, "warning");
  for (const begin of [cue, otherCue]) {
    await team.ask("assign", { cues: [{ target_agents: [...agents], cue_id: begin }], begin });
    // A hub may allow only one cue in progress at a time.
    if (!(await team.comes((each) => isPhase(each, begin, "warning", slow)))) return team.answer(slow, cue);
  }
  await team.linger();
  await team.answer(slow, otherCue);
  await team.linger();
  const isOn = team.all.some((each) => isPhase(each, cue, "standby"));
  context.expect(
    "CONV-CUE-002",
    !isOn,
    `${slow} acknowledges the warning of ${otherCue}, and a standby of ${cue} comes`,
  );
  await team.answer(slow, cue);
}

const shownBy: ShownBy = {
  "": ["CONV-BASE-007", "CONV-BASE-009", "CONV-BASE-010", "CONV-BASE-014", ofAll],
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
      if (!(await team.comes((each) => isPhase(each, cue, "go")))) missingText ??= `no go of ${cue} comes`;
    const invalidUpdate = { task_id: freshTask(context), progress: { percent_complete: 140 } };
    await team.deliver(report(context, agents[0], "task.update", invalidUpdate));
    await team.linger();
    await judge(context, shownBy);
    // A message that has not arrived yet may break a rule.
    if (missingText !== undefined) for (const rule of Object.values(shownBy).flat()) context.skip(rule, missingText);
  },
};

export const cues: readonly Scenario[] = [followingScenario, waitScenario, recordedScenario];
