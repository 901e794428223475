import type { Checker } from "../../../../schemas/index.ts";
import { onEvents } from "./event.ts";

/** Checks that an event has the required summaries. AAEP-CONF-017 judges a missing normal summary of a confirmation. */
export const summaryCheckers: readonly Checker[] = [
  onEvents(
    "AAEP-ENV-041",
    function* (event) {
      for (const name of ["summary_terse", "summary_detailed"])
        if (event[name] === undefined) yield { at: "", why: `has no ${name}` };
    },
    ["agent.state.changed", "agent.tool.invoked", "agent.tool.completed", "agent.awaiting.confirmation"],
  ),
  onEvents(
    "AAEP-ENV-042",
    function* (event) {
      if (event.summary_normal === undefined) yield { at: "", why: "has no summary_normal" };
    },
    [
      "agent.state.changed",
      "agent.tool.completed",
      "agent.progress.updated",
      "agent.awaiting.clarification",
      "agent.handoff.requested",
    ],
  ),
];
