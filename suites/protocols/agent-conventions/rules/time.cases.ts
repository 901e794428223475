import type { Cases, Json } from "../../../../schemas/index.ts";
import { acknowledgment, assignment, cue, escalation, status } from "./messages.ts";

/** A deadline or the like may be in any zone, but must be a time. */
function timed(): Cases[] {
  const documents: [document: string, at: string, make: (time: string) => Json][] = [
    ["task", "/task/deadline", (deadline) => assignment({ task: { description: "Write it.", deadline } })],
    [
      "status",
      "/context/blocked_by/resolution_eta",
      (resolution_eta) => status("blocked", { context: { blocked_by: { resolution_eta } } }),
    ],
    ["coordination", "/standby_details/timeout", (timeout) => cue("standby", { standby_details: { timeout } })],
    ["escalation", "/retry_after", (retry_after) => escalation("error", "resource", { retry_after })],
    [
      "acknowledgment",
      "/completed_details/completion_time",
      (completion_time) => acknowledgment("completed", { completed_details: { completion_time } }),
    ],
  ];
  return documents.map(([document, at, make]) => ({
    rule: "CONV-BASE-011",
    document,
    valid: [
      { name: "utc", data: make("2026-01-21T14:30:00Z"), at, says: "is a time in UTC" },
      { name: "leap-day", data: make("2024-02-29T00:00:00Z"), at, says: "is on a leap day", edge: true as const },
    ],
    invalid: [],
    disputed: [
      {
        name: "other-zone",
        says: "is a time in another zone",
        change: [{ op: "replace" as const, path: at, value: "2026-01-21T14:30:00+02:00" }],
        readings: [
          { verdict: "valid" as const, by: ["position"], why: "any RFC 3339 time will do" },
          { verdict: "invalid" as const, by: ["recommendation"], why: "UTC is recommended" },
        ],
      },
    ],
  }));
}

export const timeCases: readonly Cases[] = timed();
