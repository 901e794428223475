import type { JsonObject, Scenario } from "../../../../../schemas/index.ts";
import { freshTask, inner, inShort, isType, isWork, peer } from "../messages.ts";
import { type AgentPlay, agentOf } from "./play.ts";

const side = "agent";

function escalation(agent: AgentPlay): Promise<JsonObject | undefined> {
  return agent.comes((each) => isType(each, "escalation."));
}

const handing: Scenario = {
  name: "agent-hands-over",
  side,
  says: "a handoff has all that the next agent's contract asks for",
  rules: ["CONV-HAND-001"],
  needs: [],
  withinMs: 40_000,
  async play(context) {
    const rule = "CONV-HAND-001";
    const agent = await agentOf(context);
    const facts = { branch: context.fresh("branch"), schema: "v3", owner: "Ida" };
    const contract = ["branch", "schema"];
    const { task } = await agent.begin({ work: "handoff", to: peer, contract }, { context: facts });
    await agent.pass(2 * agent.beat);
    const handoff = await agent.comes((each) => isType(each, "task.handoff") && each.task_id === task);
    if (handoff === undefined) return context.skip(rule, "no handoff of the task comes");
    const passed = inner(inner(handoff, "handoff"), "context");
    const missing = contract.filter((name) => passed[name] === undefined);
    context.expect(
      rule,
      missing.length === 0,
      `the contract of ${peer} asks for ${contract.join(" and ")}; the handoff lacks ${missing.join(" and ")}`,
    );
  },
};

const halting: Scenario = {
  name: "agent-halts",
  side,
  says: "an agent that cannot go on stops at once and escalates",
  rules: ["CONV-JID-001"],
  needs: [],
  withinMs: 60_000,
  async play(context) {
    const agent = await agentOf(context);
    for (const [work, what] of [
      ["missing", "a resource is missing"],
      ["invariant", "an invariant is violated"],
      ["late", "the time has run out"],
    ] as const) {
      const { task } = await agent.begin({ work });
      await agent.pass(agent.beat);
      const told = await escalation(agent);
      context.expect("CONV-JID-001", told !== undefined, `${what}, and no escalation comes`);
      // What was told ahead of the fault is no matter.
      const on = (await agent.outbox()).filter((each) => isWork(each, task));
      context.expect("CONV-JID-001", on.length === 0, `${what}, and ${on.length} messages of progress come after that`);
    }
  },
};

const trying: Scenario = {
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
    const { task } = await agent.begin({ work: "transient" });
    for (let waited = 0; waited < 12_000; waited += 500) await agent.pass(500);
    const told = await escalation(agent);
    context.expect(rule, told !== undefined, "a fault that does not pass is not escalated");
    const { attempts } = await agent.worked();
    const times = attempts.filter((each) => each.task_id === task).map(({ at }) => Date.parse(String(at)));
    const pauses = times.slice(1).map((time, index) => time - (times[index] as number));
    const shown = pauses.map((pause) => `${(pause / 1000).toFixed(1)} s`).join(", ");
    if (times.length === 4 && Math.abs((pauses[2] ?? 0) - 4000) < 1500)
      context.note(rule, "there are four attempts: three may be read as retries");
    else context.expect(rule, times.length === 3, `there are ${times.length} attempts`);
    const isPaced = [1000, 2000].every((pause, index) => {
      const given = pauses[index];
      return given === undefined || (given >= pause * 0.9 && given <= pause * 1.5 + 250);
    });
    context.expect(rule, isPaced, `the pauses between attempts are ${shown}`);
  },
};

const waiting: Scenario = {
  name: "agent-waits",
  side,
  says: "after an escalation an agent goes on only when it is told to",
  rules: ["CONV-JID-007"],
  needs: [],
  withinMs: 60_000,
  async play(context) {
    const rule = "CONV-JID-007";
    const agent = await agentOf(context);
    const { task } = await agent.begin({ work: "invariant" });
    await agent.pass(agent.beat);
    const isHigher = (each: JsonObject): boolean =>
      /^(?:orchestrator|hub|tournant)(?:-|$)/.test(String(each.recipient));
    const told = await escalation(agent);
    if (told === undefined) return context.skip(rule, "no escalation comes of a violated invariant");
    const others = await agent.outbox();
    const all = [told, ...others.filter((each) => isType(each, "escalation."))];
    context.expect(
      rule,
      all.some(isHigher),
      `the problem is reported by ${inShort(told)}, and to no orchestrator, hub or tournant`,
    );
    await agent.pass(6 * agent.beat);
    const on = (await agent.outbox()).filter((each) => isWork(each, task));
    context.expect(
      rule,
      on.length === 0,
      `nobody has told the agent to go on, and ${on.length} messages of progress come`,
    );
  },
};

const depending: Scenario = {
  name: "agent-waits-for-dependencies",
  side,
  says: "a task is not begun before the one that it depends on is complete",
  rules: ["CONV-DEP-001"],
  needs: [],
  withinMs: 60_000,
  async play(context) {
    const rule = "CONV-DEP-001";
    const agent = await agentOf(context);
    const mustNotBegin = async (task: string, why: string): Promise<void> => {
      const on = (await agent.outbox()).filter((each) => isWork(each, task));
      const { attempts } = await agent.worked();
      const isBegun = on.length > 0 || attempts.some((each) => each.task_id === task);
      context.expect(rule, !isBegun, `${task} ${why}, and the work on it begins`);
    };
    const { task: first } = await agent.begin({ work: "steady" });
    await agent.pass(agent.beat);
    const { task } = await agent.begin({ work: "steady" }, { dependencies: [first] });
    await agent.pass(3 * agent.beat);
    await mustNotBegin(task, `depends on ${first}, which is not complete`);
    // Neither is what another agent goes on with, or has failed in.
    for (const [type, how, more] of [
      ["task.update", "goes on", { progress: { percent_complete: 40, status: "on_track" } }],
      ["task.failed", "has failed", { failure: { reason: "No space is left.", can_retry: false } }],
    ] as const) {
      const theirs = freshTask(context);
      const { task: own } = await agent.begin({ work: "steady" }, { dependencies: [theirs] });
      await agent.deliver(await agent.message(type, { task_id: theirs, ...more }, { from: peer }));
      await agent.pass(2 * agent.beat);
      await mustNotBegin(own, `depends on ${theirs}, which ${how}`);
    }
  },
};

const conflicts = (["orchestrator-arbitration", "priority-based", "first-come-first-served"] as const).map(
  (resolution): Scenario => {
    const isRuled = resolution === "orchestrator-arbitration";
    const rule = isRuled ? "CONV-CONF-002" : "CONV-CONF-003";
    return {
      name: `agent-yields-${resolution}`,
      side,
      says: isRuled
        ? "an agent escalates a conflict, and abides by the ruling"
        : `an agent that loses a conflict waits (${resolution})`,
      rules: [rule],
      needs: [],
      withinMs: 60_000,
      async play(context) {
        const agent = await agentOf(context);
        const resource = context.fresh("src/parser");
        const details = {
          conflict_type: "resource",
          agents_involved: [agent.id, peer],
          resource_in_question: resource,
          proposed_resolution: resolution,
        };
        const { task } = await agent.begin(
          { work: "steady", conflict: { with: peer, resource, resolution } },
          { priority: "low", resources: [{ type: "file", path: resource }] },
        );
        await agent.pass(agent.beat);
        if (isRuled) {
          const told = await agent.comes((each) => isType(each, "escalation.") && each.sender === agent.id);
          context.expect(
            rule,
            told !== undefined,
            `${peer} claims ${resource} as well, and the agent does not escalate it`,
          );
        }
        const ruling = await agent.message("escalation.conflict", {
          ...{ severity: "MEDIUM", category: "conflict", description: `${peer} goes on with ${resource}.` },
          ...{
            context: { operation: "arbitrate", task_id: task },
            conflict_details: { ...details, suggested_winner: peer },
          },
        });
        await agent.deliver(ruling);
        await agent.outbox();
        await agent.pass(6 * agent.beat);
        const on = (await agent.outbox()).filter((each) => isWork(each, task));
        context.expect(
          rule,
          on.length === 0,
          `${peer} is to go on (${resolution}), and the agent sends ${on.length} messages of progress`,
        );
      },
    };
  },
);

export const work: readonly Scenario[] = [handing, depending, halting, trying, waiting, ...conflicts];
