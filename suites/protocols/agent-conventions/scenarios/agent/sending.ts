import { isObject, type JsonObject, type Scenario } from "../../../../../schemas/index.ts";
import { askFor } from "../exchanges.ts";
import { freshTask, hub, message, orchestrator, peer, timeOf } from "../messages.ts";
import { type AgentPlay, agentOf } from "./play.ts";
import { expectArrival } from "./work-messages.ts";

const side = "agent";
/** How much the agent's timestamps may differ from its clock. */
const maxClockDifferenceMs = 600_000;
const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** Asks the agent to send a message, and returns the message as sent or the reason for a refusal. */
async function prepareMessage(
  agent: AgentPlay,
  draft: JsonObject,
): Promise<{ sentMessage?: JsonObject; reasonForRefusal?: string }> {
  const { message: sent, refused: reasonForRefusal } = await agent.ask("prepare", { message: draft });
  if (isObject(sent)) return { sentMessage: sent };
  return { reasonForRefusal: typeof reasonForRefusal === "string" ? reasonForRefusal : "without a reason" };
}

function makeUpdate(agent: AgentPlay, task: string): Promise<JsonObject> {
  const progress = { percent_complete: 40, status: "on_track" };
  return agent.message("task.update", { task_id: task, progress }, { from: agent.id, to: hub });
}

export const sendingScenarios: readonly Scenario[] = [
  {
    name: "agent-sends-valid",
    side,
    says: "an agent refuses to send an invalid message",
    rules: ["CONV-SEND-001"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const rule = "CONV-SEND-001";
      const agent = await agentOf(context);
      const validUpdate = await makeUpdate(agent, freshTask(context));
      const control = await prepareMessage(agent, validUpdate);
      if (control.sentMessage === undefined)
        return context.skip(rule, `even a valid message is refused: ${control.reasonForRefusal}`);
      const changes: [description: string, change: (message: JsonObject) => JsonObject][] = [
        ["without its task_id", ({ task_id: _, ...withoutTask }) => withoutTask],
        ["with a percentage of 140", (draft) => ({ ...draft, progress: { percent_complete: 140 } })],
        ["with an unknown member at its root", (draft) => ({ ...draft, urgent: true })],
        ["of a type that does not exist", (draft) => ({ ...draft, message_type: "task.progress" })],
      ];
      for (const [description, change] of changes) {
        const invalidUpdate = change(await makeUpdate(agent, freshTask(context)));
        askFor(context, invalidUpdate);
        const { sentMessage } = await prepareMessage(agent, invalidUpdate);
        context.expect(rule, sentMessage === undefined, `a message ${description} is not refused`);
        const wasSent = (await agent.outbox()).some((sent) => sent.message_id === invalidUpdate.message_id);
        context.expect(rule, !wasSent, `a message ${description} reaches the hub`);
      }
    },
  },
  {
    name: "agent-fills-in",
    side,
    says: "a missing id and timestamp are filled in, and existing ones are kept",
    rules: ["CONV-SEND-002"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const rule = "CONV-SEND-002";
      const agent = await agentOf(context);
      // The timestamp is in the past, so that a replacement would show.
      const datedMessage: JsonObject = {
        ...(await makeUpdate(agent, freshTask(context))),
        timestamp: timeOf((await agent.now()) - 90_000),
      };
      const prepared = await prepareMessage(agent, datedMessage);
      if (prepared.sentMessage === undefined)
        return context.skip(rule, `a complete message is refused: ${prepared.reasonForRefusal}`);
      for (const name of ["message_id", "timestamp"])
        context.expect(
          rule,
          prepared.sentMessage[name] === datedMessage[name],
          `${name} ${datedMessage[name]} becomes ${prepared.sentMessage[name]}`,
        );
      const seenIds = new Set<unknown>();
      for (const names of [["message_id", "timestamp"], ["timestamp"], ["message_id"], ["message_id", "timestamp"]]) {
        const draft = await makeUpdate(agent, freshTask(context));
        const incompleteDraft = Object.fromEntries(Object.entries(draft).filter(([name]) => !names.includes(name)));
        const { sentMessage, reasonForRefusal } = await prepareMessage(agent, incompleteDraft);
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
          context.expect(rule, !seenIds.has(id), `two messages have the message_id ${id}`);
        seenIds.add(id);
        if (!names.includes("timestamp")) continue;
        const time = Date.parse(String(timestamp));
        const isTime = /^\d{4}-\d\d-\d\d[Tt]\d\d:\d\d:\d\d(?:\.\d+)?(?:[Zz]|[+-]00:00)$/.test(String(timestamp));
        const now = await agent.now();
        const isCurrent = Math.abs(time - now) < maxClockDifferenceMs;
        context.expect(
          rule,
          isTime && isCurrent,
          `the timestamp ${JSON.stringify(timestamp ?? null)} is not the current time in UTC, ${new Date(now).toISOString()}`,
        );
        context.expect(rule, String(timestamp).endsWith("Z"), `the timestamp ${timestamp} does not end in Z`, "SHOULD");
      }
    },
  },
  {
    name: "agent-uses-hub",
    side,
    says: "an agent sends messages to other agents through the hub",
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
        const arrived = await agent.waitForMessage((sent) => sent.task_id === task && sent.recipient === to);
        expectArrival(
          context,
          { agent, rule },
          arrived !== undefined,
          `the hook "prepare" reports a handoff to ${to} as sent, but the hook "outbox" does not return it`,
        );
      }
    },
  },
];
