import type { JsonObject, Scenario } from "../../../../../schemas/index.ts";
import { asking } from "../../../../scenarios/way/asking.ts";
import { freshTask, message, orchestrator } from "../messages.ts";

export const receiverScenarios: readonly Scenario[] = [
  {
    name: "receiver-is-up-to-date",
    side: "receiver",
    says: "a receiver takes the new root member that is about to be sent",
    rules: ["CONV-VER-005"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const rule = "CONV-VER-005";
      const { member, value } = context.setting.options ?? {};
      if (typeof member !== "string" || value === undefined)
        return context.skip(rule, "the options member and value do not say what is about to be sent");
      const ask = asking(context, "receiver");
      const assignment = (more: JsonObject): JsonObject => {
        const envelope = { from: orchestrator, to: "specialist-code", at: Date.now() };
        const task = { description: "Look at the log." };
        return message(context, "task.assignment", envelope, { task_id: freshTask(context), task, ...more });
      };
      const control = await ask("receive", { message: assignment({}) });
      if (control.accepted !== true) return context.skip(rule, "a message without the new member is refused as well");
      const { accepted } = await ask("receive", { message: assignment({ [member]: value }) });
      context.expect(
        rule,
        accepted === true,
        `a message with the new member "${member}" is refused: receivers are to have its schema first`,
      );
    },
  },
];
