import { add, remove } from "../../../../generators/index.ts";
import type { Cases, InvalidCase, Json } from "../../../../schemas/index.ts";
import { event } from "./messages.ts";

const progress = (members: Json) => event("agent.progress.updated", { progress: members });
const failed = (status: string) =>
  event("agent.tool.completed", { status, duration_ms: 10_000, error_message: "No answer after 10 s" });
const chunk = (complete: boolean, hint?: string) =>
  event("agent.output.streaming", {
    complete,
    coalesce_hint: hint,
    chunk: complete ? "See you on Friday." : "Berth E14. ",
  });
const hinted = (from: string, hint: string, level?: "MAY"): InvalidCase => ({
  name: `${from}-and-${hint}`,
  from,
  says: from === "complete" ? `is ${hint} on the last chunk` : `is ${hint} before the last chunk`,
  change: add("/coalesce_hint", hint),
  ...(level === undefined ? {} : { level }),
});

export const cases: readonly Cases[] = [
  {
    rule: "AAEP-ENV-010",
    document: "envelope",
    valid: [
      { name: "payload", at: "", says: "has the members that its type asks for", data: event("agent.state.changed") },
    ],
    invalid: [
      {
        name: "no-payload",
        at: "",
        says: "lacks a member that its type asks for",
        change: remove("/from_state"),
        level: "MAY",
      },
    ],
  },
  {
    rule: "AAEP-PROG-002",
    document: "agent.progress.updated",
    valid: [
      { name: "midway", at: "/progress/step", says: "is below the total", data: progress({ step: 3, total_steps: 5 }) },
      {
        name: "last",
        at: "/progress/step",
        says: "is the total",
        data: progress({ step: 3, total_steps: 3, percent: 100 }),
        edge: true,
      },
      { name: "no-total", at: "/progress/step", says: "has no total", data: progress({ step: 9 }), edge: true },
      { name: "no-step", at: "/progress", says: "has a total alone", data: progress({ percent: 40, total_steps: 1 }) },
      {
        name: "more-digits-in-total",
        at: "/progress/step",
        says: "is below the total, though not as a text",
        data: progress({ step: 9, total_steps: 10 }),
      },
    ],
    invalid: [
      { name: "beyond", says: "is beyond the total", change: add("/progress/step", 6), edge: true },
      {
        name: "one-beyond-the-last",
        from: "last",
        says: "is one beyond the total",
        change: add("/progress/step", 4),
        edge: true,
      },
      {
        name: "swapped",
        says: "is the total, and the total is the step",
        change: [...add("/progress/step", 5), ...add("/progress/total_steps", 3)],
      },
      {
        name: "more-digits-in-step",
        from: "more-digits-in-total",
        says: "is above the total, though not as a text",
        change: [...add("/progress/step", 10), ...add("/progress/total_steps", 9)],
      },
    ],
  },
  {
    rule: "AAEP-TOOL-015",
    document: "agent.tool.completed",
    valid: [
      { name: "error", at: "/error_message", says: "explains the error", data: failed("error") },
      { name: "timeout", at: "/error_message", says: "explains the timeout", data: failed("timeout") },
      {
        name: "success",
        says: "needs no explanation",
        data: event("agent.tool.completed", { duration_ms: 800 }),
        edge: true,
      },
      { name: "success-explained", at: "/error_message", says: "is there all the same", data: failed("success") },
    ],
    invalid: [
      {
        name: "error-unexplained",
        from: "error",
        at: "",
        says: "does not explain the error",
        change: remove("/error_message"),
      },
      {
        name: "timeout-unexplained",
        from: "timeout",
        at: "",
        says: "does not explain the timeout",
        change: remove("/error_message"),
      },
      {
        name: "success-turned-error",
        from: "success",
        at: "",
        says: "does not explain the error",
        change: add("/status", "error"),
      },
    ],
  },
  {
    rule: "AAEP-STRM-006",
    document: "agent.output.streaming",
    valid: [
      {
        name: "incomplete",
        at: "/coalesce_hint",
        says: "is sentence before the last chunk",
        data: chunk(false, "sentence"),
      },
      {
        name: "complete",
        at: "/coalesce_hint",
        says: "is completion on the last chunk",
        data: chunk(true, "completion"),
      },
      { name: "unhinted", at: "/coalesce_hint", says: "is absent on the last chunk", data: chunk(true), edge: true },
    ],
    invalid: [
      hinted("incomplete", "completion"),
      {
        name: "unfinished",
        from: "complete",
        at: "/coalesce_hint",
        says: "is completion, and the chunk is not the last",
        change: add("/complete", false),
      },
      hinted("complete", "word", "MAY"),
      hinted("complete", "none", "MAY"),
      hinted("complete", "paragraph", "MAY"),
    ],
  },
];
