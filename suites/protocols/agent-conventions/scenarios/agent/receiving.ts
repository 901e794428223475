import {
  hookAnswer,
  type JsonObject,
  missingNeeds,
  type Scenario,
  type ScenarioContext,
  TargetFailure,
  TargetSkip,
} from "../../../../../schemas/index.ts";
import { drawItems, freshCue, freshTask, inShort, isSameId, isType, isWork, orchestrator, peer } from "../messages.ts";
import { brokenFor } from "./broken.ts";
import { mustCome } from "./conflict-messages.ts";
import { type AgentPlay, agentOf } from "./play.ts";

const side = "agent";

const workedWouldShow = 'the hook "worked" would show it, but is missing';

function assignment(
  agent: AgentPlay,
  task: string,
  { from = orchestrator, to = agent.id }: { from?: string; to?: string } = {},
): Promise<JsonObject> {
  return agent.message("task.assignment", { task_id: task, task: { description: "Look at the log." } }, { from, to });
}

/** A handoff introduces only its own task. An agent may already have tasks of its own, and no text says that it begins this one. */
async function judgeTakeover(context: ScenarioContext, agent: AgentPlay, rule: string): Promise<void> {
  const task = freshTask(context);
  try {
    await agent.ask("assign", { task_id: task, work: "steady", everyMs: agent.beat });
  } catch (error) {
    if (!(error instanceof TargetSkip)) throw error;
    return context.skip(
      rule,
      'the hook "assign" would show which task the agent works on after a handoff',
      missingNeeds("assign"),
    );
  }
  await agent.settle();
  const before = (await agent.workedIfTold())?.attempts ?? [];
  const knownMessages = [...before, ...agent.exchanged.map(({ message }) => message)];
  const knownTasks = new Set([task, ...knownMessages.map(({ task_id: id }) => String(id))]);
  const handoff = { from_agent: peer, to_agent: agent.id, context: { branch: "main" } };
  await agent.deliver(await agent.message("task.handoff", { task_id: task, handoff }, { from: peer }));
  await agent.pass(2 * agent.beat);
  await agent.settle();
  const newMessages = (await agent.outbox()).filter(
    ({ task_id: id }) => id !== undefined && !knownTasks.has(String(id)),
  );
  const otherTask = newMessages.find((each) => isWork(each, String(each.task_id)))?.task_id;
  const attempt = (await agent.workedIfTold())?.attempts.find(
    ({ task_id: id }) => id !== undefined && !knownTasks.has(String(id)),
  );
  const strangeTask = otherTask ?? attempt?.task_id;
  const why = `${task} is handed over to ${agent.id}, and work begins on ${strangeTask}, which no message has introduced`;
  context.expect(rule, strangeTask === undefined, why, "SHOULD");
}

export const receivingScenarios: readonly Scenario[] = [
  // Comes first, because an agent that judges its own messages sends no invalid report.
  {
    name: "agent-reports-invalid",
    side,
    says: "the report on an invalid message is valid itself",
    rules: ["CONV-RECV-003"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const agent = await agentOf(context);
      for (const { message: invalidMessage } of await brokenFor(agent, context, 2)) {
        const { message: report } = await agent.ask("report", { message: invalidMessage });
        if (typeof report !== "object" || report === null || Array.isArray(report))
          throw new TargetSkip('the hook "report" gives no {"message": {…}}', hookAnswer("report"));
        await mustBeValid(context, "CONV-RECV-003", report);
      }
    },
  },
  {
    name: "agent-refuses-invalid",
    side,
    says: "an invalid message is not handled, and its sender gets a valid escalation",
    rules: ["CONV-RECV-001", "CONV-RECV-003"],
    needs: [],
    withinMs: 90_000,
    async play(context) {
      const [receivingRule, reportingRule] = ["CONV-RECV-001", "CONV-RECV-003"] as const;
      const agent = await agentOf(context);
      for (const { description: what, message: invalidMessage } of await brokenFor(agent, context, 14)) {
        const from = String(invalidMessage.sender);
        await agent.outbox();
        const hasFailedText = await hasFailed(context, agent, invalidMessage);
        const newMessages = await agent.waitForMessage(
          (each) => isType(each, "escalation.", "ack.refused") && each.recipient === from,
        );
        mustCome(
          context,
          { agent, rule: receivingRule },
          newMessages !== undefined,
          `${what}: no error comes back to ${from}, its sender${hasFailedText === undefined ? "" : `; ${hasFailedText}`}`,
        );
        await mustNotHandle(context, agent, invalidMessage, { rule: receivingRule, why: `${what} is handled` });
        if (newMessages === undefined) {
          context.skip(reportingRule, `${what}: no report comes`);
          return;
        }
        const isUsual = newMessages.message_type === "escalation.error" && newMessages.category === "validation";
        const reportText = `${inShort(newMessages)}${newMessages.category === undefined ? "" : ` of category ${newMessages.category}`}`;
        context.expect(receivingRule, isUsual, `${what}: the answer is ${reportText}`, "SHOULD");
        if (isType(newMessages, "escalation.")) await mustBeValid(context, reportingRule, newMessages);
        else context.skip(reportingRule, `${what}: the answer is ${reportText}, and not an escalation`);
      }
    },
  },
  {
    name: "agent-own-messages",
    side,
    says: "a message for the agent or for all is handled, and a message for another is not",
    rules: ["CONV-RECV-002"],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      const rule = "CONV-RECV-002";
      const agent = await agentOf(context);
      for (const to of drawItems(context, [agent.id, "broadcast"])) {
        const message = await assignment(agent, freshTask(context), { to });
        await agent.deliver(message);
        mustCome(
          context,
          { agent, rule },
          await becomesHandled(agent, message),
          `a message to ${to} is not handled by ${agent.id}`,
        );
      }
      // Names that are similar to its own, and types that begin or end like known ones.
      const otherNames = [peer, `${agent.id}-2`, agent.id.replace(/-[^-]*$/, ""), `${agent.id}r`, orchestrator];
      const strangeTask: JsonObject[] = [await assignment(agent, freshTask(context), { to: peer })];
      const [one = "", two = "", three = "", four = ""] = drawItems(
        context,
        otherNames.filter((each) => each !== agent.id && each !== peer),
      );
      // If the agent also participates in a cue, it sends messages on its own initiative.
      const cueFor = (to: string): JsonObject => ({ cue_id: freshCue(context), target_agents: [agent.id, to] });
      const stop_details = { reason: "It is late." };
      strangeTask.push(
        await assignment(agent, freshTask(context), { to: one }),
        await agent.message("coord.warning", cueFor(two), { to: two }),
        await agent.message("coord.stop", { ...cueFor(three), stop_details }, { to: three }),
        await agent.message("status.ready", { status: "ready" }, { to: four, from: peer }),
      );
      for (const message of strangeTask) await agent.deliver(message);
      await agent.settle();
      const { handledIds } = await agent.reportWork();
      for (const message of strangeTask)
        context.expect(
          rule,
          !handledIds.includes(String(message.message_id)),
          `${inShort(message)} is handled by ${agent.id}`,
        );
    },
  },
  {
    name: "agent-unknown-task",
    side,
    says: "an unknown task is not worked on, except if a message introduces it",
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
        const isRefusal = (each: JsonObject): boolean =>
          isType(each, "escalation.") ||
          (isType(each, "ack.refused") && isSameId(each.acknowledging_message_id, message.message_id));
        // Any reply is right, and silence too.
        await agent.settle();
        const newMessages = await agent.outbox();
        const messageText = `${inShort(message)} is about ${task}, which is unknown`;
        context.expect(
          rule,
          !newMessages.some((each) => isWork(each, task)),
          `${messageText}, and work on it is reported`,
        );
        const workReport = await agent.workedIfTold();
        const isTried = workReport?.attempts.some((attempt) => attempt.task_id === task) === true;
        context.expect(rule, !isTried, `${messageText}, and work on it is tried`);
        const isHandled = workReport?.handledIds.includes(String(message.message_id)) === true;
        const isRefused =
          newMessages.some(isRefusal) || (isHandled && (await agent.waitForMessage(isRefusal)) !== undefined);
        context.expect(rule, !isHandled || isRefused, `${messageText}, and it is handled without a word`);
        if (workReport === undefined && !isRefused)
          context.skip(
            rule,
            `${messageText}: whether it was handled is not reported; ${workedWouldShow}`,
            missingNeeds("worked"),
          );
      }
      await judgeTakeover(context, agent, rule);
    },
  },
  {
    name: "agent-no-loop",
    side,
    says: "an invalid escalation is not answered by another",
    rules: ["CONV-RECV-005"],
    needs: [],
    withinMs: 60_000,
    async play(context) {
      const rule = "CONV-RECV-005";
      const agent = await agentOf(context);
      // An orchestrator may get copies of messages to another agent.
      const isReply = (each: JsonObject): boolean => isType(each, "escalation.") && each.recipient === peer;
      // The answer to an invalid message and its delay show how long to wait.
      const [invalidMessage] = await brokenFor(agent, context, 0);
      const hasFailedText = await hasFailed(context, agent, { ...invalidMessage?.message, sender: peer });
      if (hasFailedText !== undefined) return context.skip(rule, `of an invalid message ${hasFailedText}`);
      const isAnswered = (await agent.waitForMessage(isReply)) !== undefined;
      await agent.settle();
      await agent.outbox();
      const replies: number[] = [];
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
        await hasFailed(context, agent, await agent.message(type, members, { from: peer }));
        await agent.settle();
        replies.push(countDistinct((await agent.outbox()).filter(isReply)));
      }
      const maxDelay = Math.max(...replies);
      if (!isAnswered && maxDelay === 0)
        return context.skip(rule, "no invalid message is answered, so no loop can begin");
      context.expect(rule, maxDelay < 2, `an invalid escalation is answered by ${maxDelay} others`);
      context.expect(rule, maxDelay === 0, "an invalid escalation is answered by another", "SHOULD");
    },
  },
];

/**
 * Sends the agent an invalid message. Returns the fault if the agent fails on it but accepts a valid message afterwards. Throws if the agent fails on every
 * message, which shows nothing about this one.
 */
async function hasFailed(
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

/** The number of messages, without copies. */
function countDistinct(messages: readonly JsonObject[]): number {
  return new Set(messages.map(({ message_id: id }) => String(id).toLowerCase())).size;
}

async function mustNotHandle(
  context: ScenarioContext,
  agent: AgentPlay,
  { message_id: id }: JsonObject,
  { rule, why }: { rule: string; why: string },
): Promise<void> {
  const workReport = await agent.workedIfTold();
  if (workReport === undefined)
    context.skip(
      rule,
      `whether an invalid message is handled is not reported: ${workedWouldShow}`,
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
