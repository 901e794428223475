import { type JsonObject, type Scenario, TargetFailure } from "../../../../../schemas/index.ts";
import { asking } from "../../../../scenarios/way/asking.ts";
import { freshCue, freshTask } from "../messages.ts";
import { cues } from "./cues.ts";
import { agents, report } from "./team.ts";

const side = "hub";

export const hubScenarios: readonly Scenario[] = [
  {
    name: "hub-routes",
    side,
    says: "a message goes where its prefix says, and what fits nothing raises an error",
    rules: ["CONV-ROUTE-001"],
    needs: [],
    withinMs: 30_000,
    async play(context) {
      const rule = "CONV-ROUTE-001";
      const ask = asking(context, "hub");
      const [code] = agents;
      const about = { category: "resource", description: "No space is left." };
      const progress = { percent_complete: 40, status: "on_track" };
      for (const [type, more, wanted] of [
        ["escalation.error", { severity: "CRITICAL", ...about }, "escalations"],
        ["escalation.abnormality", { severity: "LOW", ...about }, "escalations"],
        ["status.ready", { status: "ready" }, "monitoring"],
        ["task.update", { task_id: freshTask(context), progress }, "tasks"],
        ["coord.warning", { cue_id: freshCue(context), target_agents: [code] }, "cues"],
      ] as const) {
        const from = type.startsWith("coord") ? "orchestrator-main" : code;
        const { to, refused } = await ask("deliver", {
          message: report(context, from, type, more as unknown as JsonObject),
        });
        if (typeof to !== "string" && refused === undefined)
          throw new TargetFailure("errored", "hook", 'the hook "deliver" gives neither {"to": …} nor {"refused": …}');
        const where = typeof to === "string" ? to : `nowhere (${refused ?? "without a reason"})`;
        context.expect(rule, to === wanted, `${type} goes to ${where} instead of ${wanted}`);
      }
      for (const type of ["broadcast.notice", "coordination.go"]) {
        const { to, refused } = await ask("deliver", { message: report(context, code, type, {}) });
        context.expect(
          rule,
          to === undefined && refused !== undefined,
          `${type} fits nothing, and goes to ${to ?? "nowhere without an error"}`,
        );
      }
    },
  },
  ...cues,
];
