import { isObject, type JsonObject, type Scenario } from "../../../../../schemas/index.ts";
import { askFor } from "../exchanges.ts";
import { freshTask, hub, message, orchestrator, peer, timeOf } from "../messages.ts";
import { mustCome } from "./conflict-messages.ts";
import { type AgentPlay, agentOf } from "./play.ts";

const side = "agent";
const uuid4 = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/** The result of asking the agent to send a message. */
async function prepareMessage(agent: AgentPlay, given: JsonObject): Promise<{ sent?: JsonObject; refused?: string }> {
  const { message: sent, refused } = await agent.ask("prepare", { message: given });
  if (isObject(sent)) return { sent };
  return { refused: typeof refused === "string" ? refused : "without a reason" };
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
      const right = await sendUpdate(agent, freshTask(context));
      const control = await prepareMessage(agent, right);
      if (control.sent === undefined)
        return context.skip(rule, `a valid message is refused as well: ${control.refused}`);
      const changes: [what: string, change: (message: JsonObject) => JsonObject][] = [
        ["without its task_id", ({ task_id: _, ...rest }) => rest],
        ["with a percentage of 140", (each) => ({ ...each, progress: { percent_complete: 140 } })],
        ["with an unknown member at its root", (each) => ({ ...each, urgent: true })],
        ["of a type that there is not", (each) => ({ ...each, message_type: "task.progress" })],
      ];
      for (const [what, change] of changes) {
        const wrong = change(await sendUpdate(agent, freshTask(context)));
        askFor(context, wrong);
        const { sent } = await prepareMessage(agent, wrong);
        context.expect(rule, sent === undefined, `a message ${what} is not refused`);
        const left = (await agent.outbox()).some((each) => each.message_id === wrong.message_id);
        context.expect(rule, !left, `a message ${what} comes to the hub`);
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
      const own: JsonObject = {
        ...(await sendUpdate(agent, freshTask(context))),
        timestamp: timeOf((await agent.now()) - 90_000),
      };
      const kept = await prepareMessage(agent, own);
      if (kept.sent === undefined) return context.skip(rule, `a whole message is refused: ${kept.refused}`);
      for (const name of ["message_id", "timestamp"])
        context.expect(rule, kept.sent[name] === own[name], `${name} ${own[name]} becomes ${kept.sent[name]}`);
      const seen = new Set<unknown>();
      for (const names of [["message_id", "timestamp"], ["timestamp"], ["message_id"], ["message_id", "timestamp"]]) {
        const given = await sendUpdate(agent, freshTask(context));
        const bare = Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)));
        const { sent, refused } = await prepareMessage(agent, bare);
        if (sent === undefined) {
          context.note(
            rule,
            `a message without ${names.join(" and ")} is refused, as by an agent that validates first: ${refused}`,
          );
          continue;
        }
        const { message_id: id, timestamp } = sent;
        context.expect(
          rule,
          uuid4.test(String(id)),
          `the message_id ${JSON.stringify(id ?? null)} is not a version 4 UUID`,
        );
        if (names.includes("message_id")) context.expect(rule, !seen.has(id), `two messages get the message_id ${id}`);
        seen.add(id);
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
        const given = message(context, "task.handoff", envelope, { task_id: task, handoff });
        const { sent, refused } = await prepareMessage(agent, given);
        if (sent === undefined) return context.skip(rule, `a handoff to ${to} is refused: ${refused}`);
        const came = await agent.comes((each) => each.task_id === task && each.recipient === to);
        mustCome(
          ...([context, { agent, rule }, came !== undefined] as const),
          `a handoff to ${to} is sent, as the hook "prepare" says, and does not come to the hub: the hook "outbox" has none`,
        );
      }
    },
  },
];
