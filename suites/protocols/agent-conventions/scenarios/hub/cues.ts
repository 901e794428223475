import type { JsonObject, Scenario } from "../../../../../schemas/index.ts";
import { freshCue } from "../messages.ts";
import { agents, isPhase, type Phase, teamOf } from "./team.ts";

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
    for (const phase of ["warning", "standby", "go"] as const) {
      const comes = await team.comes((each) => isNext(each) || isPhase(each, first, phase));
      if (!comes) return context.skip(rule, `no ${phase} of ${first} comes`);
    }
    context.expect(rule, await team.comes(isNext), `${first} is complete, and no warning of ${second} comes`);
    context.expect(rule, early?.length === 0, `${second} begins before ${early?.join(" and ")} has completed ${first}`);
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
      team.silent.set(slow, "standby");
      await team.answer(slow, cue);
      if (!(await team.comes(said("standby", slow))))
        return context.skip(rule, `each has acknowledged the warning, and no standby of ${cue} comes to ${slow}`);
      await team.linger();
      context.expect(rule, !team.all.some(said("go")), `a go comes before ${slow} has said anything of being ready`);
      await team.answer(slow, cue, false);
      await team.linger();
      context.expect(rule, !team.all.some(said("go")), `a go comes although ${slow} has said not_ready`);
      // So that the hub is done with the cue.
      await team.answer(slow, cue);
      await team.linger();
    }
  },
};

export const cues: readonly Scenario[] = [following, waiting];
