import { add, remove } from "../../../../generators/index.ts";
import type { Cases, InvalidCase } from "../../../../schemas/index.ts";
import { event, type Members } from "./messages.ts";

const document = "agent.awaiting.confirmation";
/** A question about an action of this risk, with a timeout that suits it. */
const ask = (risk: string, members: Members) =>
  event(document, {
    risk_level: risk,
    timeout_seconds: risk === "low" ? 60 : 180,
    reversibility: undefined,
    ...members,
  });
const silence = (from: string): InvalidCase => ({
  name: `${from}-accepted`,
  from,
  says: "is accept",
  change: add("/default_decision", "accept"),
});
const rejected = (name: string, risk: string, members: Members) => ({
  name,
  at: "/default_decision",
  says: "is reject",
  data: ask(risk, members),
});
const accepted = (name: string, risk: string, members: Members) => ({
  name,
  at: "/default_decision",
  says: "is accept",
  data: ask(risk, { ...members, default_decision: "accept" }),
  edge: true as const,
});

export const cases: readonly Cases[] = [
  {
    rule: "AAEP-CONF-008",
    document,
    valid: [
      rejected("irreversible-high", "high", { reversibility: "irreversible" }),
      rejected("irreversible-medium", "medium", { reversibility: "irreversible" }),
      accepted("with-effort-medium", "medium", { reversibility: "reversible_with_effort", timeout_seconds: 120 }),
    ],
    invalid: [
      silence("irreversible-high"),
      silence("irreversible-medium"),
      ...["irreversible-high", "irreversible-medium"].map((from) => ({
        name: `${from}-and-denied`,
        from,
        at: "/default_decision",
        says: "is accept for what one of two members calls irreversible",
        change: [...add("/irreversible", false), ...add("/default_decision", "accept")],
      })),
      {
        name: "with-effort-turned-irreversible",
        from: "with-effort-medium",
        at: "/default_decision",
        says: "is accept for what cannot be undone",
        change: add("/reversibility", "irreversible"),
        edge: true,
      },
    ],
  },
  {
    rule: "AAEP-CONF-009",
    document,
    valid: [
      rejected("irreversible-low", "low", { reversibility: "irreversible" }),
      rejected("flagged-low", "low", { irreversible: true }),
      accepted("with-effort-low", "low", { reversibility: "reversible_with_effort", irreversible: false }),
    ],
    invalid: [silence("irreversible-low"), silence("flagged-low")],
    disputed: [
      {
        name: "risk-unsaid",
        from: "flagged-low",
        at: "/default_decision",
        says: "is accept, for an action that cannot be undone and whose risk is not said",
        change: [...remove("/risk_level"), ...add("/default_decision", "accept")],
        readings: [
          { verdict: "valid", by: ["specification 6.4.1"], why: "its table has no line for a risk that is not said" },
          { verdict: "invalid", by: ["position"], why: "it is read as low, for which rejection is recommended" },
        ],
      },
    ],
  },
  {
    rule: "AAEP-CONF-010",
    document,
    valid: [
      rejected("reversible-high", "high", { reversibility: "reversible" }),
      rejected("with-effort-high", "high", { reversibility: "reversible_with_effort" }),
      rejected("unsaid-high", "high", {}),
      rejected("flagged-high", "high", { irreversible: false }),
      accepted("reversible-medium", "medium", { reversibility: "reversible" }),
    ],
    invalid: [silence("reversible-high"), silence("with-effort-high"), silence("unsaid-high"), silence("flagged-high")],
  },
  {
    rule: "AAEP-CONF-011",
    document,
    valid: [
      {
        name: "both-irreversible",
        says: "says twice that it is final",
        data: ask("low", { irreversible: true, reversibility: "irreversible" }),
      },
      {
        name: "both-reversible",
        says: "says twice that it can be undone",
        data: ask("low", { irreversible: false, reversibility: "reversible", timeout_seconds: 90 }),
      },
      {
        name: "irreversible-with-effort",
        says: "is irreversible, and could be undone with effort",
        data: ask("low", { irreversible: true, reversibility: "reversible_with_effort" }),
        edge: true,
      },
      {
        name: "reversible-with-effort",
        says: "is not irreversible, and can be undone with effort",
        data: ask("low", { irreversible: false, reversibility: "reversible_with_effort" }),
        edge: true,
      },
    ],
    invalid: [
      {
        name: "flag-denies",
        from: "both-irreversible",
        says: "is false, against the scale",
        change: add("/irreversible", false),
      },
      {
        name: "scale-denies",
        from: "both-irreversible",
        says: "is reversible, against the flag",
        change: add("/reversibility", "reversible"),
      },
      {
        name: "flag-set",
        from: "both-reversible",
        says: "is true, against the scale",
        change: add("/irreversible", true),
      },
    ],
  },
];
