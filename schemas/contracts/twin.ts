import type { Json } from "../json.ts";

/** A question to a right implementation: the text of a document as it came, and its value if only that is given. */
export interface TwinQuestion {
  document: string;
  text: Uint8Array;
  /** Set if the question is a value; a text is for the twin to read. */
  value?: Json;
  /** The text is YAML. */
  yaml?: true;
}

/**
 * An implementation that keeps every rule, written from the rules and not from the checkers. It uses each freedom either way, so that every
 * accusation of it is wrong.
 */
export interface Twin {
  /** Ids of the freedoms of judgement that it can use. */
  freedoms: readonly string[];
  /** Why it refuses; undefined if it accepts. `isStrict` names the freedoms that are used to refuse an optional point. */
  judge(
    question: TwinQuestion,
    isStrict: (freedom: string) => boolean,
  ): string | undefined | Promise<string | undefined>;
}
