import { type JsonObject, type Scenario, TargetFailure } from "../../../../../schemas/index.ts";
import { createAsk } from "../../../../running/scenarios/way/asking.ts";
import { earnScenario } from "../earned.ts";
import { freshCue, freshTask, isType } from "../messages.ts";
import { hubCueScenarios } from "./cues.ts";
import { agents, report, teamOf } from "./team.ts";

const side = "hub";

const routingScenarios: readonly Scenario[] = [
  {
    name: "hub-routes",
    side,
    says: "a message goes to the destination of its prefix, and an unknown prefix raises an error",
    rules: ["CONV-ROUTE-001"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const rule = "CONV-ROUTE-001";
      const ask = createAsk(context, "hub");
      const [code] = agents;
      const problem = { category: "resource", description: "No space is left." };
      const task = freshTask(context);
      const progress = { percent_complete: 40, status: "on_track" };
      for (const [type, members, expectedDestination] of [
        ["escalation.error", { severity: "CRITICAL", ...problem }, "escalations"],
        ["escalation.abnormality", { severity: "LOW", ...problem }, "escalations"],
        ["status.ready", { status: "ready" }, "monitoring"],
        ["status.blocked", { status: "blocked", context: { blocked_reason: "No space is left." } }, "monitoring"],
        ["task.update", { task_id: task, progress }, "tasks"],
        ["task.failed", { task_id: task, failure: { reason: "No space is left.", can_retry: true } }, "tasks"],
        ["task.complete", { task_id: freshTask(context), completion: { summary: "The tests pass." } }, "tasks"],
        ["coord.warning", { cue_id: freshCue(context), target_agents: [code] }, "cues"],
      ] as const) {
        const from = type.startsWith("coord") ? "orchestrator-main" : code;
        const { to, refused: reason } = await ask("deliver", {
          message: report(context, from, type, members as unknown as JsonObject),
        });
        if (typeof to !== "string" && reason === undefined)
          throw new TargetFailure("errored", "hook", 'the hook "deliver" returns neither {"to": …} nor {"refused": …}');
        const destination = typeof to === "string" ? to : `nowhere (${reason ?? "without a reason"})`;
        context.expect(
          rule,
          to === expectedDestination,
          `${type} goes to ${destination} instead of ${expectedDestination}`,
        );
      }
      for (const type of ["broadcast.notice", "coordination.go"]) {
        const { to, refused: reason } = await ask("deliver", { message: report(context, code, type, {}) });
        context.expect(
          rule,
          to === undefined && reason !== undefined,
          `${type} matches no destination, but goes to ${to ?? "nowhere, without an error"}`,
        );
      }
    },
  },
  {
    name: "hub-refuses-invalid",
    side,
    says: "an invalid message is not passed on, and raises an error",
    rules: ["CONV-RECV-001"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const rule = "CONV-RECV-001";
      const team = await teamOf(context);
      const [code] = agents;
      const progress = { percent_complete: 40, status: "on_track" };
      for (const [description, type, members] of [
        ["task.update without its task_id", "task.update", { progress }],
        ["status.ready with an unknown member at its root", "status.ready", { status: "ready", urgent: true }],
      ] as const) {
        const { to, refused: reason } = await team.ask("deliver", { message: report(context, code, type, members) });
        await team.settle();
        const isInformed = team.messages
          .splice(0)
          .some(
            (message) =>
              isType(message, "escalation.", "ack.refused") && ["broadcast", code].includes(String(message.recipient)),
          );
        // The specification mentions only receivers. A hub that forwards a message may leave validation to the receiver.
        const isNotPassedOn = to === undefined || (to === "sender" && isInformed);
        const informationText = isInformed ? "although its sender is informed" : `and ${code} is not informed`;
        context.expect(rule, isNotPassedOn, `a ${description} goes to ${to}, ${informationText}`, "SHOULD");
        const isRaised = reason !== undefined || isInformed;
        context.expect(
          rule,
          !isNotPassedOn || isRaised,
          `a ${description} is not passed on, but no error is raised`,
          "SHOULD",
        );
      }
    },
  },
];

export const hubScenarios: readonly Scenario[] = [...routingScenarios, ...hubCueScenarios].map(earnScenario);
