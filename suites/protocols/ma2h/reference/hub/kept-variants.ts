import { breaks, type PostVariant } from "./post-variant.ts";

/** Hubs that each break one rule about how long mail is kept, or about agents of other accounts. */
export const keptVariants: readonly PostVariant[] = [
  ...breaks("INB-018", {
    "": ["keeps mail for ever", { keepsMail: Number.POSITIVE_INFINITY }],
    short: ["drops mail after an hour", { keepsMail: 3_600_000 }],
  }),
  ...breaks("BNC-013", {
    "": ["leaves a message open that was never drained", { endsRetired: false }],
    receipt: [
      "sends a receipt for mail that was never drained",
      { retiredFor: ({ claimedBy }) => claimedBy ?? "sess_none" },
    ],
  }),
  ...breaks("BNC-014", {
    "": ["calls drained mail expired when it is dropped", { retires: () => "expired" }],
    session: [
      "names no session in the receipt for drained mail",
      { retiredFor: ({ state }) => (state === "delivered" ? "sess_none" : undefined) },
    ],
  }),
  ...breaks("TRK-009", {
    "": ["lets no outcome expire", { expiresOutcome: () => false }],
    old: ["lets outcomes of old messages expire", { expiresOutcome: () => true }],
  }),
  ...breaks("HST-004", { "": ["checks for stops, then waits before it registers the session", { hesitates: 1800 }] }),
  ...breaks("ADR-004", {
    "": ["delivers people messages from an agent with a # in its id", { addressesHash: true }],
  }),
  ...breaks("SES-005", { "": ["gives sessions to an agent with a # in its id", { addressesHash: true }] }),
  ...breaks("ADR-006", {
    "": ["lets agents write to agents of other accounts", { knows: () => true }],
    code: [
      "says that an agent is of another account",
      {
        refuses: (refusal, { addressee }) =>
          refusal !== undefined && addressee?.agent === "touchstone-foreign"
            ? { status: 403, body: { error: { code: "not_authorized", message: "it is of another account" } } }
            : refusal,
      },
    ],
  }),
  ...breaks("ADR-010", {
    "": ["ignores lists of senders", { blocks: () => undefined }],
    code: [
      "says that an agent does not list a sender",
      {
        blocks: (isListed) =>
          isListed
            ? undefined
            : { status: 403, body: { error: { code: "not_authorized", message: "the agent does not list you" } } },
      },
    ],
  }),
  ...breaks("PRS-005", { "": ["reveals the presence of agents in other accounts", { deniesForeign: false }] }),
];
