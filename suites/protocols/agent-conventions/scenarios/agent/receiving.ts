import {
  hookAnswer,
  type JsonObject,
  type Scenario,
  type ScenarioContext,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { freshTask, inner, inShort, isType, orchestrator, peer } from "../messages.ts";
import { type AgentPlay, agentOf } from "./play.ts";

const side = "agent";

function assignment(
  agent: AgentPlay,
  task: string,
  { from = orchestrator, to = agent.id }: { from?: string; to?: string } = {},
): Promise<JsonObject> {
  return agent.message("task.assignment", { task_id: task, task: { description: "Look at the log." } }, { from, to });
}

function without(message: JsonObject, name: string): JsonObject {
  return Object.fromEntries(Object.entries(message).filter(([each]) => each !== name));
}

export const receiving: readonly Scenario[] = [
  {
    name: "agent-refuses-invalid",
    side,
    says: "an invalid message is not handled, and its sender is told, in a valid escalation",
    rules: ["CONV-RECV-001", "CONV-RECV-003"],
    needs: [],
    withinMs: 40_000,
    async play(context) {
      const [received, reported] = ["CONV-RECV-001", "CONV-RECV-003"] as const;
      const agent = await agentOf(context);
      const task = freshTask(context);
      for (const [what, from, wrong] of [
        ["without its task_id", peer, without(await assignment(agent, task, { from: peer }), "task_id")],
        ["with an unknown member at its root", orchestrator, { ...(await assignment(agent, task)), urgent: true }],
      ] as const) {
        await agent.outbox();
        await agent.deliver(wrong);
        const said = await agent.comes((each) => isType(each, "escalation.", "ack.refused") && each.recipient === from);
        context.expect(received, said !== undefined, `a message ${what}: no error comes back to ${from}, its sender`);
        await mustNotHandle(context, agent, received, wrong, `a message ${what} is handled`);
        if (said === undefined) continue;
        const isUsual = said.message_type === "escalation.error" && said.category === "validation";
        const how = `${inShort(said)}${said.category === undefined ? "" : ` of category ${said.category}`}`;
        context.expect(received, isUsual, `a message ${what}: what comes back is ${how}`, "SHOULD");
        if (isType(said, "escalation.")) await mustBeValid(context, reported, said);
      }
    },
  },
  {
    name: "agent-reports-invalid",
    side,
    says: "the report on an invalid message is valid itself",
    rules: ["CONV-RECV-003"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const agent = await agentOf(context);
      const wrong = without(await assignment(agent, freshTask(context)), "task_id");
      const { message: report } = await agent.ask("report", { message: wrong });
      if (typeof report !== "object" || report === null || Array.isArray(report))
        throw new TargetSkip('the hook "report" gives no {"message": {…}}', hookAnswer("report"));
      await mustBeValid(context, "CONV-RECV-003", report);
    },
  },
  {
    name: "agent-own-messages",
    side,
    says: "what is for the agent or for all is handled, and what is for another is not",
    rules: ["CONV-RECV-002"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const rule = "CONV-RECV-002";
      const agent = await agentOf(context);
      for (const [to, isOwn] of [
        [agent.id, true],
        ["broadcast", true],
        [peer, false],
        [`${agent.id}-2`, false],
      ] as const) {
        const given = await assignment(agent, freshTask(context), { to });
        await agent.deliver(given);
        const isHandled = await becomesHandled(agent, given, isOwn);
        const why = `a message to ${to} is ${isHandled ? "" : "not "}handled by ${agent.id}`;
        context.expect(rule, isHandled === isOwn, why);
      }
    },
  },
  {
    name: "agent-unknown-task",
    side,
    says: "an update of a task that was never heard of is refused",
    rules: ["CONV-RECV-004"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const agent = await agentOf(context);
      const progress = { percent_complete: 10, status: "on_track" };
      const given = await agent.message("task.update", { task_id: freshTask(context), progress });
      await agent.deliver(given);
      const said = await agent.comes((each) => isType(each, "escalation.", "ack.refused"));
      context.expect(
        "CONV-RECV-004",
        said !== undefined,
        `an update of ${given.task_id}, which is unknown, is not refused`,
      );
    },
  },
  {
    name: "agent-no-loop",
    side,
    says: "an invalid escalation is not answered by another",
    rules: ["CONV-RECV-005"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const rule = "CONV-RECV-005";
      const agent = await agentOf(context);
      // An orchestrator may have copies of what is said to another.
      const isReply = (each: JsonObject): boolean => isType(each, "escalation.") && each.recipient === peer;
      const replies: number[] = [];
      for (const description of ["It went wrong.", "Your report is wrong.", "That one is wrong, too."]) {
        const wrong = await agent.message("escalation.error", { category: "validation", description }, { from: peer });
        await agent.deliver(wrong);
        await agent.pass(agent.beat);
        replies.push((await agent.outbox()).filter(isReply).length);
      }
      // That a message which follows is answered shows that these could have been.
      await agent.deliver(without(await assignment(agent, freshTask(context), { from: peer }), "task_id"));
      const most = Math.max(...replies);
      if ((await agent.comes(isReply)) === undefined && most === 0)
        return context.skip(rule, "no invalid message is answered, so that there is no loop to begin");
      context.expect(rule, most < 2, `an invalid escalation is answered by ${most} others`);
      context.expect(rule, most === 0, "an invalid escalation is answered by another", "SHOULD");
    },
  },
];

async function mustNotHandle(
  context: ScenarioContext,
  agent: AgentPlay,
  rule: string,
  { message_id: id }: JsonObject,
  why: string,
): Promise<void> {
  try {
    const { handled } = await agent.worked();
    context.expect(rule, !handled.includes(String(id)), why);
  } catch (error) {
    // Nobody tells what was handled; the answer is all there is.
    if (!(error instanceof TargetSkip)) throw error;
  }
}

async function becomesHandled(agent: AgentPlay, { message_id: id }: JsonObject, isExpected: boolean): Promise<boolean> {
  for (let tries = 0; ; tries++) {
    const { handled } = await agent.worked();
    if (handled.includes(String(id))) return true;
    if (!isExpected || tries >= 20) return false;
    await agent.pass(agent.beat / 4);
  }
}

async function mustBeValid(context: ScenarioContext, rule: string, report: JsonObject): Promise<void> {
  const [found] = (await context.violations("escalation", report)).filter(({ level }) => level === "MUST");
  context.expect(rule, found === undefined, `the report is invalid: ${found?.at || "it"} ${found?.why}`);
  const { operation } = inner(report, "context");
  context.expect(
    rule,
    typeof operation === "string" && operation !== "",
    "the report names no operation in its context",
  );
}
