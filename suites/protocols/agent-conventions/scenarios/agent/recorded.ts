import {
  type JsonObject,
  missingNeeds,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { askFor } from "../exchanges.ts";
import { freshCue, freshTask, hub, isSameId, isType, isWork, peer } from "../messages.ts";
import { judge, ofAll, type ShownBy } from "../recorded.ts";
import { brokenFor } from "./broken.ts";
import { bringToReady } from "./cues.ts";
import { type AgentPlay, agentOf } from "./play.ts";

/** An orchestrator that has not assigned the tasks. */
const otherOrchestrator = "orchestrator-night";

const shownBy: ShownBy = {
  "": ["CONV-BASE-002", "CONV-BASE-005", "CONV-BASE-007", "CONV-BASE-009", "CONV-BASE-010", "CONV-BASE-014", ofAll],
  "ack.": ["CONV-ACK-002", "CONV-ACK-004", "CONV-ACK-006", "CONV-ACK-007", "CONV-ACK-008"],
  "ack.refused": ["CONV-ACK-003", "CONV-ACK-005"],
  "task.": ["CONV-TASK-001", "CONV-TASK-009", "CONV-DEP-001"],
  "task.update": ["CONV-TASK-005"],
  "task.handoff": ["CONV-TASK-012"],
  "escalation.": [
    "CONV-BASE-016",
    "CONV-ESC-001",
    "CONV-ESC-002",
    "CONV-ESC-003",
    "CONV-ESC-004",
    "CONV-ESC-009",
    "CONV-JID-002",
  ],
  "escalation.error": ["CONV-ESC-007"],
  "escalation.conflict": ["CONV-ESC-005", "CONV-ESC-008"],
};

/** Actions that each make the agent send a message of another kind. They return false if no message has been sent so far. */
const acts: readonly ((agent: AgentPlay, context: ScenarioContext) => Promise<boolean>)[] = [
  async (agent, context) => {
    const cue = await bringToReady(context, agent);
    await cue.say("go", { go_details: { execution_type: "immediate" } });
    await agent.pass(agent.beat);
    return cue.isReady;
  },
  async (agent, context) => {
    // Whether the answer goes to the right sender is only visible if two senders may send a warning.
    const cue = { cue_id: freshCue(context), target_agents: [agent.id] };
    const warning = await agent.message("coord.warning", cue, { from: otherOrchestrator });
    await agent.deliver(warning);
    const isAcknowledged = await hasCome(agent, (each) => isSameId(each.acknowledging_message_id, warning.message_id));
    if (!isAcknowledged) context.skip("CONV-ACK-006", `a warning of ${otherOrchestrator} is not acknowledged`);
    return true;
  },
  async (agent) => {
    const { task } = await agent.assignWork({ work: "steady" });
    await agent.pass(2 * agent.beat);
    return hasCome(agent, (each) => isWork(each, task));
  },
  async (agent, context) => {
    const invalidUpdate = { task_id: freshTask(context), progress: { percent_complete: 140 } };
    await agent.deliver(await agent.message("task.update", invalidUpdate, { from: peer }));
    return hasCome(agent, isError);
  },
  async (agent, context) => {
    const updateOfUnknown = { task_id: freshTask(context), progress: { percent_complete: 10 } };
    await agent.deliver(await agent.message("task.update", updateOfUnknown, { from: peer }));
    // The message may be dropped without a report.
    await agent.waitForMessage(isError);
    return true;
  },
  ...["missing", "invariant", "late"].map((work) => async (agent: AgentPlay) => {
    await agent.assignWork({ work });
    await agent.pass(agent.beat);
    return hasCome(agent, isError);
  }),
  async (agent, context) => {
    const resource = context.fresh("src/parser");
    const conflict = { with: peer, resource, resolution: "orchestrator-arbitration" };
    await agent.assignWork({ work: "steady", conflict }, { resources: [{ type: "file", path: resource }] });
    await agent.pass(agent.beat);
    return hasCome(agent, isError);
  },
  async (agent) => {
    await agent.assignWork({ work: "handoff", to: peer, contract: ["branch"] }, { context: { branch: "main" } });
    await agent.pass(agent.beat);
    return hasCome(agent, (each) => isType(each, "task.handoff"));
  },
  async (agent) => {
    await agent.deliver(await agent.stopping());
    return true;
  },
];

async function hasCome(agent: AgentPlay, isIt: (message: JsonObject) => boolean): Promise<boolean> {
  return (await agent.waitForMessage(isIt)) !== undefined;
}

/** The number of actions without a message after which no others are tried with an agent without a clock. */
const mostMissing = 3;

/** If a sender lets an invalid message pass, its valid messages prove nothing. */
async function askForStop(agent: AgentPlay, context: ScenarioContext): Promise<boolean> {
  for (const { description: what, message } of await brokenFor(agent, context, 2)) {
    askFor(context, message);
    const { message: sentMessage } = await agent.ask("prepare", {
      message: { ...message, sender: agent.id, recipient: hub },
    });
    context.expect(ofAll, sentMessage === undefined, `${what} is not refused by its sender`);
  }
  return true;
}

function isError(message: JsonObject): boolean {
  return isType(message, "escalation.", "ack.refused");
}

/** All messages of an agent during its work, checked against the schemas and the rules. */
export const recordedScenario: Scenario = {
  name: "agent-recorded-messages",
  side: "agent",
  says: "each message of an agent at work conforms to the schemas and the rules",
  rules: Object.values(shownBy).flat(),
  needs: [],
  withinMs: 90_000,
  async play(context) {
    const agent = await agentOf(context);
    let lastSkip: TargetSkip | undefined;
    let missing = 0;
    for (const act of [...acts, askForStop]) {
      // Each unsuccessful wait needs time, and the missing messages judge nothing.
      if (missing === mostMissing) break;
      try {
        // A message that has not arrived so far may break a rule.
        const isMissing = !(await act(agent, context)) && !agent.hasClock;
        missing += isMissing ? 1 : 0;
        if (isMissing)
          lastSkip ??= new TargetSkip(
            'some messages have not come so far; with the hook "clock" they would',
            missingNeeds("clock"),
          );
      } catch (error) {
        // An agent sends no message about an action that it cannot perform.
        if (!(error instanceof TargetSkip)) throw error;
        lastSkip ??= error;
      }
    }
    await agent.settle();
    await agent.outbox();
    await judge(context, shownBy);
    // A missing message may break a rule.
    if (lastSkip !== undefined) throw lastSkip;
  },
};
