import { stringify } from "yaml";
import type { JsonObject } from "../../../../../schemas/index.ts";
import type { Timers } from "../timers.ts";
import type { Validity } from "../validity.ts";
import type { AgentConduct } from "./conduct.ts";

/** Fills in, validates and sends the messages of an agent. */
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

  /** Fills in a message, validates it and sends it. Throws if it is invalid. */
  send(draft: JsonObject): JsonObject {
    const message = this.#conduct.fillIn({ sender: this.#id, ...draft }, new Date(this.#timers.now()).toISOString());
    const why = this.#conduct.checksOutgoing(message) ? this.#validity(message)?.why : undefined;
    if (why !== undefined) throw new Error(why);
    if (this.#conduct.usesHub(String(message.recipient), String(message.message_type)))
      for (let copy = 0; copy < this.#conduct.copyCount(); copy++)
        this.#outbox.push({ message: this.#conduct.finishMessage(message), hasArrived: this.#makeArrivalTest() });
    return message;
  }

  /** Returns a function that tests whether a message sent now has reached the hub. */
  #makeArrivalTest(): () => boolean {
    const { after, isReal } = this.#conduct.hubDelay();
    const now = (): number => (isReal ? Date.now() : this.#timers.now());
    const dueAt = now() + after;
    return () => now() >= dueAt;
  }

  /** Returns the messages that have reached the hub since the last call. */
  takeMessages(): JsonObject[] {
    const firstPending = this.#outbox.findIndex(({ hasArrived }) => !hasArrived());
    const delivered = this.#outbox.splice(0, firstPending < 0 ? this.#outbox.length : firstPending);
    return delivered.map(({ message }) => message);
  }

  /** Like `takeMessages`, as YAML. */
  takeTexts(): string[] {
    return this.takeMessages().map((message) => {
      const text = stringify(message, { version: "1.1" });
      return this.#conduct.quotesTimes() ? text : text.replace(/^timestamp: "(.*)"$/m, "timestamp: $1");
    });
  }
}
