import { isObject, type Observation, TargetFailure, unavailableOf } from "../../../schemas/index.ts";
import { quote } from "../../base/text/show.ts";
import { skippedByTarget } from "../../base/text/skips.ts";
import { reasonsFrom } from "../reasons.ts";

/** Parses a line as an object; undefined when it is not one. */
export function parseLine(line: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Reads the answer from a line with a number. A line without an answer, or with two, breaks the protocol. */
export function answerFrom(message: Record<string, unknown>, line: string): Observation {
  const { valid, errors, warnings, skipped, error } = message;
  const members = [valid, skipped, error].filter((part) => part !== undefined && part !== null);
  if (members.length === 1) {
    if (typeof skipped === "string") return skippedByTarget(skipped);
    if (typeof error === "string")
      return unavailableOf(
        new TargetFailure("errored", "answer", `the command reports: ${quote(error, 400)}`, {
          because: { kind: "reported", reason: quote(error, 400) },
        }),
      );
    if (typeof valid === "boolean" && (errors === undefined || errors === null || Array.isArray(errors))) {
      return { verdict: valid ? "accepted" : "rejected", reasons: reasonsFrom(valid ? warnings : errors) };
    }
  }
  const expectation =
    'an answer needs one of "valid" (true or false), "skipped" and "error" (texts), and "errors" is a list';
  return unavailableOf(new TargetFailure("errored", "protocol", `${expectation}: ${quote(line)}`));
}
