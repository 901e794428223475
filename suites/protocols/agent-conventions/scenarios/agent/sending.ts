import { isObject, type JsonObject, type Scenario } from "../../../../../schemas/index.ts";
import { askFor } from "../exchanges.ts";
import { freshTask, hub, message, orchestrator, peer, timeOf } from "../messages.ts";
import { mustCome } from "./conflict-messages.ts";
import { type AgentPlay, agentOf } from "./play.ts";

const side = "agent";
const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** The result of asking the agent to send a message. */
async function prepareMessage(
  agent: AgentPlay,
  draft: JsonObject,
): Promise<{ sentMessage?: JsonObject; reasonForRefusal?: string }> {
  const { message: sent, refused: reasonForRefusal } = await agent.ask("prepare", { message: draft });
  if (isObject(sent)) return { sentMessage: sent };
  return { reasonForRefusal: typeof reasonForRefusal === "string" ? reasonForRefusal : "without a reason" };
}

function sendUpdate(agent: AgentPlay, task: string): Promise<JsonObject> {
  const progress = { percent_complete: 40, status: "on_track" };
  return agent.message("task.update", { task_id: task, progress }, { from: agent.id, to: hub });
}

export const sending: readonly Scenario[] = [
  {
    name: "agent-sends-valid",
    side,
    says: "an invalid message is refused, and never leaves",
    rules: ["CONV-SEND-001"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const rule = "CONV-SEND-001";
      const agent = await agentOf(context);
      const validUpdate = await sendUpdate(agent, freshTask(context));
      const control = await prepareMessage(agent, validUpdate);
      if (control.sentMessage === undefined)
        return context.skip(rule, `a valid message is refused as well: ${control.reasonForRefusal}`);
      const changes: [description: string, change: (message: JsonObject) => JsonObject][] = [
        ["without its task_id", ({ task_id: _, ...withoutTask }) => withoutTask],
        ["with a percentage of 140", (each) => ({ ...each, progress: { percent_complete: 140 } })],
        ["with an unknown member at its root", (each) => ({ ...each, urgent: true })],
        ["of a type that there is not", (each) => ({ ...each, message_type: "task.progress" })],
      ];
      for (const [description, change] of changes) {
        const invalidUpdate = change(await sendUpdate(agent, freshTask(context)));
        askFor(context, invalidUpdate);
        const { sentMessage } = await prepareMessage(agent, invalidUpdate);
        context.expect(rule, sentMessage === undefined, `a message ${description} is not refused`);
        const wasSent = (await agent.outbox()).some((each) => each.message_id === invalidUpdate.message_id);
        context.expect(rule, !wasSent, `a message ${description} comes to the hub`);
      }
    },
  },
  {
    name: "agent-fills-in",
    side,
    says: "a missing id and time are filled in, and given ones are kept",
    rules: ["CONV-SEND-002"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const rule = "CONV-SEND-002";
      const agent = await agentOf(context);
      // A given time that differs from the present: the agent may not replace it.
      const datedMessage: JsonObject = {
        ...(await sendUpdate(agent, freshTask(context))),
        timestamp: timeOf((await agent.now()) - 90_000),
      };
      const prepared = await prepareMessage(agent, datedMessage);
      if (prepared.sentMessage === undefined)
        return context.skip(rule, `a whole message is refused: ${prepared.reasonForRefusal}`);
      for (const name of ["message_id", "timestamp"])
        context.expect(
          rule,
          prepared.sentMessage[name] === datedMessage[name],
          `${name} ${datedMessage[name]} becomes ${prepared.sentMessage[name]}`,
        );
      const seenIds = new Set<unknown>();
      for (const names of [["message_id", "timestamp"], ["timestamp"], ["message_id"], ["message_id", "timestamp"]]) {
        const draft = await sendUpdate(agent, freshTask(context));
        const incomplete = Object.fromEntries(Object.entries(draft).filter(([name]) => !names.includes(name)));
        const { sentMessage, reasonForRefusal } = await prepareMessage(agent, incomplete);
        if (sentMessage === undefined) {
          context.note(
            rule,
            `a message without ${names.join(" and ")} is refused, as by an agent that validates first: ${reasonForRefusal}`,
          );
          continue;
        }
        const { message_id: id, timestamp } = sentMessage;
        context.expect(
          rule,
          uuid4.test(String(id)),
          `the message_id ${JSON.stringify(id ?? null)} is not a version 4 UUID`,
        );
        if (names.includes("message_id"))
          context.expect(rule, !seenIds.has(id), `two messages get the message_id ${id}`);
        seenIds.add(id);
        if (!names.includes("timestamp")) continue;
        const time = Date.parse(String(timestamp));
        const isTime = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]00:00)$/.test(String(timestamp));
        const now = await agent.now();
        const isNow = Math.abs(time - now) < 600_000;
        context.expect(
          rule,
          isTime && isNow,
          `the timestamp ${JSON.stringify(timestamp ?? null)} is not the present time in UTC, ${new Date(now).toISOString()}`,
        );
        context.expect(rule, String(timestamp).endsWith("Z"), `the timestamp ${timestamp} does not end in Z`, "SHOULD");
      }
    },
  },
  {
    name: "agent-uses-hub",
    side,
    says: "an agent's message for another agent goes to the hub",
    rules: ["CONV-SEND-003"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const rule = "CONV-SEND-003";
      const agent = await agentOf(context);
      const task = freshTask(context);
      for (const to of [orchestrator, peer]) {
        const handoff = { from_agent: agent.id, to_agent: peer };
        const envelope = { from: agent.id, to, at: await agent.now() };
        const draft = message(context, "task.handoff", envelope, { task_id: task, handoff });
        const { sentMessage, reasonForRefusal } = await prepareMessage(agent, draft);
        if (sentMessage === undefined) return context.skip(rule, `a handoff to ${to} is refused: ${reasonForRefusal}`);
        const came = await agent.waitForMessage((each) => each.task_id === task && each.recipient === to);
        mustCome(
          context,
          { agent, rule },
          came !== undefined,
          `a handoff to ${to} is sent, as the hook "prepare" says, and does not come to the hub: the hook "outbox" has none`,
        );
      }
    },
  },
];
