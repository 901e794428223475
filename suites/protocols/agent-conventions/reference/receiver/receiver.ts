import { setTimeout as sleep } from "node:timers/promises";
import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import type { PartyDifference } from "../choices.ts";
import { breaks, type PartyMistake } from "../party-mistakes.ts";
import type { Invalid, Validity } from "../validity.ts";

/** The root member that the new schemas add. */
export const addedMember = { member: "trace_id", value: "run-7" } as const;

/** The decisions of a receiver. A variant makes one of them wrongly, and a choice makes one differently, as the rules permit. */
export interface ReceiverConduct {
  /** Whether the receiver validates by the schemas with the new member. */
  hasNewSchemas(): boolean;
  /** Whether an invalid message is refused. */
  refusesInvalid(invalid: Invalid): boolean;
  /** Additional members of its answer. */
  answerMembers(reason: string | undefined): JsonObject;
  /** How long it waits before it answers, in milliseconds. */
  answerDelay(): number;
}

export const correctReceiverConduct: ReceiverConduct = {
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
    says: "reports why a message is refused",
    conduct: { answerMembers: (reason) => (reason === undefined ? { note: "welcome" } : { reason, errors: [reason] }) },
  },
  ...[20, 200].map(
    (delayMs): PartyDifference<ReceiverConduct> => ({
      name: `answers-after-${delayMs}ms`,
      kind: "tempo",
      factor: "answers",
      freedoms: [],
      says: `answers after ${delayMs} ms`,
      conduct: { answerDelay: () => delayMs },
    }),
  ),
];

export const receiverVariants: readonly PartyMistake<ReceiverConduct>[] = [
  ...breaks<ReceiverConduct>("CONV-VER-005", { "": ["still has the old schemas", { hasNewSchemas: () => false }] }),
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

/** A receiver, which answers whether it accepts a message. */
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
