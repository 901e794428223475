import type { CallbackAuth, Credential, HookConfig, ReceiverConfig } from "../config.ts";
import type { JsonObject } from "../json.ts";

/** An operation on a target outside its protocol. An answer `{ skipped: WHY }` means that it is impossible here. */
export type Hook = (parameters: JsonObject) => JsonObject | Promise<JsonObject>;

/** A target of scenarios, and its options. */
export interface Setting {
  /** Base address, for a party that listens. */
  url?: string;
  /** A shell command for a party that is started for each scenario, and reached over stdin and stdout. */
  command?: string;
  /** Which party it is; absent: the first that the protocol's profile names. */
  side?: string;
  /** Further facts about the target, by their names in the profile. */
  options?: JsonObject;
  /** Headers of the requests of agent `a`; those without secrets are sent with every request. */
  headers?: Readonly<Record<string, string>>;
  credentials?: { a?: Credential; b?: Credential };
  hooks?: Readonly<Record<string, Hook | HookConfig>>;
  /** How the target is set up (absent: development). */
  profile?: "development" | "production";
  /** The addresses at which callbacks are received, and under which the target reaches them. */
  receiver?: ReceiverConfig;
  /** The keys and tokens of callbacks, instead of the hooks `secret` and `key`. */
  callbackAuth?: CallbackAuth;
  /** Factor on waits and time limits, for a slower target. */
  timeScale?: number;
  /** Seconds for which scenarios wait, by the names of their bounds; other bounds keep their defaults. */
  bounds?: Readonly<Record<string, number>>;
}

/** A setting that lasts until it is closed. */
export interface Environment {
  setting: Setting;
  /** Whether a choice could have affected the scenarios played so far, because its decision was needed. Absent if every choice could. */
  meets?(choice: string): boolean;
  close(): Promise<void>;
}
