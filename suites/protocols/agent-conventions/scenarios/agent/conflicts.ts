import type { JsonObject, Scenario } from "../../../../../schemas/index.ts";
import { drawItems, isWork, peer } from "../messages.ts";
import { escalation, mustCome, triesOf } from "./about.ts";
import { judgePace } from "./cues.ts";
import { agentOf } from "./play.ts";

const side = "agent";

export const conflicts: readonly Scenario[] = (
  ["orchestrator-arbitration", "priority-based", "first-come-first-served"] as const
).map((resolution): Scenario => {
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
      await judgePace(context, agent);
      const claim = async (): Promise<{ task: string; ruling(winner: string): Promise<JsonObject> }> => {
        const resource = context.fresh("src/parser");
        const { task } = await agent.begin(
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
      };
      const { task, ruling } = await claim();
      await agent.pass(agent.beat);
      if (isRuled) {
        const told = await escalation(agent, task);
        mustCome(
          ...([context, { agent, rule }, told !== undefined] as const),
          `${peer} claims its resource as well, and the agent does not escalate it`,
        );
      }
      const ruled = await agent.moment();
      await agent.deliver(await ruling(peer));
      await agent.pass(6 * agent.beat);
      await agent.settle();
      const on = (await agent.outbox()).filter((each) => isWork(each, task) && ruled.isLater(each));
      context.expect(
        rule,
        on.length === 0,
        `${peer} is to go on (${resolution}), and the agent sends ${on.length} messages of progress`,
      );
      const tries = (await triesOf(agent, task))?.filter((at) => ruled.isLater({ at: new Date(at).toISOString() }));
      context.expect(
        rule,
        !tries?.length,
        `${peer} is to go on (${resolution}), and the agent tries ${tries?.length} times`,
      );
      if (on.length > 0 || tries?.length) return;
      // Its continuation after a win shows that it could have continued here.
      const won = await claim();
      await agent.deliver(await won.ruling(agent.id));
      const goesOn = await agent.comes((each) => isWork(each, won.task));
      if (goesOn === undefined)
        context.skip(
          rule,
          "no progress is reported where the agent is to go on either, so that its end would not show",
        );
    },
  };
});
