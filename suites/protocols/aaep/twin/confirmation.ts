import type { JsonObject } from "../../../../schemas/index.ts";
import { list, type Say } from "../../../packs/twins/say.ts";

/** Judges the choices of a question for consent, and its default. */
export function confirmation(say: Say, event: JsonObject): void {
  const {
    irreversible,
    reversibility,
    default_decision: fallback,
    risk_level: stated,
    timeout_seconds: seconds,
  } = event;
  const isFinal = irreversible === true || reversibility === "irreversible";
  const risk = stated ?? "low";
  const isGrave = risk === "high" || risk === "medium";
  if (fallback === "accept") {
    if (isFinal && isGrave) say("accepts by default what cannot be undone");
    if (isFinal && risk === "low") say("accepts by default what cannot be undone", "low-risk-by-default");
    if (!isFinal && risk === "high") say("accepts a high risk by default", "high-risk-by-default");
  }
  if (
    (irreversible === false && reversibility === "irreversible") ||
    (irreversible === true && reversibility === "reversible")
  )
    say("says twice whether it can be undone, and differently", "contradictions");
  if (stated === undefined || event.summary_normal === undefined) say("lacks its risk or summary", "risks-told");
  const range = rangeOf(isFinal, stated, reversibility);
  if (range !== undefined && typeof seconds === "number" && (seconds < range[0] || seconds > range[1]))
    say("has an unusual timeout", "usual-timeouts");
  replies(say, event);
}

function rangeOf(isFinal: boolean, risk: unknown, reversibility: unknown): [number, number] | undefined {
  if (isFinal) return risk === "high" ? [180, 600] : risk === "medium" ? [60, 180] : undefined;
  return risk === "low" && reversibility === "reversible" ? [30, 90] : undefined;
}

function replies(
  say: Say,
  { allowed_replies: allowed, default_decision: fallback, "@context": context }: JsonObject,
): void {
  if (!Array.isArray(allowed) || !allowed.every((each) => typeof each === "string")) return;
  const hasExtension = list(context).some((each) => each !== "https://aaep-protocol.org/context/v1");
  if (typeof fallback === "string" && !allowed.includes(fallback))
    say("has a default that is no reply", "defaults-outside");
  if (!allowed.includes("accept") && !allowed.includes("reject"))
    say("allows no reply that there is", ...(hasExtension ? ["replies-of-extensions"] : []));
  if (allowed.some((each) => each !== "accept" && each !== "reject") && !hasExtension)
    say("allows a reply of an extension that it does not name");
}
