import type { Result } from "../../../schemas/index.ts";

/** Identifies the observable cause of a failure, so that a thousand failures with one cause count once. Undefined if nothing failed. */
export function causeOf(result: Result): string | undefined {
  const { outcome, verdict, rule, site, document } = result;
  switch (outcome) {
    case "violates":
    case "warns":
      return verdict === "invalid"
        ? `${document} accepts ${rule ?? ""} ${site ?? ""}`
        : `${document} refuses ${refusalFact(result)}`;
    case "errored":
      return `${document} errs at ${result.stage} ${describeFailure(result)}`;
    case "timed-out":
      return `${document} hangs at ${result.stage}`;
    default:
      return undefined;
  }
}

/** Describes how an answer failed, without the parts that differ from one message to the next. */
function describeFailure({ cause }: Result): string {
  if (cause === undefined) return "";
  const status = "status" in cause ? `${cause.status}` : "";
  return `${cause.kind} ${status} ${removeSpecifics("reason" in cause ? (cause.reason ?? "") : "")}`;
}

/** Returns the most specific fact that the first reason names. */
function refusalFact({ answer }: Result): string {
  const { site, rule, keyword, at = "", code = "", message = "" } = answer?.reasons[0] ?? {};
  return site ?? rule ?? `${code} ${keyword ?? removeSpecifics(message)} ${removeSpecifics(at)}`;
}

/** Removes quoted values, numbers and details, which differ from one message to the next. */
function removeSpecifics(text: string): string {
  return text
    .replace(/;.*$/s, "")
    .replace(/"[^"]*"|'[^']*'/g, "…")
    .replace(/\d+/g, "#")
    .slice(0, 200);
}
