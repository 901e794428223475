import {
  type JsonObject,
  missingNeeds,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { askFor } from "../exchanges.ts";
import { freshCue, freshTask, hub, isSameId, isType, isWork, peer } from "../messages.ts";
import { judgeRecording, type ShownBy, validityRule } from "../recorded.ts";
import { brokenMessagesFor } from "./broken.ts";
import { bringToReady } from "./cues.ts";
import { type AgentPlay, agentOf } from "./play.ts";

/** An orchestrator that does not assign tasks. */
const otherOrchestrator = "orchestrator-night";

const shownBy: ShownBy = {
  "": [
    "CONV-BASE-002",
    "CONV-BASE-005",
    "CONV-BASE-007",
    "CONV-BASE-009",
    "CONV-BASE-010",
    "CONV-BASE-014",
    validityRule,
  ],
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

/** Actions that make the agent send messages of different kinds. Each returns false if no message has arrived yet. */
const actions: readonly ((agent: AgentPlay, context: ScenarioContext) => Promise<boolean>)[] = [
  async (agent, context) => {
    const cue = await bringToReady(context, agent);
    await cue.send("go", { go_details: { execution_type: "immediate" } });
    await agent.pass(agent.beat);
    return cue.isReady;
  },
  async (agent, context) => {
    // A second sender shows whether the answer goes to the sender of the message.
    const cue = { cue_id: freshCue(context), target_agents: [agent.id] };
    const warning = await agent.message("coord.warning", cue, { from: otherOrchestrator });
    await agent.deliver(warning);
    const isAcknowledged = await waitsFor(agent, (message) =>
      isSameId(message.acknowledging_message_id, warning.message_id),
    );
    if (!isAcknowledged) context.skip("CONV-ACK-006", `a warning from ${otherOrchestrator} is not acknowledged`);
    return true;
  },
  async (agent) => {
    const { task } = await agent.assignWork({ work: "steady" });
    await agent.pass(2 * agent.beat);
    return waitsFor(agent, (message) => isWork(message, task));
  },
  async (agent, context) => {
    const invalidUpdate = { task_id: freshTask(context), progress: { percent_complete: 140 } };
    await agent.deliver(await agent.message("task.update", invalidUpdate, { from: peer }));
    return waitsFor(agent, isError);
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
    return waitsFor(agent, isError);
  }),
  async (agent, context) => {
    const resource = context.fresh("src/parser");
    const conflict = { with: peer, resource, resolution: "orchestrator-arbitration" };
    await agent.assignWork({ work: "steady", conflict }, { resources: [{ type: "file", path: resource }] });
    await agent.pass(agent.beat);
    return waitsFor(agent, isError);
  },
  async (agent) => {
    await agent.assignWork({ work: "handoff", to: peer, contract: ["branch"] }, { context: { branch: "main" } });
    await agent.pass(agent.beat);
    return waitsFor(agent, (message) => isType(message, "task.handoff"));
  },
  async (agent) => {
    await agent.deliver(await agent.makeStop());
    return true;
  },
];

async function waitsFor(agent: AgentPlay, isIt: (message: JsonObject) => boolean): Promise<boolean> {
  return (await agent.waitForMessage(isIt)) !== undefined;
}

/** If an agent has no clock, the suite stops after this many actions without a message. */
const maxMissing = 3;

/** Asks the agent to send invalid messages: if it does not refuse them, its valid messages prove nothing. */
async function prepareInvalid(agent: AgentPlay, context: ScenarioContext): Promise<boolean> {
  for (const { description, message } of await brokenMessagesFor(agent, context, 2)) {
    askFor(context, message);
    const { message: sentMessage } = await agent.ask("prepare", {
      message: { ...message, sender: agent.id, recipient: hub },
    });
    context.expect(validityRule, sentMessage === undefined, `the agent does not refuse to send ${description}`);
  }
  return true;
}

function isError(message: JsonObject): boolean {
  return isType(message, "escalation.", "ack.refused");
}

/** Makes an agent send all kinds of messages, and checks its messages of all scenarios against the schemas and the rules. */
export const recordedScenario: Scenario = {
  name: "agent-recorded-messages",
  side: "agent",
  says: "every message of an agent conforms to the schemas and the rules",
  rules: Object.values(shownBy).flat(),
  needs: [],
  withinMs: 90_000,
  async play(context) {
    const agent = await agentOf(context);
    let lastSkip: TargetSkip | undefined;
    let missingCount = 0;
    for (const performAction of [...actions, prepareInvalid]) {
      // Waiting for messages that never arrive costs time, and missing messages are not judged.
      if (missingCount === maxMissing) break;
      try {
        // A message that has not arrived yet could break a rule.
        const isMissing = !(await performAction(agent, context)) && !agent.hasClock;
        missingCount += isMissing ? 1 : 0;
        if (isMissing)
          lastSkip ??= new TargetSkip(
            'some messages have not arrived yet; the hook "clock" would show whether they do',
            missingNeeds("clock"),
          );
      } catch (error) {
        // An agent cannot send a message about an action that it does not support.
        if (!(error instanceof TargetSkip)) throw error;
        lastSkip ??= error;
      }
    }
    await agent.settle();
    await agent.outbox();
    await judgeRecording(context, shownBy);
    // A missing message could break a rule.
    if (lastSkip !== undefined) throw lastSkip;
  },
};
