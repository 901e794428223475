import { stringify } from "yaml";
import type { JsonObject } from "../../../../../schemas/index.ts";
import type { Timers } from "../timers.ts";
import type { Validity } from "../validity.ts";
import type { AgentConduct } from "./conduct.ts";

/** The messages of an agent, and their destinations. */
export class Mailroom {
  #toHub: { message: JsonObject; hasArrived: () => boolean }[] = [];
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

  /** Completes a message, judges it and sends it. Throws for an invalid one. */
  send(draft: JsonObject): JsonObject {
    const message = this.#conduct.filled({ sender: this.#id, ...draft }, new Date(this.#timers.now()).toISOString());
    const why = this.#conduct.checksOwn(message) ? this.#validity(message)?.why : undefined;
    if (why !== undefined) throw new Error(why);
    if (this.#conduct.usesHub(String(message.recipient), String(message.message_type)))
      for (let copy = 0; copy < this.#conduct.copies(); copy++)
        this.#toHub.push({ message: this.#conduct.finishMessage(message), hasArrived: this.#arrival() });
    return message;
  }

  /** Returns a function that says whether a message that is sent now has reached the hub. */
  #arrival(): () => boolean {
    const { after, isReal } = this.#conduct.reaches();
    const now = (): number => (isReal ? Date.now() : this.#timers.now());
    const dueAt = now() + after;
    return () => now() >= dueAt;
  }

  /** The messages to the hub since the last call. */
  taken(): JsonObject[] {
    const firstUndue = this.#toHub.findIndex(({ hasArrived }) => !hasArrived());
    const delivered = this.#toHub.splice(0, firstUndue < 0 ? this.#toHub.length : firstUndue);
    return delivered.map(({ message }) => message);
  }

  /** The same messages as texts in YAML. */
  takenAsTexts(): string[] {
    return this.taken().map((message) => {
      const text = stringify(message, { version: "1.1" });
      return this.#conduct.quotesTimes() ? text : text.replace(/^timestamp: "(.*)"$/m, "timestamp: $1");
    });
  }
}
