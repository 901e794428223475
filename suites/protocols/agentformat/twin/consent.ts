import { isObject, type Json } from "../../../../schemas/index.ts";
import type { TwinFinding } from "../../../packs/twins/finding.ts";
import { evaluate } from "./evaluate.ts";
import { finding, get, has, list } from "./finding.ts";

interface TwinDemand {
  asks: boolean;
  isOpen: boolean;
}

function demandOf(approval: Json | undefined, args: Json): TwinDemand {
  if (approval === undefined || typeof approval === "boolean") return { asks: approval === true, isOpen: false };
  const condition = get(approval, "condition");
  if (condition === undefined) return { asks: true, isOpen: false };
  const { holds, isOpen } = evaluate(condition, args);
  return { asks: holds || isOpen, isOpen };
}

/** Checks one tool call: whether consent was asked for, and how it ended. */
export function* checkConsent(record: Json): Generator<TwinFinding> {
  const {
    own: ownApproval,
    inherited: inheritedApproval,
    asked: wasAsked,
    called: wasCalled,
    granted: wasGranted,
    message,
  } = record as Record<string, Json>;
  const args = get(record, "arguments") ?? {};
  const governs = list(record, "governance").includes(true);
  const demand = demandOf(ownApproval ?? inheritedApproval, args);
  // The specification does not say whether the condition of an entry replaces an inherited approval or adds to it.
  const isUnspecified = has(ownApproval, "condition") && inheritedApproval !== undefined && inheritedApproval !== false;
  const isOpen = !governs && demand.isOpen;
  if (wasAsked !== (governs || demand.asks)) {
    const freedom = isOpen ? "match-008" : isUnspecified && !governs ? "appr-own-under-inherited" : undefined;
    yield finding(governs ? "APPR-006" : "APPR-002", "/asked", "should be otherwise", freedom);
  }
  if (wasAsked === true && wasCalled === true && wasGranted !== true)
    yield finding("APPR-007", "/called", "without consent");
  if (wasAsked !== true && wasGranted !== undefined)
    yield finding("APPR-007", "/granted", "unasked", "appr-granted-unasked");
  const template = get(ownApproval ?? inheritedApproval, "message_template");
  if (wasAsked === true && demand.asks && typeof template === "string" && typeof message === "string")
    yield* checkMessage(template, message, args);
}

function* checkMessage(template: string, message: string, args: Json): Generator<TwinFinding> {
  if (!template.includes("{{")) return;
  let isUnspecified = false;
  const fill = (encode: (text: string) => string): string =>
    template.replace(/\{\{\{?\s*([^{}]*?)\s*\}?\}\}/g, (placeholder, path: string) => {
      const [first, ...names] = path.split(".");
      const isArgument = first === "tool_args";
      const value = isArgument ? get(args, ...names) : undefined;
      if (value === undefined || value === null || isObject(value) || Array.isArray(value)) isUnspecified = true;
      if (!isArgument) return placeholder;
      return value === undefined || value === null ? "" : encode(String(value));
    });
  const escapeHtml = (text: string): string =>
    text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
  const possibleTexts = [fill((text) => text), fill(escapeHtml)];
  if (!possibleTexts.some((text) => message.includes(text)))
    yield finding("APPR-005", "/message", "is not the filled template", isUnspecified ? "appr-005-unsaid" : undefined);
}
