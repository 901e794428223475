import { type JsonObject, type Scenario, type ScenarioContext, TargetSkip } from "../../../../../schemas/index.ts";
import { freshTask, isType, isWork, peer } from "../messages.ts";
import { judge, ofAll, type ShownBy } from "../recorded.ts";
import { ready } from "./cues.ts";
import { type AgentPlay, agentOf } from "./play.ts";

const shownBy: ShownBy = {
  "": ["CONV-BASE-002", "CONV-BASE-005", "CONV-BASE-007", "CONV-BASE-009", "CONV-BASE-010", "CONV-BASE-014", ofAll],
  "ack.": ["CONV-ACK-002", "CONV-ACK-004", "CONV-ACK-006"],
  "ack.refused": ["CONV-ACK-003", "CONV-ACK-005"],
  "task.update": ["CONV-TASK-005"],
  "task.handoff": ["CONV-TASK-012"],
  "escalation.": ["CONV-ESC-001", "CONV-ESC-002", "CONV-ESC-003"],
  "escalation.conflict": ["CONV-ESC-005"],
};

/** What makes an agent say something, each of another kind. */
const acts: readonly ((agent: AgentPlay, context: ScenarioContext) => Promise<void>)[] = [
  async (agent, context) => {
    const cue = await ready(context, agent);
    await cue.say("go", { go_details: { execution_type: "immediate" } });
    await agent.pass(agent.beat);
  },
  async (agent) => {
    const { task } = await agent.begin({ work: "steady" });
    await agent.pass(2 * agent.beat);
    await agent.comes((each) => isWork(each, task));
  },
  async (agent, context) => {
    const wrong = { task_id: freshTask(context), progress: { percent_complete: 140 } };
    await agent.deliver(await agent.message("task.update", wrong, { from: peer }));
    await agent.comes(isError);
  },
  async (agent, context) => {
    const unknown = { task_id: freshTask(context), progress: { percent_complete: 10 } };
    await agent.deliver(await agent.message("task.update", unknown, { from: peer }));
    await agent.comes(isError);
  },
  ...["missing", "invariant", "late"].map((work) => async (agent: AgentPlay) => {
    await agent.begin({ work });
    await agent.pass(agent.beat);
    await agent.comes(isError);
  }),
  async (agent, context) => {
    const resource = context.fresh("src/parser");
    const conflict = { with: peer, resource, resolution: "orchestrator-arbitration" };
    await agent.begin({ work: "steady", conflict }, { resources: [{ type: "file", path: resource }] });
    await agent.pass(agent.beat);
    await agent.comes(isError);
  },
  async (agent) => {
    await agent.begin({ work: "handoff", to: peer, contract: ["branch"] }, { context: { branch: "main" } });
    await agent.pass(agent.beat);
    await agent.comes((each) => isType(each, "task.handoff"));
  },
  async (agent) => agent.deliver(await agent.stopping()),
];

function isError(message: JsonObject): boolean {
  return isType(message, "escalation.", "ack.refused");
}

/** All that an agent says in the course of its work, held against the schemas and the rules. */
export const recorded: Scenario = {
  name: "agent-recorded-messages",
  side: "agent",
  says: "each message of an agent at work is as the schemas and the rules want it",
  rules: Object.values(shownBy).flat(),
  needs: [],
  withinMs: 90_000,
  async play(context) {
    const agent = await agentOf(context);
    for (const act of acts) {
      try {
        await act(agent, context);
      } catch (error) {
        // What an agent cannot do, it says nothing of.
        if (!(error instanceof TargetSkip)) throw error;
      }
    }
    await agent.outbox();
    await judge(context, agent.exchanged, shownBy);
  },
};
