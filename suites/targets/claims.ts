import { type Capability, capabilities, nearestName, TouchstoneError } from "../../schemas/index.ts";

/** Returns the capabilities that a target claims. Throws a target error for an unknown capability, since a typo would silently skip vectors. */
export function claimsFrom(claims: unknown, where: string): Capability[] | undefined {
  if (claims === undefined) return undefined;
  const names = Object.keys(capabilities);
  const hint = `the capabilities are ${names.join(", ")}`;
  if (!Array.isArray(claims)) throw new TouchstoneError("target", "expected a list of claims", { where, hint });
  for (const claim of claims) {
    if (typeof claim === "string" && names.includes(claim)) continue;
    const nearestHint = typeof claim === "string" ? nearestName(claim, names) : "";
    throw new TouchstoneError("target", `it claims ${JSON.stringify(claim)}, which is not a capability`, {
      where,
      hint: `${nearestHint}${hint}`,
    });
  }
  return claims as Capability[];
}

/** The assumed capabilities of a validator that only knows a schema: all but those that a schema cannot express. */
export const capabilitiesOfShapes: readonly Capability[] = ["format-assertion", "raw-text", "big-numbers"];
