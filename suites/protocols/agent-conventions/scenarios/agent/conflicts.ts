import type { JsonObject, Scenario, ScenarioContext } from "../../../../../schemas/index.ts";
import { drawItems, isWork, peer } from "../messages.ts";
import { measurePace } from "./cues.ts";
import { type AgentPlay, agentOf } from "./play.ts";
import { attemptTimes, expectArrival, waitForEscalation } from "./work-messages.ts";

const side = "agent";

type Resolution = "orchestrator-arbitration" | "priority-based" | "first-come-first-served";

const resolutions: readonly Resolution[] = ["orchestrator-arbitration", "priority-based", "first-come-first-served"];

export const conflictScenarios: readonly Scenario[] = resolutions.map((resolution): Scenario => {
  const isRuled = isArbitrated(resolution);
  return {
    name: `agent-yields-${resolution}`,
    side,
    says: isRuled
      ? "an agent escalates a conflict and obeys the ruling"
      : `an agent that loses a conflict waits (${resolution})`,
    rules: [ruleOf(resolution)],
    needs: [],
    withinMs: 60_000,
    play: (context) => playConflict(context, resolution),
  };
});

function isArbitrated(resolution: Resolution): boolean {
  return resolution === "orchestrator-arbitration";
}

function ruleOf(resolution: Resolution): string {
  return isArbitrated(resolution) ? "CONV-CONF-002" : "CONV-CONF-003";
}

async function playConflict(context: ScenarioContext, resolution: Resolution): Promise<void> {
  const rule = ruleOf(resolution);
  const agent = await agentOf(context);
  await measurePace(context, agent);
  const { task, ruling } = await claimResource(context, agent, resolution);
  await agent.pass(agent.beat);
  if (isArbitrated(resolution)) {
    const report = await waitForEscalation(agent, task);
    expectArrival(
      context,
      { agent, rule },
      report !== undefined,
      `${peer} also claims the agent's resource, but the agent does not escalate the conflict`,
    );
  }
  if (!(await judgeYield(context, agent, { resolution, task, ruling }))) return;
  // If the agent continues after a ruling in its favour, its progress would have been visible above.
  const secondClaim = await claimResource(context, agent, resolution);
  await agent.deliver(await secondClaim.ruling(agent.id));
  const progress = await agent.waitForMessage((message) => isWork(message, secondClaim.task));
  if (progress === undefined)
    context.skip(rule, "no progress is reported even if the agent may continue, so the end of its work is not visible");
}

/** A task with a resource that another agent also claims. */
interface ResourceClaim {
  task: string;
  /** A ruling that names the agent that may continue with the resource. */
  ruling(winner: string): Promise<JsonObject>;
}

async function claimResource(
  context: ScenarioContext,
  agent: AgentPlay,
  resolution: Resolution,
): Promise<ResourceClaim> {
  const resource = context.fresh("src/parser");
  const { task } = await agent.assignWork(
    { work: "steady", conflict: { with: peer, resource, resolution } },
    { priority: "low", resources: [{ type: "file", path: resource }] },
  );
  const details = {
    conflict_type: "resource",
    agents_involved: drawItems(context, [agent.id, peer]),
    resource_in_question: resource,
    proposed_resolution: resolution,
  };
  const ruling = (winner: string): Promise<JsonObject> =>
    agent.message("escalation.conflict", {
      severity: "MEDIUM",
      category: "conflict",
      description: `${winner} continues with ${resource}.`,
      context: { operation: "arbitrate", task_id: task },
      conflict_details: { ...details, suggested_winner: winner },
    });
  return { task, ruling };
}

/** Rules in favour of the other agent. The agent under test must neither report progress nor make an attempt. Returns whether it complied. */
async function judgeYield(
  context: ScenarioContext,
  agent: AgentPlay,
  { resolution, task, ruling }: ResourceClaim & { resolution: Resolution },
): Promise<boolean> {
  const rule = ruleOf(resolution);
  const rulingMoment = await agent.moment();
  await agent.deliver(await ruling(peer));
  await agent.pass(6 * agent.beat);
  await agent.settle();
  const progressMessages = (await agent.outbox()).filter(
    (message) => isWork(message, task) && rulingMoment.isLater(message),
  );
  context.expect(
    rule,
    progressMessages.length === 0,
    `${peer} may continue (${resolution}), but the agent sends ${progressMessages.length} progress messages`,
  );
  const attempts = (await attemptTimes(agent, task))?.filter((at) =>
    rulingMoment.isLater({ at: new Date(at).toISOString() }),
  );
  context.expect(
    rule,
    !attempts?.length,
    `${peer} may continue (${resolution}), but the agent makes ${attempts?.length} attempts`,
  );
  return progressMessages.length === 0 && !attempts?.length;
}
