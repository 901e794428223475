import { isObject, type JsonObject } from "../../../../schemas/index.ts";
import { listOrEmpty, objectOrEmpty, type ReportFault, stringsIn } from "../../../packs/twins/say.ts";

const urgentEvents = ["session.errored", "awaiting.confirmation", "awaiting.clarification", "handoff.requested"];
const presentedEvents = [
  "state.changed",
  "tool.completed",
  "progress.updated",
  "awaiting.confirmation",
  "awaiting.clarification",
  "handoff.requested",
];
const summarizedEvents = ["state.changed", "tool.invoked", "tool.completed", "awaiting.confirmation"];

/** Judges the payload of a core event by the requirements that its schema does not state. */
export function judgePayload(report: ReportFault, event: JsonObject, coreName: string): void {
  const name = coreName.slice("agent.".length);
  judgeUrgency(report, event, name);
  if (presentedEvents.includes(name) && event.summary_normal === undefined)
    report("has no summary_normal", "normal-summaries");
  if (
    summarizedEvents.includes(name) &&
    ["terse", "normal", "detailed"].some((length) => event[`summary_${length}`] === undefined)
  )
    report("lacks a summary", "three-summaries");
  if (name === "session.started" && event.aaep_version === undefined)
    report("does not state its version", "versions-told");
  if (
    name === "tool.completed" &&
    (event.status === "error" || event.status === "timeout") &&
    event.error_message === undefined
  )
    report("has no error_message", "messages-of-errors");
  if (name === "output.streaming" && event.coalesce_hint === "completion" && event.complete === false)
    report("hints at completion, but is not complete", "hints-at-completion");
  const { step, total_steps: total } = objectOrEmpty(event.progress);
  if (name === "progress.updated" && typeof step === "number" && typeof total === "number" && step > total)
    report("has completed more steps than there are");
  if (name === "awaiting.clarification") judgeClarification(report, event);
}

const usualUrgenciesByEvent: Readonly<Record<string, readonly string[]>> = {
  "progress.updated": ["background"],
  "state.changed": ["background", "normal"],
};

function judgeUrgency(report: ReportFault, { urgency }: JsonObject, name: string): void {
  if (urgentEvents.includes(name)) {
    if (urgency !== "critical") report("is not critical");
    return;
  }
  const usualUrgencies = usualUrgenciesByEvent[name] ?? ["normal"];
  if (!usualUrgencies.includes(String(urgency ?? "normal"))) report("has an unusual urgency", "usual-urgency");
}

function judgeClarification(report: ReportFault, event: JsonObject): void {
  const {
    timeout_seconds: seconds,
    accepted_response_kinds: kinds,
    choices,
    default_response: defaultResponse,
  } = event;
  if (typeof seconds === "number" && (seconds < 60 || seconds > 300))
    report("has an unusual timeout", "usual-timeouts");
  if (listOrEmpty(kinds).includes("multiple_choice") && choices === undefined)
    report("offers a choice without choices");
  const values = listOrEmpty(choices).flatMap((choice) => (isObject(choice) ? [choice.value] : []));
  if (new Set(values).size < values.length) report("has two choices with the same value", "answers-that-fit");
  if (typeof defaultResponse !== "string") return;
  const isPossible = Array.isArray(kinds)
    ? stringsIn(kinds).some((kind) => fitsKind(kind, defaultResponse, values.includes(defaultResponse)))
    : !Array.isArray(choices) || values.includes(defaultResponse);
  if (!isPossible) report("has a default that is not a possible answer", "answers-that-fit");
}

function fitsKind(kind: string, text: string, isChoice: boolean): boolean {
  if (kind === "freetext") return true;
  if (kind === "multiple_choice") return isChoice;
  if (kind === "yes_no") return /^(yes|no|true|false)$/i.test(text);
  return text.trim() !== "" && Number.isFinite(Number(text));
}
