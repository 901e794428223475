import { type Capability, capabilities, closest, TouchstoneError } from "../../schemas/index.ts";

/** What a target says that it supports. Throws a target error for a word that is no capability: it would skip vectors by a slip. */
export function claimsFrom(claims: unknown, where: string): Capability[] | undefined {
  if (claims === undefined) return undefined;
  const names = Object.keys(capabilities);
  const hint = `the capabilities are ${names.join(", ")}`;
  if (!Array.isArray(claims)) throw new TouchstoneError("target", "its claims are not a list", { where, hint });
  for (const claim of claims) {
    if (typeof claim === "string" && names.includes(claim)) continue;
    const near = typeof claim === "string" ? closest(claim, names) : "";
    throw new TouchstoneError("target", `it claims ${JSON.stringify(claim)}, which is no capability`, {
      where,
      hint: `${near}${hint}`,
    });
  }
  return claims as Capability[];
}

/** What is taken for granted of what goes by a schema alone: nothing that only somebody knows who has read the text of a specification. */
export const ofShapes: readonly Capability[] = ["format-assertion", "raw-text", "big-numbers"];
