import { breaks, type PostVariant } from "./post-variant.ts";

/** Hubs that each break one rule about the retention of mail, or about agents of other accounts. */
export const keptVariants: readonly PostVariant[] = [
  ...breaks("INB-018", {
    "": ["keeps mail for ever", { mailRetentionMs: Number.POSITIVE_INFINITY }],
    short: ["drops mail after an hour", { mailRetentionMs: 3_600_000 }],
  }),
  ...breaks("BNC-013", {
    "": ["leaves a message open that was never drained", { endsRetiredMessages: false }],
    receipt: [
      "sends a receipt for mail that was never drained",
      { retiredReceiptSession: ({ claimedBy }) => claimedBy ?? "sess_none" },
    ],
  }),
  ...breaks("BNC-014", {
    "": ["marks drained mail as expired after the retention time", { stateAfterRetention: () => "expired" }],
    session: [
      "names no session in the receipt for drained mail",
      { retiredReceiptSession: ({ state }) => (state === "delivered" ? "sess_none" : undefined) },
    ],
  }),
  ...breaks("TRK-009", {
    "": ["never lets an outcome expire", { expiresOutcome: () => false }],
    old: ["lets outcomes of old messages expire", { expiresOutcome: () => true }],
  }),
  ...breaks("HST-004", {
    "": ["checks for stops, then waits before it registers the session", { registrationDelayMs: 1800 }],
  }),
  ...breaks("ADR-004", {
    "": ["ignores the address in messages from an agent with a # in its id", { acceptsHashAgents: true }],
  }),
  ...breaks("SES-005", { "": ["gives sessions to an agent with a # in its id", { acceptsHashAgents: true }] }),
  ...breaks("ADR-006", {
    "": ["lets agents write to agents of other accounts", { isReachable: () => true }],
    code: [
      "reveals that an agent belongs to another account",
      {
        refuseDestination: (refusal, { addressee }) =>
          refusal !== undefined && addressee?.agent === "touchstone-foreign"
            ? { status: 403, body: { error: { code: "not_authorized", message: "it belongs to another account" } } }
            : refusal,
      },
    ],
  }),
  ...breaks("ADR-010", {
    "": ["ignores lists of senders", { refuseUnlisted: () => undefined }],
    code: [
      "reveals that an agent does not list a sender",
      {
        refuseUnlisted: (isListed) =>
          isListed
            ? undefined
            : { status: 403, body: { error: { code: "not_authorized", message: "the agent does not list you" } } },
      },
    ],
  }),
  ...breaks("PRS-005", { "": ["reveals the presence of agents in other accounts", { hidesForeignAgents: false }] }),
];
