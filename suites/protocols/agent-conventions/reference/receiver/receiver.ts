import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import type { Variant } from "../agent/variants.ts";
import type { Validity } from "../validity.ts";

/** The root member that its schemas have got. */
export const added = { member: "trace_id", value: "run-7" } as const;

/** What a rule binds. A variant decides it wrongly. */
export interface ReceiverConduct {
  /** Whether the schemas are those with the new member. */
  isUpToDate(): boolean;
}

export const right: ReceiverConduct = { isUpToDate: () => true };

export const receiverVariants: readonly Variant<ReceiverConduct>[] = [
  { rule: "CONV-VER-005", says: "still has the older schemas", conduct: { isUpToDate: () => false } },
];

/** A receiver that says of each message whether it takes it. */
export class MessageReceiver {
  readonly #conduct: ReceiverConduct;
  readonly #validity: Validity;

  constructor(conduct: ReceiverConduct, validity: Validity) {
    this.#conduct = conduct;
    this.#validity = validity;
  }

  ask(hook: string, { message }: JsonObject): JsonObject {
    if (hook !== "receive") return { skipped: `there is no hook ${hook}` };
    const { [added.member]: _, ...rest } = isObject(message) ? message : {};
    const why = this.#validity(this.#conduct.isUpToDate() ? rest : (message ?? null));
    return why === undefined ? { accepted: true } : { accepted: false, reason: why };
  }
}
