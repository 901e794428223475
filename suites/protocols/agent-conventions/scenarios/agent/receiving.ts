import {
  hookAnswer,
  type JsonObject,
  missingNeeds,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import {
  drawItems,
  freshCue,
  freshTask,
  isSameId,
  isType,
  isWork,
  orchestrator,
  peer,
  summarize,
} from "../messages.ts";
import { brokenMessagesFor } from "./broken.ts";
import { type AgentPlay, agentOf } from "./play.ts";
import { expectArrival } from "./work-messages.ts";

const side = "agent";

const missingWorkedText = 'the hook "worked" is missing';

function assignment(
  agent: AgentPlay,
  task: string,
  { from = orchestrator, to = agent.id }: { from?: string; to?: string } = {},
): Promise<JsonObject> {
  return agent.message("task.assignment", { task_id: task, task: { description: "Look at the log." } }, { from, to });
}

/** Expects that a handoff does not start work, except on its own task. The agent need not begin that task, and may work on earlier ones. */
async function judgeTakeover(context: ScenarioContext, agent: AgentPlay, rule: string): Promise<void> {
  const task = freshTask(context);
  try {
    await agent.ask("assign", { task_id: task, work: "steady", everyMs: agent.beat });
  } catch (error) {
    if (!(error instanceof TargetSkip)) throw error;
    return context.skip(
      rule,
      'the hook "assign" is needed to see which task the agent works on after a handoff',
      missingNeeds("assign"),
    );
  }
  await agent.settle();
  const earlierAttempts = (await agent.reportWorkIfSupported())?.attempts ?? [];
  const knownMessages = [...earlierAttempts, ...agent.exchanged.map(({ message }) => message)];
  const knownTasks = new Set([task, ...knownMessages.map(({ task_id: id }) => String(id))]);
  const handoff = { from_agent: peer, to_agent: agent.id, context: { branch: "main" } };
  await agent.deliver(await agent.message("task.handoff", { task_id: task, handoff }, { from: peer }));
  await agent.pass(2 * agent.beat);
  await agent.settle();
  const newMessages = (await agent.outbox()).filter(
    ({ task_id: id }) => id !== undefined && !knownTasks.has(String(id)),
  );
  const otherTask = newMessages.find((reply) => isWork(reply, String(reply.task_id)))?.task_id;
  const attempt = (await agent.reportWorkIfSupported())?.attempts.find(
    ({ task_id: id }) => id !== undefined && !knownTasks.has(String(id)),
  );
  const unknownTask = otherTask ?? attempt?.task_id;
  const why = `${task} is handed over to ${agent.id}, but work begins on ${unknownTask}, which no message has introduced`;
  context.expect(rule, unknownTask === undefined, why, "SHOULD");
}

export const receivingScenarios: readonly Scenario[] = [
  // Comes first. An agent that validates its own messages never sends an invalid report, so only the hook "report" reveals it.
  {
    name: "agent-reports-invalid",
    side,
    says: "the report on an invalid message is itself valid",
    rules: ["CONV-RECV-003"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const agent = await agentOf(context);
      for (const { message: invalidMessage } of await brokenMessagesFor(agent, context, 2)) {
        const { message: report } = await agent.ask("report", { message: invalidMessage });
        if (typeof report !== "object" || report === null || Array.isArray(report))
          throw new TargetSkip('the hook "report" does not return {"message": {…}}', hookAnswer("report"));
        await mustBeValid(context, "CONV-RECV-003", report);
      }
    },
  },
  {
    name: "agent-refuses-invalid",
    side,
    says: "an invalid message is not handled, and its sender receives a valid escalation",
    rules: ["CONV-RECV-001", "CONV-RECV-003"],
    needs: [],
    withinMs: 90_000,
    async play(context) {
      const [receivingRule, reportingRule] = ["CONV-RECV-001", "CONV-RECV-003"] as const;
      const agent = await agentOf(context);
      for (const { description, message: invalidMessage } of await brokenMessagesFor(agent, context, 14)) {
        const from = String(invalidMessage.sender);
        await agent.outbox();
        const failure = await deliverInvalid(context, agent, invalidMessage);
        const answer = await agent.waitForMessage(
          (reply) => isType(reply, "escalation.", "ack.refused") && reply.recipient === from,
        );
        expectArrival(
          context,
          { agent, rule: receivingRule },
          answer !== undefined,
          `${description}: no error is returned to ${from}, its sender${failure === undefined ? "" : `; ${failure}`}`,
        );
        await mustNotHandle(context, agent, invalidMessage, { rule: receivingRule, why: `${description} is handled` });
        if (answer === undefined) {
          context.skip(reportingRule, `${description}: no report arrived`);
          return;
        }
        const isUsual = answer.message_type === "escalation.error" && answer.category === "validation";
        const categoryText = answer.category === undefined ? "" : ` of category ${answer.category}`;
        const reportText = `${summarize(answer)}${categoryText}`;
        context.expect(receivingRule, isUsual, `${description}: the answer is ${reportText}`, "SHOULD");
        if (isType(answer, "escalation.")) await mustBeValid(context, reportingRule, answer);
        else context.skip(reportingRule, `${description}: the answer is ${reportText}, not an escalation`);
      }
    },
  },
  {
    name: "agent-own-messages",
    side,
    says: "a message to the agent or to all agents is handled, and a message to another agent is not",
    rules: ["CONV-RECV-002"],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      const rule = "CONV-RECV-002";
      const agent = await agentOf(context);
      for (const to of drawItems(context, [agent.id, "broadcast"])) {
        const message = await assignment(agent, freshTask(context), { to });
        await agent.deliver(message);
        expectArrival(
          context,
          { agent, rule },
          await becomesHandled(agent, message),
          `a message to ${to} is not handled by ${agent.id}`,
        );
      }
      // Includes names that are similar to the agent's own.
      const otherNames = [peer, `${agent.id}-2`, agent.id.replace(/-[^-]*$/, ""), `${agent.id}r`, orchestrator];
      const misaddressed: JsonObject[] = [await assignment(agent, freshTask(context), { to: peer })];
      const [assignee = "", warned = "", stopped = "", informed = ""] = drawItems(
        context,
        otherNames.filter((name) => name !== agent.id && name !== peer),
      );
      // The agent is also a target of the cues, so that it could mistake their messages for its own.
      const cueFor = (to: string): JsonObject => ({ cue_id: freshCue(context), target_agents: [agent.id, to] });
      const stop_details = { reason: "It is late." };
      misaddressed.push(
        await assignment(agent, freshTask(context), { to: assignee }),
        await agent.message("coord.warning", cueFor(warned), { to: warned }),
        await agent.message("coord.stop", { ...cueFor(stopped), stop_details }, { to: stopped }),
        await agent.message("status.ready", { status: "ready" }, { to: informed, from: peer }),
      );
      for (const message of misaddressed) await agent.deliver(message);
      await agent.settle();
      const { handledIds } = await agent.reportWork();
      for (const message of misaddressed)
        context.expect(
          rule,
          !handledIds.includes(String(message.message_id)),
          `${summarize(message)} is handled by ${agent.id}`,
        );
    },
  },
  {
    name: "agent-unknown-task",
    side,
    says: "an agent does not work on an unknown task unless a message introduces it",
    rules: ["CONV-RECV-004"],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      const rule = "CONV-RECV-004";
      const agent = await agentOf(context);
      const update = { progress: { percent_complete: 10, status: "on_track" } };
      const kinds: [type: string, members: JsonObject][] = drawItems(context, [
        ["task.update", { task: { description: "Read the log again." } }],
        ["task.complete", { completion: { summary: "The tests pass." } }],
        ["task.failed", { failure: { reason: "No space is left.", can_retry: true } }],
      ] as [string, JsonObject][]);
      for (const [type, members] of [["task.update", update] as [string, JsonObject], ...kinds.slice(0, 2)]) {
        const task = freshTask(context);
        try {
          await agent.ask("assign", { task_id: task, work: "steady", everyMs: agent.beat });
        } catch (error) {
          if (!(error instanceof TargetSkip)) throw error;
        }
        const message = await agent.message(type, { task_id: task, ...members });
        await agent.outbox();
        await agent.deliver(message);
        const isRefusal = (reply: JsonObject): boolean =>
          isType(reply, "escalation.") ||
          (isType(reply, "ack.refused") && isSameId(reply.acknowledging_message_id, message.message_id));
        // The agent may reply in any way, or not at all.
        await agent.settle();
        const newMessages = await agent.outbox();
        const messageText = `${summarize(message)} is about ${task}, an unknown task`;
        context.expect(
          rule,
          !newMessages.some((reply) => isWork(reply, task)),
          `${messageText}, but the agent reports work on it`,
        );
        const workReport = await agent.reportWorkIfSupported();
        const isTried = workReport?.attempts.some((attempt) => attempt.task_id === task) === true;
        context.expect(rule, !isTried, `${messageText}, but the agent works on it`);
        const isHandled = workReport?.handledIds.includes(String(message.message_id)) === true;
        const isRefused =
          newMessages.some(isRefusal) || (isHandled && (await agent.waitForMessage(isRefusal)) !== undefined);
        context.expect(rule, !isHandled || isRefused, `${messageText}, but it is handled without a reply`);
        if (workReport === undefined && !isRefused)
          context.skip(
            rule,
            `${messageText}: the agent does not report whether it was handled; ${missingWorkedText}`,
            missingNeeds("worked"),
          );
      }
      await judgeTakeover(context, agent, rule);
    },
  },
  {
    name: "agent-no-loop",
    side,
    says: "an invalid escalation is not answered with another escalation",
    rules: ["CONV-RECV-005"],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      const rule = "CONV-RECV-005";
      const agent = await agentOf(context);
      // Only replies to the sender count, since an orchestrator may receive copies.
      const isReply = (reply: JsonObject): boolean => isType(reply, "escalation.") && reply.recipient === peer;
      // The answer to an invalid message and its delay show how long to wait.
      const [invalidMessage] = await brokenMessagesFor(agent, context, 0);
      const failure = await deliverInvalid(context, agent, { ...invalidMessage?.message, sender: peer });
      if (failure !== undefined) return context.skip(rule, `the agent fails on an invalid message: ${failure}`);
      const isAnswered = (await agent.waitForMessage(isReply)) !== undefined;
      await agent.settle();
      await agent.outbox();
      const replyCounts: number[] = [];
      const incomplete = { category: "validation", description: "It went wrong." };
      for (const [type, members] of [
        ["escalation.error", incomplete],
        ["escalation.error", { ...incomplete, description: "Your report is wrong." }],
        ...drawItems(
          context,
          [
            ["escalation.error", { severity: "high", ...incomplete }],
            ["escalation.abnormality", { severity: "LOW", category: "slow" }],
            [
              "escalation.conflict",
              { severity: "LOW", category: "conflict", conflict_details: { agents_involved: [peer] } },
            ],
            ["escalation.timeout", { severity: "LOW", category: "timeout", task_id: freshTask(context) }],
          ] as [string, JsonObject][],
          1,
        ),
      ] as [string, JsonObject][]) {
        await deliverInvalid(context, agent, await agent.message(type, members, { from: peer }));
        await agent.settle();
        replyCounts.push(countDistinct((await agent.outbox()).filter(isReply)));
      }
      const maxReplies = Math.max(...replyCounts);
      if (!isAnswered && maxReplies === 0)
        return context.skip(rule, "the agent answers no invalid message, so a loop cannot begin");
      context.expect(rule, maxReplies < 2, `an invalid escalation is answered with ${maxReplies} others`);
      context.expect(rule, maxReplies === 0, "an invalid escalation is answered with another", "SHOULD");
    },
  },
];

/**
 * Sends an invalid message to the agent. Returns the error if the agent fails on it but accepts a valid message afterwards. Throws if the
 * agent fails on the valid message too, which shows nothing about the invalid one.
 */
async function deliverInvalid(
  context: ScenarioContext,
  agent: AgentPlay,
  invalidMessage: JsonObject,
): Promise<string | undefined> {
  try {
    await agent.deliver(invalidMessage);
    return undefined;
  } catch (error) {
    context.signal.throwIfAborted();
    if (!(error instanceof TargetFailure)) throw error;
    await agent.deliver(await assignment(agent, freshTask(context)));
    return error.message;
  }
}

/** The number of different messages, without copies. */
function countDistinct(messages: readonly JsonObject[]): number {
  return new Set(messages.map(({ message_id: id }) => String(id).toLowerCase())).size;
}

async function mustNotHandle(
  context: ScenarioContext,
  agent: AgentPlay,
  { message_id: id }: JsonObject,
  { rule, why }: { rule: string; why: string },
): Promise<void> {
  const workReport = await agent.reportWorkIfSupported();
  if (workReport === undefined)
    context.skip(
      rule,
      `the agent does not report whether an invalid message is handled: ${missingWorkedText}`,
      missingNeeds("worked"),
    );
  else context.expect(rule, !workReport.handledIds.includes(String(id)), why);
}

async function becomesHandled(agent: AgentPlay, { message_id: id }: JsonObject): Promise<boolean> {
  return agent.becomesTrue(async () => (await agent.reportWork()).handledIds.includes(String(id)));
}

async function mustBeValid(context: ScenarioContext, rule: string, report: JsonObject): Promise<void> {
  const [violation] = (await context.violations("escalation", report)).filter(({ level }) => level === "MUST");
  context.expect(rule, violation === undefined, `the report is invalid: ${violation?.at || "it"} ${violation?.why}`);
}
