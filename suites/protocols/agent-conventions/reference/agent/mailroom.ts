import { stringify } from "yaml";
import type { JsonObject } from "../../../../../schemas/index.ts";
import type { Validity } from "../validity.ts";
import type { Conduct } from "./conduct.ts";
import type { Timers } from "./timers.ts";

/** What an agent sends, and where it goes. */
export class Mailroom {
  #toHub: JsonObject[] = [];
  readonly #id: string;
  readonly #conduct: Conduct;
  readonly #validity: Validity;
  readonly #timers: Timers;

  constructor(id: string, conduct: Conduct, validity: Validity, timers: Timers) {
    this.#id = id;
    this.#conduct = conduct;
    this.#validity = validity;
    this.#timers = timers;
  }

  /** Completes a message, judges it and sends it. Throws for an invalid one. */
  send(given: JsonObject): JsonObject {
    const message = this.#conduct.filled({ sender: this.#id, ...given }, new Date(this.#timers.now()).toISOString());
    const why = this.#conduct.checksOwn(message) ? this.#validity(message) : undefined;
    if (why !== undefined) throw new Error(why);
    if (this.#conduct.usesHub(String(message.recipient), String(message.message_type)))
      this.#toHub.push(this.#conduct.sent(message));
    return message;
  }

  /** What has come to the hub since this was last asked. */
  taken(): JsonObject[] {
    const taken = this.#toHub;
    this.#toHub = [];
    return taken;
  }

  /** The same as texts in YAML. */
  takenAsTexts(): string[] {
    return this.taken().map((message) => {
      const text = stringify(message, { version: "1.1" });
      return this.#conduct.quotesTimes() ? text : text.replace(/^timestamp: "(.*)"$/m, "timestamp: $1");
    });
  }
}
