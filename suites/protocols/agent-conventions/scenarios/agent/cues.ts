import type { JsonObject, Scenario, ScenarioContext } from "../../../../../schemas/index.ts";
import { freshCue, inner, inShort, isType, isWork, orchestrator, peer, timeOf } from "../messages.ts";
import { type AgentPlay, agentOf } from "./play.ts";

const side = "agent";

interface Cue {
  cue: string;
  /** Sends the agent the next message of the cue. */
  say(phase: "warning" | "standby" | "go" | "stop", more?: JsonObject, from?: string): Promise<JsonObject>;
}

function cueOf(context: ScenarioContext, agent: AgentPlay): Cue {
  const cue = freshCue(context);
  return {
    cue,
    async say(phase, more = {}, from = orchestrator) {
      const said = { cue_id: cue, target_agents: [agent.id], ...more };
      const given = await agent.message(`coord.${phase}`, said, { from });
      await agent.deliver(given);
      return given;
    },
  };
}

/** Whether an ack is about a message, by what it names. */
function isAbout(ack: JsonObject, { message_id: id, cue_id: cue }: JsonObject): boolean {
  return isType(ack, "ack.") && (ack.acknowledging_message_id === id || inner(ack, "coordination_ack").cue_id === cue);
}

/** Brings a cue to where only go is missing. */
export async function ready(context: ScenarioContext, agent: AgentPlay): Promise<Cue> {
  const cue = cueOf(context, agent);
  await agent.ask("assign", { cue_id: cue.cue, work: "steady", everyMs: agent.beat });
  for (const phase of ["warning", "standby"] as const) {
    const given = await cue.say(phase);
    await agent.comes((each) => isAbout(each, given));
  }
  return cue;
}

/** When the agent first worked on a cue; undefined when it has not. */
async function begun(agent: AgentPlay, cue: string): Promise<number | undefined> {
  const { attempts } = await agent.worked();
  const first = attempts.find((each) => each.cue_id === cue);
  return first === undefined ? undefined : Date.parse(String(first.at));
}

export const cues: readonly Scenario[] = [
  {
    name: "agent-answers-cues",
    side,
    says: "a warning is acknowledged, and a standby answered by being ready",
    rules: ["CONV-CUE-003"],
    needs: [],
    withinMs: 40_000,
    async play(context) {
      const rule = "CONV-CUE-003";
      const agent = await agentOf(context);
      const cue = cueOf(context, agent);
      await agent.ask("assign", { cue_id: cue.cue, work: "steady", everyMs: agent.beat });
      const warning = await cue.say("warning");
      const known = await agent.comes((each) => isAbout(each, warning));
      const isKnown = known !== undefined && isType(known, "ack.received", "ack.understood");
      context.expect(rule, isKnown, `a warning is answered by ${known === undefined ? "no ack" : inShort(known)}`);
      const standby = await cue.say("standby");
      const stateOf = (each: JsonObject): unknown => inner(each, "coordination_ack").ready_status;
      const isReady = (each: JsonObject): boolean => stateOf(each) === "ready";
      let last: JsonObject | undefined;
      // An agent may say first that it prepares.
      const said = await agent.comes((each) => {
        if (!isAbout(each, standby)) return false;
        last = each;
        return isReady(each) || isType(each, "ack.refused");
      });
      const state = last === undefined ? undefined : stateOf(last);
      const how =
        last === undefined
          ? "no ack"
          : `${inShort(last)} ${state === undefined ? "without ready_status" : `with ready_status ${state}`}`;
      context.expect(
        rule,
        said !== undefined && isReady(said) && !isType(said, "ack.refused"),
        `a standby is answered by ${how}`,
      );
      const named = [known, said].flatMap((each) => inner(each, "coordination_ack").cue_id ?? []);
      const isIts = named.every((each) => each === cue.cue);
      context.expect(rule, isIts, `acks on ${cue.cue} name the cue ${named.join(", ")}`);
    },
  },
  {
    name: "agent-goes",
    side,
    says: "on go the work begins at once, or at its time",
    rules: ["CONV-CUE-004"],
    needs: [],
    withinMs: 60_000,
    waits: 5000,
    asksClock: true,
    async play(context) {
      const rule = "CONV-CUE-004";
      const agent = await agentOf(context);
      const now = await ready(context, agent);
      await now.say("go", { go_details: { execution_type: "immediate" } });
      await agent.pass(1000);
      context.expect(
        rule,
        (await begun(agent, now.cue)) !== undefined,
        "a second after an immediate go no work has begun",
      );
      const later = await ready(context, agent);
      const time = (await agent.now()) + 6 * agent.beat + 1000;
      const details = { execution_type: "scheduled", scheduled_time: timeOf(time) };
      await later.say("go", { go_details: details });
      await agent.pass(agent.beat);
      const early = await begun(agent, later.cue);
      context.expect(rule, early === undefined || early >= time, "work that is scheduled begins ahead of its time");
      await agent.pass(Math.max(0, time - (await agent.now())) + 1000);
      context.expect(
        rule,
        (await begun(agent, later.cue)) !== undefined,
        "a second after its time the scheduled work has not begun",
      );
    },
  },
  {
    name: "agent-goes-for-orchestrator",
    side,
    says: "a go from another than an orchestrator begins nothing",
    rules: ["CONV-CUE-005"],
    needs: [],
    withinMs: 40_000,
    async play(context) {
      const agent = await agentOf(context);
      const cue = await ready(context, agent);
      await cue.say("go", { go_details: { execution_type: "immediate" } }, peer);
      await agent.pass(agent.beat);
      const isBegun = (await begun(agent, cue.cue)) !== undefined;
      // That a validator is only warned is for want of a schema that says it; an agent is bound by the rule itself.
      context.expect("CONV-CUE-005", !isBegun, `${peer} sends a go, and the work begins`, "MUST");
    },
  },
  {
    name: "agent-stops",
    side,
    says: "a stop ends the work at once",
    rules: ["CONV-CUE-006"],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      const rule = "CONV-CUE-006";
      const agent = await agentOf(context);
      const { task } = await agent.begin({ work: "steady" });
      await agent.pass(2.2 * agent.beat);
      const first = await agent.comes((each) => isWork(each, task));
      if (first === undefined)
        return context.skip(rule, "no progress of steady work is reported, so that its end would not show");
      const before = [first, ...(await agent.outbox()).filter((each) => isWork(each, task))];
      const stop = await agent.stopping();
      await agent.deliver(stop);
      const last = Math.max(...before.map(({ timestamp }) => Date.parse(String(timestamp))));
      /** What was on its way when the stop came is a beat after what came before; steady work is never complete. */
      const isUponStop = (each: JsonObject): boolean =>
        isType(each, "task.complete") ||
        (inner(each, "progress").status === "on_track" &&
          Date.parse(String(each.timestamp)) - last < 0.8 * agent.beat - 1000);
      const upon = (await agent.outbox()).find((each) => isWork(each, task) && isUponStop(each));
      if (upon !== undefined) context.expect(rule, false, `an immediate stop is answered by ${inShort(upon)}`);
      await agent.pass(6 * agent.beat);
      const after = (await agent.outbox()).filter((each) => isWork(each, task));
      context.expect(rule, after.length === 0, `after an immediate stop ${after.length} messages of progress come`);
    },
  },
];
