import type { JsonObject } from "../../../../schemas/index.ts";
import { listOrEmpty, type ReportFault } from "../../../packs/twins/say.ts";

/** Judges the default, the timeout and the allowed replies of a question for consent. */
export function judgeConfirmation(report: ReportFault, event: JsonObject): void {
  const {
    irreversible,
    reversibility,
    default_decision: defaultDecision,
    risk_level: statedRisk,
    timeout_seconds: seconds,
  } = event;
  const isIrreversible = irreversible === true || reversibility === "irreversible";
  const risk = statedRisk ?? "low";
  const isRisky = risk === "high" || risk === "medium";
  if (defaultDecision === "accept") {
    if (isIrreversible && isRisky) report("accepts an irreversible action by default");
    if (isIrreversible && risk === "low") report("accepts an irreversible action by default", "low-risk-by-default");
    if (!isIrreversible && risk === "high") report("accepts a high risk by default", "high-risk-by-default");
  }
  if (
    (irreversible === false && reversibility === "irreversible") ||
    (irreversible === true && reversibility === "reversible")
  )
    report("contradicts itself about whether the action is reversible", "contradictions");
  if (statedRisk === undefined || event.summary_normal === undefined) report("lacks its risk or summary", "risks-told");
  const range = usualTimeouts(isIrreversible, statedRisk, reversibility);
  if (range !== undefined && typeof seconds === "number" && (seconds < range[0] || seconds > range[1]))
    report("has an unusual timeout", "usual-timeouts");
  judgeAllowedReplies(report, event);
}

function usualTimeouts(isIrreversible: boolean, risk: unknown, reversibility: unknown): [number, number] | undefined {
  if (isIrreversible && risk === "high") return [180, 600];
  if (isIrreversible) return risk === "medium" ? [60, 180] : undefined;
  return risk === "low" && reversibility === "reversible" ? [30, 90] : undefined;
}

function judgeAllowedReplies(
  report: ReportFault,
  { allowed_replies: allowedReplies, default_decision: defaultDecision, "@context": context }: JsonObject,
): void {
  if (!Array.isArray(allowedReplies) || !allowedReplies.every((reply) => typeof reply === "string")) return;
  const hasExtension = listOrEmpty(context).some((uri) => uri !== "https://aaep-protocol.org/context/v1");
  if (typeof defaultDecision === "string" && !allowedReplies.includes(defaultDecision))
    report("has a default that is not an allowed reply", "defaults-outside");
  if (!allowedReplies.includes("accept") && !allowedReplies.includes("reject"))
    report("allows neither accept nor reject", ...(hasExtension ? ["replies-of-extensions"] : []));
  if (allowedReplies.some((reply) => reply !== "accept" && reply !== "reject") && !hasExtension)
    report("allows a reply of an unnamed extension");
}
