import { add, remove } from "../../../../generators/index.ts";
import type { Cases, InvalidCase, Json, ValidCase } from "../../../../schemas/index.ts";
import { coreContext } from "./event.ts";
import { event, type Members, tidewatch } from "./messages.ts";

const document = "agent.awaiting.confirmation";
const ask = (members: Members = {}) => event(document, members);
const replies = (list: string[], members: Members = {}) => ask({ allowed_replies: list, ...members });
const extended = { "@context": [coreContext, tidewatch] };
const listed = (name: string, says: string, data: Json): ValidCase => ({ name, at: "/allowed_replies", says, data });

const timed = (name: string, timeout: number, members: Members): ValidCase => ({
  name,
  at: "/timeout_seconds",
  says: `is ${timeout}, within what is recommended`,
  data: ask({ ...members, timeout_seconds: timeout }),
  edge: true,
});
const off = (from: string, timeout: number): InvalidCase => ({
  name: `${from}-missed`,
  from,
  says: `is ${timeout}, not within what is recommended`,
  change: add("/timeout_seconds", timeout),
  edge: true,
});
const final = (risk: string) => ({ risk_level: risk, reversibility: undefined, irreversible: true });

export const cases: readonly Cases[] = [
  {
    rule: "AAEP-CONF-013",
    document,
    valid: [
      listed("both", "lists the default", replies(["accept", "reject"])),
      { ...listed("default-alone", "is the default alone", replies(["reject"])), edge: true },
      { ...listed("none", "is absent", ask()), edge: true },
      listed(
        "accept-alone",
        "is the default alone",
        replies(["accept"], { default_decision: "accept", timeout_seconds: 30 }),
      ),
    ],
    invalid: [
      {
        name: "other-alone",
        from: "both",
        at: "/default_decision",
        says: "is not in the list",
        change: add("/allowed_replies", ["accept"]),
      },
      {
        name: "default-changed",
        from: "default-alone",
        says: "is not in the list",
        change: add("/default_decision", "accept"),
      },
      {
        name: "default-to-reject",
        from: "accept-alone",
        says: "is not in the list",
        change: add("/default_decision", "reject"),
      },
    ],
  },
  {
    rule: "AAEP-CONF-014",
    document,
    valid: [
      listed("both-in-reverse", "has both, the other way round", replies(["reject", "accept"])),
      { ...listed("one", "has one that can be sent", replies(["reject"])), edge: true },
      {
        ...listed("one-among-others", "has one that can be sent", replies(["postpone", "reject"], extended)),
        edge: true,
      },
    ],
    invalid: [
      {
        name: "synonyms",
        from: "one",
        says: "has none that can be sent",
        change: add("/allowed_replies", ["approve", "deny"]),
      },
      {
        name: "capitals",
        from: "one",
        says: "has capitals, and none that can be sent",
        change: add("/allowed_replies", ["Accept", "Reject"]),
      },
      { name: "empty-text", from: "one", says: "has an empty text alone", change: add("/allowed_replies", [""]) },
      {
        name: "synonyms-of-an-extension",
        from: "one-among-others",
        says: "has none that a core reply can carry",
        change: add("/allowed_replies", ["postpone", "deny"]),
        level: "SHOULD",
      },
    ],
  },
  {
    rule: "AAEP-CONF-015",
    document,
    valid: [
      listed("core-replies", "has no others", replies(["reject", "accept"])),
      {
        ...listed(
          "explained",
          "has one more, and a context for it",
          replies(["accept", "reject", "postpone"], extended),
        ),
        edge: true,
      },
    ],
    invalid: [
      {
        name: "unexplained",
        from: "core-replies",
        at: "/allowed_replies/2",
        says: "is explained by nothing",
        change: add("/allowed_replies/-", "defer"),
      },
      {
        name: "unexplained-first",
        from: "core-replies",
        says: "is explained by nothing",
        change: add("/allowed_replies/0", "defer"),
      },
      {
        name: "capital",
        from: "core-replies",
        at: "/allowed_replies/2",
        says: "is accept with a capital letter",
        change: add("/allowed_replies/-", "Accept"),
      },
      {
        name: "context-gone",
        from: "explained",
        says: "explains no other reply",
        change: add("/@context", coreContext),
      },
      {
        name: "core-context-in-a-list",
        from: "explained",
        at: "/@context",
        says: "is a list that explains no other reply",
        change: remove("/@context/1"),
        edge: true,
      },
    ],
  },
  {
    rule: "AAEP-CONF-016",
    document,
    valid: [
      timed("high-least", 180, final("high")),
      timed("high-most", 600, final("high")),
      timed("medium-least", 60, final("medium")),
      timed("medium-most", 180, final("medium")),
      timed("low-least", 30, {}),
      timed("low-most", 90, {}),
      timed("low-flagged", 30, { reversibility: undefined, irreversible: false }),
      {
        name: "no-range-with-effort",
        at: "/timeout_seconds",
        says: "is long, and no range is recommended for what takes an effort to undo",
        data: ask({ reversibility: "reversible_with_effort", irreversible: false, timeout_seconds: 600 }),
        edge: true,
      },
      {
        name: "no-range",
        at: "/timeout_seconds",
        says: "is long, and no range is recommended",
        data: ask({ risk_level: "medium", timeout_seconds: 86400 }),
      },
    ],
    invalid: [
      off("high-least", 179),
      off("high-most", 601),
      off("medium-least", 59),
      off("medium-most", 181),
      off("low-least", 29),
      off("low-most", 91),
      off("low-flagged", 91),
    ],
  },
  {
    rule: "AAEP-CONF-016",
    document: "agent.awaiting.clarification",
    valid: ([60, 300] as const).map((timeout) => ({
      name: timeout === 60 ? "least" : "most",
      at: "/timeout_seconds",
      says: `is ${timeout}, within what is recommended`,
      data: event("agent.awaiting.clarification", { timeout_seconds: timeout }),
      edge: true,
    })),
    invalid: [off("least", 59), off("most", 301)],
  },
  {
    rule: "AAEP-CONF-017",
    document,
    valid: [
      { name: "both", says: "has its risk and a summary", data: ask() },
      {
        name: "no-reversibility",
        says: "has its risk and a summary, and does not say if it can be undone",
        data: ask({ reversibility: undefined }),
        edge: true,
      },
    ],
    invalid: [
      { name: "no-risk", at: "", says: "does not say its risk", change: remove("/risk_level") },
      { name: "no-summary", at: "", says: "has no normal summary", change: remove("/summary_normal") },
    ],
  },
];
