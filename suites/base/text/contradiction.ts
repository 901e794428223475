import type { Cause } from "../../../schemas/index.ts";
import { describeBody } from "./skips.ts";

const phrases = {
  valid: "refused, although it is valid",
  invalid: "accepted, although it is invalid",
} as const;

/** Describes how an answer contradicts the expected verdict, with the target's own reason. */
export function describeContradiction(verdict: keyof typeof phrases, targetReason?: string): string {
  return targetReason === undefined ? phrases[verdict] : `${phrases[verdict]}: ${targetReason}`;
}

/** Returns the rest of such a reason, without the contradiction; undefined if nothing is left. Other reasons are returned unchanged. */
export function reasonBesideContradiction({ why, cause }: { why?: string; cause?: Cause }): string | undefined {
  if (cause?.kind === "accepted") return undefined;
  if (cause?.kind !== "refused") return why;
  const { reason, doubt } = cause;
  if (doubt === undefined) return reason;
  return reason === undefined ? why : `${reason}; no violation, since ${doubt}${describeBody(cause)}`;
}
