import { stringify } from "yaml";
import type { JsonObject } from "../../../../../schemas/index.ts";
import type { Timers } from "../timers.ts";
import type { Validity } from "../validity.ts";
import type { AgentConduct } from "./conduct.ts";

/** Completes, validates and sends the messages of an agent. */
export class Mailroom {
  #outbox: { message: JsonObject; hasArrived: () => boolean }[] = [];
  readonly #id: string;
  readonly #conduct: AgentConduct;
  readonly #validity: Validity;
  readonly #timers: Timers;

  constructor(id: string, conduct: AgentConduct, validity: Validity, timers: Timers) {
    this.#id = id;
    this.#conduct = conduct;
    this.#validity = validity;
    this.#timers = timers;
  }

  /** Completes a message, validates it and sends it. Throws for an invalid one. */
  send(draft: JsonObject): JsonObject {
    const message = this.#conduct.fillIn({ sender: this.#id, ...draft }, new Date(this.#timers.now()).toISOString());
    const why = this.#conduct.checksOutgoing(message) ? this.#validity(message)?.why : undefined;
    if (why !== undefined) throw new Error(why);
    if (this.#conduct.usesHub(String(message.recipient), String(message.message_type)))
      for (let copy = 0; copy < this.#conduct.copyCount(); copy++)
        this.#outbox.push({ message: this.#conduct.finishMessage(message), hasArrived: this.#arrivalCheck() });
    return message;
  }

  /** Returns a function that says whether a message that is sent now has reached the hub. */
  #arrivalCheck(): () => boolean {
    const { after, isReal } = this.#conduct.hubDelay();
    const now = (): number => (isReal ? Date.now() : this.#timers.now());
    const dueAt = now() + after;
    return () => now() >= dueAt;
  }

  /** Returns the messages that have reached the hub since the last call. */
  takeMessages(): JsonObject[] {
    const firstUndue = this.#outbox.findIndex(({ hasArrived }) => !hasArrived());
    const delivered = this.#outbox.splice(0, firstUndue < 0 ? this.#outbox.length : firstUndue);
    return delivered.map(({ message }) => message);
  }

  /** The same messages as texts in YAML. */
  takeTexts(): string[] {
    return this.takeMessages().map((message) => {
      const text = stringify(message, { version: "1.1" });
      return this.#conduct.quotesTimes() ? text : text.replace(/^timestamp: "(.*)"$/m, "timestamp: $1");
    });
  }
}
