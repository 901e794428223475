import type { JsonObject, Scenario, ScenarioContext } from "../../../../../schemas/index.ts";
import { createAsk } from "../../../../running/scenarios/way/asking.ts";
import { drawItems, freshTask, message, orchestrator } from "../messages.ts";

/** Ways to break an assignment by its schema, but not by a format. */
const brokenMessages: readonly [description: string, change: (message: JsonObject) => JsonObject][] = [
  ["without its task_id", ({ task_id: _, ...withoutTask }) => withoutTask],
  ["with an unknown member at its root", (message) => ({ ...message, urgent: true })],
  ["of a type that does not exist", (message) => ({ ...message, message_type: "task.progress" })],
  ["of another category", (message) => ({ ...message, message_type: "status.ready" })],
  ["with a priority in capitals", (message) => ({ ...message, task: { priority: "HIGH" } })],
  ["with an empty description", (message) => ({ ...message, task: { description: "" } })],
  ["with a resource that has no path", (message) => ({ ...message, task: { resources: [{ type: "file" }] } })],
  ["with its sender in capitals", (message) => ({ ...message, sender: "Orchestrator" })],
  ["with its task_id in lower case", (message) => ({ ...message, task_id: String(message.task_id).toLowerCase() })],
];

function assignmentOf(context: ScenarioContext, members: JsonObject): JsonObject {
  const envelope = { from: orchestrator, to: "specialist-code", at: Date.now() };
  const task = { description: "Look at the log." };
  return message(context, "task.assignment", envelope, { task_id: freshTask(context), task, ...members });
}

export const receiverScenarios: readonly Scenario[] = [
  {
    name: "receiver-refuses-invalid",
    side: "receiver",
    says: "a receiver refuses the messages that the schemas refuse",
    rules: ["CONV-RECV-001"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const rule = "CONV-RECV-001";
      const ask = createAsk(context, "receiver");
      const control = await ask("receive", { message: assignmentOf(context, {}) });
      if (control.accepted !== true) return context.skip(rule, "even a valid message is refused");
      for (const [description, change] of drawItems(context, brokenMessages)) {
        const { accepted: isAccepted } = await ask("receive", { message: change(assignmentOf(context, {})) });
        context.expect(rule, isAccepted === false, `an assignment ${description} is accepted`);
      }
    },
  },
  {
    name: "receiver-is-up-to-date",
    side: "receiver",
    says: "a receiver accepts the root member that a new release adds",
    rules: ["CONV-VER-005"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const rule = "CONV-VER-005";
      const { member, value } = context.setting.options ?? {};
      if (typeof member !== "string" || value === undefined)
        return context.skip(rule, "the options member and value do not describe the new member");
      const ask = createAsk(context, "receiver");
      const assignment = (members: JsonObject): JsonObject => assignmentOf(context, members);
      const control = await ask("receive", { message: assignment({}) });
      if (control.accepted !== true) return context.skip(rule, "even a message without the new member is refused");
      const { accepted: isAccepted } = await ask("receive", { message: assignment({ [member]: value }) });
      context.expect(
        rule,
        isAccepted === true,
        `a message with the new member "${member}" is refused: receivers must have the new schema before senders`,
      );
    },
  },
];
