import type { JsonObject, Scenario, ScenarioContext } from "../../../../../schemas/index.ts";
import { freshCue, freshTask } from "../messages.ts";
import { judge, ofAll, type ShownBy } from "../recorded.ts";
import { agents, isPhase, type Phase, report, type Team, teamOf } from "./team.ts";

const side = "hub";

const following: Scenario = {
  name: "hub-follows",
  side,
  says: "when a cue is complete, the one that it names begins",
  rules: ["CONV-CUE-007"],
  needs: [],
  withinMs: 40_000,
  async play(context) {
    const rule = "CONV-CUE-007";
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
    let early: string[] | undefined;
    const isNext = (each: JsonObject): boolean => {
      if (!isPhase(each, second, "warning")) return false;
      early ??= agents.filter((agent) => !team.done(first).includes(agent));
      return true;
    };
    for (const agent of agents) team.silent.set(agent, "go");
    for (const phase of ["warning", "standby", "go"] as const) {
      const comes = await team.comes((each) => isNext(each) || isPhase(each, first, phase));
      if (!comes) return context.skip(rule, `no ${phase} of ${first} comes`);
    }
    for (const agent of agents) await team.comes((each) => isNext(each) || isPhase(each, first, "go", agent));
    // That a go has arrived completes nothing.
    for (const how of ["arrived", "does"] as const)
      for (const agent of agents) {
        await team.answer(agent, first, how);
        await team.linger();
        team.all.some(isNext);
      }
    context.expect(rule, await team.comes(isNext), `${first} is complete, and no warning of ${second} comes`);
    context.expect(
      rule,
      early?.length === 0,
      `${second} begins before ${first} is completed by ${early?.join(" and ")}`,
    );
  },
};

const waiting: Scenario = {
  name: "hub-waits",
  side,
  says: "a standby waits for each acknowledgment, and a go for each agent to be ready",
  rules: ["CONV-CUE-002"],
  needs: [],
  withinMs: 60_000,
  async play(context) {
    const rule = "CONV-CUE-002";
    for (const slow of agents) {
      const team = await teamOf(context);
      const cue = freshCue(context);
      const said = (phase: Phase, agent?: string) => (each: JsonObject) => isPhase(each, cue, phase, agent);
      team.silent.set(slow, "warning");
      await team.ask("assign", { cues: [{ target_agents: [...agents], cue_id: cue }], begin: cue });
      if (!(await team.comes(said("warning", slow))))
        return context.skip(rule, `no warning of ${cue} comes to ${slow}`);
      await team.linger();
      context.expect(
        rule,
        !team.all.some(said("standby")),
        `a standby comes before ${slow} has acknowledged the warning`,
      );
      // Who has acknowledged it does so once more, and makes no second agent.
      for (const agent of agents) if (agent !== slow) await team.answer(agent, cue);
      await team.linger();
      context.expect(
        rule,
        !team.all.some(said("standby")),
        `a standby comes after two acknowledgments, and none of ${slow}`,
      );
      team.silent.set(slow, "standby");
      await team.answer(slow, cue);
      if (!(await team.comes(said("standby", slow))))
        return context.skip(rule, `each has acknowledged the warning, and no standby of ${cue} comes to ${slow}`);
      await team.linger();
      context.expect(rule, !team.all.some(said("go")), `a go comes before ${slow} has said anything of being ready`);
      await team.answer(slow, cue, "unready");
      await team.linger();
      context.expect(rule, !team.all.some(said("go")), `a go comes although ${slow} has said not_ready`);
      // So that the hub is done with the cue.
      await team.answer(slow, cue);
      await team.linger();
      await refused(context, team, slow);
    }
  },
};

/** A refusal is no acknowledgment. */
async function refused(context: ScenarioContext, team: Team, slow: string): Promise<void> {
  const cue = freshCue(context);
  team.silent.set(slow, "warning");
  await team.ask("assign", { cues: [{ target_agents: [...agents], cue_id: cue }], begin: cue });
  if (!(await team.comes((each) => isPhase(each, cue, "warning", slow)))) return;
  await team.answer(slow, cue, "refuses");
  await team.linger();
  const isOn = team.all.some((each) => isPhase(each, cue, "standby", slow));
  context.expect("CONV-CUE-002", !isOn, `${slow} refuses a warning, and a standby comes to it all the same`);
}

const shownBy: ShownBy = {
  "": ["CONV-BASE-007", "CONV-BASE-009", "CONV-BASE-010", "CONV-BASE-014", ofAll],
  "coord.": ["CONV-COORD-005", "CONV-CUE-001"],
  "coord.go": ["CONV-CUE-005"],
};

const recorded: Scenario = {
  name: "hub-recorded-messages",
  side,
  says: "each message of a hub is as the schemas and the rules want it, and each cue has its phases in order",
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
    for (const cue of [first, second]) await team.comes((each) => isPhase(each, cue, "go"));
    const wrong = { task_id: freshTask(context), progress: { percent_complete: 140 } };
    await team.deliver(report(context, agents[0], "task.update", wrong));
    await team.linger();
    await judge(context, team.exchanged, shownBy);
  },
};

export const cues: readonly Scenario[] = [recorded, following, waiting];
