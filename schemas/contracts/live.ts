import type { Environment } from "./setting.ts";

/** How a live reference implementation is started. */
export interface LiveOptions {
  /** Which party; absent: the first that the protocol's profile names. */
  side?: string;
  variant?: string;
  port?: number;
  /** Who may come, by the letters that scenarios call them by; anybody without. */
  credentials?: Readonly<Record<string, { agent: string; token?: string; apikey?: string }>>;
  /** File in which it keeps what it knows. */
  journal?: string;
  profile?: "development" | "production";
  /** Limits that it keeps, by its own names for them. */
  limits?: Readonly<Record<string, number>>;
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
  /** Completes the sentence that begins with "one that". */
  says: string;
  /** Whether it shows is a matter of milliseconds, so that nothing else should run beside it. */
  alone?: true;
  /** It shows only over several steps, so that walks find it, and no scenario has to. */
  isCourse?: true;
  /** What it is started with so that the rule shows. */
  options?: LiveOptions;
}

/** A reference implementation that lives: it keeps what it was told, and has an operator. */
export interface LiveReference {
  /** Serves it on a loopback port until it is closed. Throws a usage error for options that do not fit. */
  serve(options: LiveOptions): Promise<{ url: string; close(): Promise<void> }>;
  /** The same with the credentials and hooks that scenarios need. */
  open(options?: LiveOptions): Promise<Environment>;
  /** Those that are right in another way. */
  twins?: readonly LiveTwin[];
  /** Those that break one rule of conduct. */
  variants: readonly LiveVariant[];
}
