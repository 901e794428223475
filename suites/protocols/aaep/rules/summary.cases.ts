import { add, remove } from "../../../../generators/index.ts";
import type { Cases, InvalidCase, ValidCase } from "../../../../schemas/index.ts";
import type { EventName } from "./event.ts";
import { event } from "./messages.ts";

const whole = (name: EventName): ValidCase => ({ name: "all", says: "has all summaries", data: event(name) });
const lacking = (member: "terse" | "normal" | "detailed"): InvalidCase => ({
  name: `no-${member}`,
  at: "",
  says: `has no ${member} summary`,
  change: remove(`/summary_${member}`),
});

export const cases: readonly Cases[] = [
  ...(
    [
      "agent.state.changed",
      "agent.tool.invoked",
      "agent.tool.completed",
      "agent.awaiting.confirmation",
    ] as const satisfies EventName[]
  ).map(
    (document): Cases => ({
      rule: "AAEP-ENV-041",
      document,
      valid: [whole(document)],
      invalid: [lacking("terse"), lacking("detailed")],
    }),
  ),
  {
    rule: "AAEP-ENV-041",
    document: "agent.session.started",
    valid: [
      {
        name: "normal-alone",
        says: "needs no more than the normal summary",
        data: event("agent.session.started"),
        edge: true,
      },
    ],
    invalid: [],
  },
  ...(
    ["agent.progress.updated", "agent.awaiting.clarification", "agent.handoff.requested"] as const satisfies EventName[]
  ).map(
    (document): Cases => ({
      rule: "AAEP-ENV-042",
      document,
      valid: [{ name: "given", at: "/summary_normal", says: "is given", data: event(document) }],
      invalid: [
        lacking("normal"),
        {
          name: "terse-alone",
          at: "",
          says: "has the terse summary alone",
          change: [...remove("/summary_normal"), ...add("/summary_terse", "One moment.")],
        },
      ],
    }),
  ),
  ...(["agent.state.changed", "agent.tool.completed"] as const satisfies EventName[]).map(
    (document): Cases => ({
      rule: "AAEP-ENV-042",
      document,
      valid: [whole(document)],
      invalid: [lacking("normal")],
    }),
  ),
  {
    rule: "AAEP-ENV-042",
    document: "agent.output.streaming",
    valid: [{ name: "none-expected", says: "is text itself", data: event("agent.output.streaming"), edge: true }],
    invalid: [],
  },
];
