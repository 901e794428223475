import { setTimeout as sleep } from "node:timers/promises";
import {
  isObject,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
} from "../../../../../schemas/index.ts";
import { type Ask, asking } from "../../../../scenarios/way/asking.ts";
import { freshCue, freshId, freshTask, hub, isType, message, timeOf } from "../messages.ts";

const side = "hub";
const agents = ["specialist-code", "specialist-test"] as const;
const patience = 5000;
const pause = 10;

/** A message of an agent to the hub. */
function report(context: ScenarioContext, from: string, type: string, more: JsonObject): JsonObject {
  return message(context, type, { from, to: hub, at: Date.now() }, more);
}

/** Messages of the hub to its agents, as they come. */
function outboxOf(
  context: ScenarioContext,
  ask: Ask,
): { all: JsonObject[]; look(): Promise<void>; comes(isIt: (message: JsonObject) => boolean): Promise<boolean> } {
  const all: JsonObject[] = [];
  const look = async (): Promise<void> => {
    const { messages } = await ask("outbox", {});
    if (!Array.isArray(messages) || !messages.every(isObject) || all.length + messages.length > 2000)
      throw new TargetFailure("errored", "hook", 'the hook "outbox" does not give {"messages": […]} of some objects');
    all.push(...messages);
  };
  return {
    all,
    look,
    async comes(isIt) {
      const end = performance.now() + patience * (context.setting.timeScale ?? 1);
      for (;;) {
        await look();
        if (all.some(isIt)) return true;
        if (performance.now() > end) return false;
        await sleep(pause, undefined, { signal: context.signal });
      }
    },
  };
}

export const hubScenarios: readonly Scenario[] = [
  {
    name: "hub-routes",
    side,
    says: "a message goes where its prefix says, and what fits nothing raises an error",
    rules: ["CONV-ROUTE-001"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const rule = "CONV-ROUTE-001";
      const ask = asking(context, "hub");
      const [code] = agents;
      const about = { category: "resource", description: "No space is left." };
      const progress = { percent_complete: 40, status: "on_track" };
      for (const [type, more, wanted] of [
        ["escalation.error", { severity: "CRITICAL", ...about }, "escalations"],
        ["escalation.abnormality", { severity: "LOW", ...about }, "escalations"],
        ["status.ready", { status: "ready" }, "monitoring"],
        ["task.update", { task_id: freshTask(context), progress }, "tasks"],
        ["coord.warning", { cue_id: freshCue(context), target_agents: [code] }, "cues"],
      ] as const) {
        const from = type.startsWith("coord") ? "orchestrator-main" : code;
        const { to, refused } = await ask("deliver", {
          message: report(context, from, type, more as unknown as JsonObject),
        });
        if (typeof to !== "string" && refused === undefined)
          throw new TargetFailure("errored", "hook", 'the hook "deliver" gives neither {"to": …} nor {"refused": …}');
        const where = typeof to === "string" ? to : `nowhere (${refused ?? "without a reason"})`;
        context.expect(rule, to === wanted, `${type} goes to ${where} instead of ${wanted}`);
      }
      for (const type of ["broadcast.notice", "coordination.go"]) {
        const { to, refused } = await ask("deliver", { message: report(context, code, type, {}) });
        context.expect(
          rule,
          to === undefined && refused !== undefined,
          `${type} fits nothing, and goes to ${to ?? "nowhere without an error"}`,
        );
      }
    },
  },
  {
    name: "hub-follows",
    side,
    says: "when a cue is complete, the one that it names begins",
    rules: ["CONV-CUE-007"],
    needs: [],
    withinMs: 40_000,
    async play(context) {
      const rule = "CONV-CUE-007";
      const ask = asking(context, "hub");
      const [first, second] = [freshCue(context), freshCue(context)];
      const box = outboxOf(context, ask);
      await box.look();
      const cue = { target_agents: [...agents] };
      await ask("assign", {
        cues: [
          { ...cue, cue_id: first, auto_follow: second },
          { ...cue, cue_id: second },
        ],
        begin: first,
      });
      for (const phase of ["warning", "standby", "go"] as const) {
        const isIt = (cueId: string) => (each: JsonObject) =>
          each.cue_id === cueId && each.message_type === `coord.${phase}`;
        if (!(await box.comes(isIt(first)))) return context.skip(rule, `no ${phase} of ${first} comes`);
        const said = box.all.find(isIt(first)) as JsonObject;
        const early = box.all.some((each) => each.cue_id === second);
        context.expect(rule, !early, `${second} begins while ${first} is at its ${phase}`);
        for (const agent of agents) await ask("deliver", { message: ackOf(context, agent, phase, first, said) });
      }
      const isNext = (each: JsonObject): boolean => each.cue_id === second && isType(each, "coord.warning");
      context.expect(rule, await box.comes(isNext), `${first} is complete, and no warning of ${second} comes`);
    },
  },
];

/** What an agent answers to a message of a cue; to go, that it has done its part. */
function ackOf(
  context: ScenarioContext,
  agent: string,
  phase: "warning" | "standby" | "go",
  cue: string,
  { message_id: id = freshId(context) }: JsonObject,
): JsonObject {
  const about = { acknowledging_message_id: id };
  if (phase === "warning")
    return report(context, agent, "ack.understood", { ...about, coordination_ack: { cue_id: cue } });
  const ready = { cue_id: cue, ready_status: "ready", preparation_complete: true };
  if (phase === "standby") return report(context, agent, "ack.understood", { ...about, coordination_ack: ready });
  const done = { result: "success", completion_time: timeOf(Date.now()) };
  return report(context, agent, "ack.completed", {
    ...about,
    completed_details: done,
    coordination_ack: { cue_id: cue },
  });
}
