import type { Result } from "../../../schemas/index.ts";

/** The cause of a failure, as far as it can be observed, so that a thousand failures with one cause count once. Undefined if nothing failed. */
export function causeOf(result: Result): string | undefined {
  const { outcome, verdict, rule, site, document } = result;
  switch (outcome) {
    case "violates":
    case "warns":
      return verdict === "invalid"
        ? `${document} accepts ${rule ?? ""} ${site ?? ""}`
        : `${document} refuses ${saidOf(result)}`;
    case "errored":
      return `${document} errs at ${result.stage} ${factsOf(result)}`;
    case "timed-out":
      return `${document} hangs at ${result.stage}`;
    default:
      return undefined;
  }
}

/** Describes how an answer failed, without the parts that differ from one message to the next. */
function factsOf({ cause }: Result): string {
  if (cause === undefined) return "";
  const status = "status" in cause ? `${cause.status}` : "";
  return `${cause.kind} ${status} ${general("reason" in cause ? (cause.reason ?? "") : "")}`;
}

/** The most specific fact that the first reason names. */
function saidOf({ answer }: Result): string {
  const { site, rule, keyword, at = "", code = "", message = "" } = answer?.reasons[0] ?? {};
  return site ?? rule ?? `${code} ${keyword ?? general(message)} ${general(at)}`;
}

/** A text without the parts that differ from one message to the next. */
function general(text: string): string {
  return text
    .replace(/;.*$/s, "")
    .replace(/"[^"]*"|'[^']*'/g, "…")
    .replace(/\d+/g, "#")
    .slice(0, 200);
}
