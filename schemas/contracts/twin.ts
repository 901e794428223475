import type { Json } from "../json.ts";

/** A question to a correct implementation: the text of a document as received, and its value if only the value is given. */
export interface TwinQuestion {
  document: string;
  text: Uint8Array;
  /** Set if the question is a value. The twin parses a text itself. */
  value?: Json;
  /** The text is YAML. */
  yaml?: true;
}

/**
 * An implementation that keeps every rule, written from the rules and not from the checkers. It can use each freedom or not, and must never
 * be reported.
 */
export interface Twin {
  /** Ids of the freedoms of judgement that it can use. */
  freedoms: readonly string[];
  /** Returns why it refuses the document; undefined if it accepts. `isStrict` says whether it uses a freedom to refuse. */
  judge(
    question: TwinQuestion,
    isStrict: (freedom: string) => boolean,
  ): string | undefined | Promise<string | undefined>;
}
