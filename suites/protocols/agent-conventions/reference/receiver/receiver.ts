import { setTimeout as sleep } from "node:timers/promises";
import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import type { PartyDifference } from "../choices.ts";
import { breaks, type PartyMistake } from "../party-mistakes.ts";
import type { Invalid, Validity } from "../validity.ts";

/** The root member that the newer schemas add. */
export const addedMember = { member: "trace_id", value: "run-7" } as const;

/** Decisions that a rule requires. A variant makes one of them wrongly, and a choice makes one differently. */
export interface ReceiverConduct {
  /** Whether the schemas are those with the new member. */
  isUpToDate(): boolean;
  /** Whether an invalid message is refused. */
  refuses(invalid: Invalid): boolean;
  /** The report beside its answer. */
  says(why: string | undefined): JsonObject;
  /** Milliseconds until it answers. */
  answersAfter(): number;
}

export const rightReceiverConduct: ReceiverConduct = {
  isUpToDate: () => true,
  refuses: () => true,
  says: () => ({}),
  answersAfter: () => 0,
};

export const receiverChoices: readonly PartyDifference<ReceiverConduct>[] = [
  {
    name: "says-why",
    kind: "freedom",
    freedoms: ["one-error"],
    says: "reports the fault of a message",
    conduct: { says: (why) => (why === undefined ? { note: "welcome" } : { reason: why, errors: [why] }) },
  },
  ...[20, 200].map(
    (after): PartyDifference<ReceiverConduct> => ({
      name: `answers-after-${after}ms`,
      kind: "tempo",
      factor: "answers",
      freedoms: [],
      says: `answers after ${after} ms`,
      conduct: { answersAfter: () => after },
    }),
  ),
];

export const receiverVariants: readonly PartyMistake<ReceiverConduct>[] = [
  ...breaks<ReceiverConduct>("CONV-VER-005", { "": ["still has the older schemas", { isUpToDate: () => false }] }),
  ...breaks<ReceiverConduct>("CONV-RECV-001", {
    any: ["accepts an invalid message", { refuses: () => false }],
    unknown: [
      "lets members pass that it does not know",
      { refuses: ({ keywords }) => !keywords.includes("additionalProperties") },
    ],
    lacking: ["lets a message pass that lacks a member", { refuses: ({ keywords }) => !keywords.includes("required") }],
    roots: [
      "looks at the root of a message alone",
      { refuses: ({ at }) => at.some((place) => place.split("/").length <= 2) },
    ],
  }),
];

/** A receiver that reports for each message whether it accepts it. */
export class MessageReceiver {
  readonly #conduct: ReceiverConduct;
  readonly #validity: Validity;

  constructor(conduct: ReceiverConduct, validity: Validity) {
    this.#conduct = conduct;
    this.#validity = validity;
  }

  async ask(hook: string, { message }: JsonObject): Promise<JsonObject> {
    if (hook !== "receive") return { skipped: `there is no hook ${hook}` };
    const after = this.#conduct.answersAfter();
    if (after > 0) await sleep(after);
    const { [addedMember.member]: _, ...withoutAdded } = isObject(message) ? message : {};
    const invalid = this.#validity(this.#conduct.isUpToDate() ? withoutAdded : (message ?? null));
    const isAccepted = invalid === undefined || !this.#conduct.refuses(invalid);
    return { accepted: isAccepted, ...this.#conduct.says(invalid?.why) };
  }
}
