import type { Environment } from "./setting.ts";

/** How a live reference implementation is started. */
export interface LiveOptions {
  /** The party to start; absent: the first that the protocol's profile names. */
  side?: string;
  variant?: string;
  port?: number;
  /** The parties with access, by the letters that scenarios use; absent: any party has access. */
  credentials?: Readonly<Record<string, { agent: string; token?: string; apikey?: string }>>;
  /** File that stores its state. */
  journal?: string;
  profile?: "development" | "production";
  /** The limits that it enforces, by its own names for them. */
  limits?: Readonly<Record<string, number>>;
  /** The names of the chosen `LiveReference.choices`, at most one of each factor. They also apply to a variant. */
  choices?: readonly string[];
  /** Multiplies the real time of its work, like the `timeScale` of a setting for the waits of scenarios. */
  timeScale?: number;
}

/**
 * Something that a correct party may do differently from the reference. Tests draw correct parties from combinations of all choices, and play
 * broken parties with each choice.
 */
export interface LiveChoice {
  /** In kebab-case, unique in the protocol. */
  name: string;
  /** The party that makes the choice; absent: the first. */
  side?: string;
  /** A freedom of the protocol, a time at which the party acts or answers, or its use of bytes, connections and sessions. */
  kind: "freedom" | "tempo" | "transport";
  /** Choices of one factor exclude each other, such as two lengths of one delay; by default its name. */
  factor?: string;
  /** Ids in freedoms.json that it uses; empty if no rule mentions the freedom. */
  freedoms: readonly string[];
  /** Completes the sentence "a party that …". */
  says: string;
  /** The names of broken parties that this choice repairs, since it replaces their wrong decision. */
  moots?: readonly string[];
}

/** A live reference that keeps every rule, and uses freedoms of the protocol. */
export interface LiveTwin {
  name: string;
  /** Which party it is; absent: the first. */
  side?: string;
  /** Ids of the freedoms that it uses differently from the reference. */
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
  /** Detecting the mistake depends on milliseconds, so nothing else should run at the same time. */
  alone?: true;
  /** The mistake shows only over several steps: walks find it, and scenarios need not. */
  isCourse?: true;
  /** The hooks that trigger the mistake: without them, it does not break the rule. */
  withHooks?: readonly string[];
  /** Options to start it with, so that the rule is exercised. */
  options?: LiveOptions;
}

/** A reference implementation that runs as a server, keeps state, and has an operator. */
export interface LiveReference {
  /** Serves it on a loopback port until it is closed. Throws a usage error for options that do not fit. */
  serve(options: LiveOptions): Promise<{ url: string; close(): Promise<void> }>;
  /** Serves it with the credentials and hooks that scenarios need. */
  open(options?: LiveOptions): Promise<Environment>;
  /** Choices that conform, alone and in every combination that their factors allow. */
  choices?: readonly LiveChoice[];
  /** The hooks of a side that the guide shows in its configuration. */
  shownHooks?: Readonly<Record<string, readonly string[]>>;
  /** Correct implementations that use freedoms differently from the reference. */
  twins?: readonly LiveTwin[];
  /** Implementations that break one rule of conduct. */
  variants: readonly LiveVariant[];
}
