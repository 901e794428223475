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
  hasNewSchemas(): boolean;
  /** Whether an invalid message is refused. */
  refusesInvalid(invalid: Invalid): boolean;
  /** Members that it adds to its answer. */
  answerMembers(why: string | undefined): JsonObject;
  /** Milliseconds until it answers. */
  answerDelay(): number;
}

export const rightReceiverConduct: ReceiverConduct = {
  hasNewSchemas: () => true,
  refusesInvalid: () => true,
  answerMembers: () => ({}),
  answerDelay: () => 0,
};

export const receiverChoices: readonly PartyDifference<ReceiverConduct>[] = [
  {
    name: "says-why",
    kind: "freedom",
    freedoms: ["one-error"],
    says: "reports the fault of a message",
    conduct: { answerMembers: (why) => (why === undefined ? { note: "welcome" } : { reason: why, errors: [why] }) },
  },
  ...[20, 200].map(
    (after): PartyDifference<ReceiverConduct> => ({
      name: `answers-after-${after}ms`,
      kind: "tempo",
      factor: "answers",
      freedoms: [],
      says: `answers after ${after} ms`,
      conduct: { answerDelay: () => after },
    }),
  ),
];

export const receiverVariants: readonly PartyMistake<ReceiverConduct>[] = [
  ...breaks<ReceiverConduct>("CONV-VER-005", { "": ["still has the older schemas", { hasNewSchemas: () => false }] }),
  ...breaks<ReceiverConduct>("CONV-RECV-001", {
    any: ["accepts an invalid message", { refusesInvalid: () => false }],
    unknown: [
      "accepts unknown members",
      { refusesInvalid: ({ keywords }) => !keywords.includes("additionalProperties") },
    ],
    lacking: [
      "accepts a message that lacks a member",
      { refusesInvalid: ({ keywords }) => !keywords.includes("required") },
    ],
    roots: [
      "validates only the root of a message",
      { refusesInvalid: ({ at }) => at.some((pointer) => pointer.split("/").length <= 2) },
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
    const delay = this.#conduct.answerDelay();
    if (delay > 0) await sleep(delay);
    const { [addedMember.member]: _, ...withoutAdded } = isObject(message) ? message : {};
    const invalid = this.#validity(this.#conduct.hasNewSchemas() ? withoutAdded : (message ?? null));
    const isAccepted = invalid === undefined || !this.#conduct.refusesInvalid(invalid);
    return { accepted: isAccepted, ...this.#conduct.answerMembers(invalid?.why) };
  }
}
