import type { JsonObject, Scenario, ScenarioContext } from "../../../../../schemas/index.ts";
import { drawItems, isWork, peer } from "../messages.ts";
import { attemptTimes, escalation, mustCome } from "./conflict-messages.ts";
import { judgePace } from "./cues.ts";
import { agentOf } from "./play.ts";

const side = "agent";

type Resolution = "orchestrator-arbitration" | "priority-based" | "first-come-first-served";

const resolutions: readonly Resolution[] = ["orchestrator-arbitration", "priority-based", "first-come-first-served"];

export const conflicts: readonly Scenario[] = resolutions.map((resolution): Scenario => {
  const isRuled = isArbitrated(resolution);
  return {
    name: `agent-yields-${resolution}`,
    side,
    says: isRuled
      ? "an agent escalates a conflict, and abides by the ruling"
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

/** An agent at work. */
type ClaimingAgent = Awaited<ReturnType<typeof agentOf>>;

async function playConflict(context: ScenarioContext, resolution: Resolution): Promise<void> {
  const rule = ruleOf(resolution);
  const agent = await agentOf(context);
  await judgePace(context, agent);
  const { task, ruling } = await claimResource(context, agent, resolution);
  await agent.pass(agent.beat);
  if (isArbitrated(resolution)) {
    const report = await escalation(agent, task);
    mustCome(
      context,
      { agent, rule },
      report !== undefined,
      `${peer} also claims the resource of the agent, which does not escalate it`,
    );
  }
  if (!(await judgeYield(context, agent, { resolution, task, ruling }))) return;
  // If the agent continues after it has won, it could also have continued here.
  const isContinuing = await claimResource(context, agent, resolution);
  await agent.deliver(await isContinuing.ruling(agent.id));
  const goesOn = await agent.waitForMessage((each) => isWork(each, isContinuing.task));
  if (goesOn === undefined)
    context.skip(rule, "no progress is reported either if the agent is to continue, so its end would not be visible");
}

/** A task with a resource that another agent also claims. */
interface ResourceClaim {
  task: string;
  /** The message that names the agent that may continue with the resource. */
  ruling(winner: string): Promise<JsonObject>;
}

async function claimResource(
  context: ScenarioContext,
  agent: ClaimingAgent,
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
      description: `${winner} goes on with ${resource}.`,
      context: { operation: "arbitrate", task_id: task },
      conflict_details: { ...details, suggested_winner: winner },
    });
  return { task, ruling };
}

/** Gives the resource to the other agent, and expects this one to neither report progress nor try the resource. */
async function judgeYield(
  context: ScenarioContext,
  agent: ClaimingAgent,
  { resolution, task, ruling }: ResourceClaim & { resolution: Resolution },
): Promise<boolean> {
  const rule = ruleOf(resolution);
  const rulingMoment = await agent.moment();
  await agent.deliver(await ruling(peer));
  await agent.pass(6 * agent.beat);
  await agent.settle();
  const on = (await agent.outbox()).filter((each) => isWork(each, task) && rulingMoment.isLater(each));
  context.expect(
    rule,
    on.length === 0,
    `${peer} is to go on (${resolution}), and the agent sends ${on.length} messages of progress`,
  );
  const attempts = (await attemptTimes(agent, task))?.filter((at) =>
    rulingMoment.isLater({ at: new Date(at).toISOString() }),
  );
  context.expect(
    rule,
    !attempts?.length,
    `${peer} is to go on (${resolution}), and the agent tries ${attempts?.length} times`,
  );
  return on.length === 0 && !attempts?.length;
}
