import type { Environment } from "./setting.ts";

/** How a live reference implementation is started. */
export interface LiveOptions {
  /** Which party; absent: the first that the protocol's profile names. */
  side?: string;
  variant?: string;
  port?: number;
  /** The parties with access, by the letters that scenarios use; absent: any party has access. */
  credentials?: Readonly<Record<string, { agent: string; token?: string; apikey?: string }>>;
  /** File that stores its state. */
  journal?: string;
  profile?: "development" | "production";
  /** Limits that it keeps, by its own names for them. */
  limits?: Readonly<Record<string, number>>;
  /** Names of `LiveReference.choices` that it makes, at most one of each factor; they apply to a variant as well. */
  choices?: readonly string[];
  /** Multiplies the real time of its work, as the `timeScale` of a setting does the waits of a play. */
  timeScale?: number;
}

/**
 * One thing that a right party may do otherwise than the reference does by itself. Whole right parties are drawn from all choices at once, and
 * broken ones are played with each choice.
 */
export interface LiveChoice {
  /** In kebab-case, unlike any other of the protocol. */
  name: string;
  /** Which party makes it; absent: the first. */
  side?: string;
  /** A freedom of the protocol; when the party acts or answers; or how its bytes, connections and sessions come. */
  kind: "freedom" | "tempo" | "transport";
  /** Choices of one factor exclude each other, such as two lengths of one delay; by default its name. */
  factor?: string;
  /** Ids in freedoms.json that it uses; empty if no rule mentions the freedom. */
  freedoms: readonly string[];
  /** Completes the sentence "a party that …". */
  says: string;
  /** Names of broken parties that break nothing once they make this choice: it replaces their wrong decision. */
  moots?: readonly string[];
}

/** A live reference that breaks no rule, and uses freedoms that the protocol leaves. */
export interface LiveTwin {
  name: string;
  /** Which party it is; absent: the first. */
  side?: string;
  /** Ids of the freedoms that it uses unlike the reference itself. */
  freedoms: readonly string[];
  options: LiveOptions;
}

/** A live reference that breaks one rule on purpose. */
export interface LiveVariant {
  name: string;
  rule: string;
  /** Which party it is; absent: the first. */
  side?: string;
  /** Completes the sentence "a party that …". */
  says: string;
  /** Whether it shows is a matter of milliseconds, so that nothing else should run beside it. */
  alone?: true;
  /** It shows only over several steps, so that walks find it, and no scenario has to. */
  isCourse?: true;
  /** Hooks without which it breaks nothing: only their effects meet its mistake. */
  withHooks?: readonly string[];
  /** Options to start it with, so that the rule is exercised. */
  options?: LiveOptions;
}

/** A running reference implementation: it keeps state, and has an operator. */
export interface LiveReference {
  /** Serves it on a loopback port until it is closed. Throws a usage error for options that do not fit. */
  serve(options: LiveOptions): Promise<{ url: string; close(): Promise<void> }>;
  /** The same with the credentials and hooks that scenarios need. */
  open(options?: LiveOptions): Promise<Environment>;
  /** Each alone and all together are right, as far as their factors allow. */
  choices?: readonly LiveChoice[];
  /** The hooks of a side that the guide's configuration shows. */
  shownHooks?: Readonly<Record<string, readonly string[]>>;
  /** Implementations that are right in a different way. */
  twins?: readonly LiveTwin[];
  /** Implementations that break one rule of conduct. */
  variants: readonly LiveVariant[];
}
