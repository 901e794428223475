import { twin } from "./twin.ts";

/** It reads texts by itself, and judges by every rule. */
export const text = true;
export const claims: string[] = ["format-assertion", "raw-text", "semantic"];

/** What a module exports. */
export type Judging = (
  given: string | Uint8Array,
  context: { document: string },
) => Promise<{ valid: boolean; errors?: { message: string }[] }>;

/** The twin as what a module exports: it uses every freedom one way. */
export function judging(isStrict: boolean): Judging {
  return async (given, { document }) => {
    const why = await twin.judge({ document, text: Buffer.from(given) }, () => isStrict);
    return why === undefined ? { valid: true } : { valid: false, errors: [{ message: why }] };
  };
}
