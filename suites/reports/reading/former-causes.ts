import type { Cause, Json, JsonObject, NeverAskedOf, Outcome } from "../../../schemas/index.ts";

// Derives the cause of a result from its sentence, for old reports in which results have no causes. Only this file reads sentences as data.

/** Derives the cause of a result in such a report; undefined if the result conforms, or if the value is not a result. */
export function formerCause({ kind, outcome, verdict, why, stage, document }: JsonObject): Cause | undefined {
  if (typeof why !== "string") return undefined;
  switch (outcome as Outcome) {
    case "violates":
    case "warns":
      return kind === "vector" ? judgedCause(why, verdict) : { kind: "expectation" };
    case "wrong-reason":
      return { kind: "other-reason", ...reasonAfter(why, "refused for another cause: ") };
    case "disputed":
      return { kind: "left-open", by: disputeSource(why) };
    case "skipped":
      return skipCause(why, String(document));
    case "errored":
      return unansweredCause(why, String(stage));
    case "timed-out":
      return { kind: "timed-out" };
    default:
      return undefined;
  }
}

/** Returns the location at which a refusal has no code; undefined for any other result. */
export function formerCodeless(reasons: Json | undefined): string | undefined {
  const [first] = Array.isArray(reasons) ? reasons : [];
  const message = typeof first === "object" && first !== null && "message" in first ? first.message : undefined;
  return /^no code at (\S+) of the body$/.exec(String(message))?.[1];
}

/** Returns the beginning of the message about a failed run, without the text of a single answer. */
export function formerBrief(message: string): string {
  return message.split(/: |\n/)[0] ?? "";
}

function judgedCause(why: string, verdict: Json | undefined): Cause {
  const sentences = { valid: "refused, although it is valid", invalid: "accepted, although it is invalid" };
  if (verdict === "invalid" && why === sentences.invalid) return { kind: "accepted" };
  if (why.startsWith("refused as invalid, though ")) return { kind: "refused", doubt: why };
  if (verdict !== "valid" || !why.startsWith(sentences.valid)) return { kind: "answer-broken" };
  const { reason, said: targetText } = splitReason(why);
  const [first = "", doubt] = reason.split("; no violation, since ");
  return {
    kind: "refused",
    ...reasonAfter(first, `${sentences.valid}: `),
    ...(doubt === undefined ? {} : { doubt }),
    ...targetText,
  };
}

function reasonAfter(why: string, prefix: string): { reason?: string } {
  return why.startsWith(prefix) ? { reason: why.slice(prefix.length) } : {};
}

function disputeSource(why: string): Extract<Cause, { kind: "left-open" }>["by"] {
  if (why.startsWith("refused: the schema accepts it")) return "rules";
  if (why.startsWith("refused: a server may refuse")) return "discretion";
  if (why.startsWith("taken: ")) return "binding";
  return why.startsWith("the server remembers this") ? "memory" : "readings";
}

const reasonsNeverAsked: readonly [RegExp, NeverAskedOf][] = [
  [/: the implementation sends this/, "emitted"],
  [/: this document only travels inside/, "part"],
  [/: nobody sends this document/, "record"],
  [/ text|an empty text/, "text"],
  [/: the operation has no parameters/, "parameters"],
];

function skipCause(why: string, document: string): Cause {
  if (why.startsWith("a server is never asked this: "))
    return { kind: "never-asked", of: reasonsNeverAsked.find(([pattern]) => pattern.test(why))?.[1] ?? "profile" };
  const status = statusIn(why);
  if (status !== undefined) return status;
  for (const [pattern, cause] of skipPatterns) {
    const match = pattern.exec(why);
    if (match !== null) return cause(match[1] ?? match[2] ?? "", document);
  }
  return { kind: "not-shown" };
}

function neededSetting(words: string): Cause {
  const names: Record<string, string> = {
    "the credential": "credential",
    "the credentials of two agents": "second-credential",
    "a receiver": "receiver",
    "the address": "url",
    "a command": "command",
  };
  return { kind: "needs-setting", needs: [names[words] ?? words.replace("a target in its ", "")] };
}

const skipPatterns: readonly [RegExp, (part: string, document: string) => Cause][] = [
  [/^there is no validator for /, (_, document) => ({ kind: "no-validator", document })],
  [/^no endpoint is known/, (_, document) => ({ kind: "no-endpoint", document })],
  [/^its valid parent is refused \((\S+)\)/, (parent) => ({ kind: "parent-refused", parent })],
  [/^nothing valid of /, (_, document) => ({ kind: "nothing-accepted", document })],
  [/^the target skips it: (.*)$/s, (reason) => ({ kind: "declined", reason })],
  [/^not decided: the tool refused an? (valid|invalid)/, (of) => ({ kind: "tool-refused", of: of as "valid" })],
  [/^the server remembers this (\S*) /, (at) => ({ kind: "remembered", at })],
  [/^needs a target that claims ([^:]+)/, (claim) => ({ kind: "needs-claim", claims: [claim] })],
  [/^(?:needs )?the hook "([^"]+)" (?:cannot|does|gives)/, (hook) => ({ kind: "hook-answer", hook })],
  [/^waits for ([\d.]+) s/, (seconds) => ({ kind: "waits-for", milliseconds: Math.round(Number(seconds) * 1000) })],
  [/^needs (the credential(?:s of two agents|)|a target in its \w+|a receiver|the address|a command)/, neededSetting],
  [
    /^(?:needs (?:the hook ")?|options\.)([^", ]+)|\((--[a-z-]+)\)/,
    (need) => ({ kind: "needs-setting", needs: [need] }),
  ],
  [/^the scenario ended before/, () => ({ kind: "ended-early" })],
  // The text before the code comes from the profile, and so can be anything.
  [/ \(code ([^()]+)\)$/, (code) => ({ kind: "unjudged-code", code })],
];

function unansweredCause(why: string, stage: string): Cause {
  const status = statusIn(why);
  if (stage === "access") return { kind: "access", status: status?.status ?? 401 };
  if (status !== undefined) return status;
  if (stage === "connect") return { kind: "no-connection" };
  const [, thrownText] = /^the module threw (.*)$/s.exec(why) ?? [];
  if (thrownText !== undefined) return { kind: "threw", reason: thrownText };
  return stage === "hook" ? { kind: "hook-failed" } : { kind: "no-usable-answer" };
}

type FormerStatus = Extract<Cause, { kind: "http-status" | "not-there" }>;

function statusIn(why: string): FormerStatus | undefined {
  const [statusPrefix, code] = /^HTTP (\d{3}): /.exec(why) ?? [];
  if (statusPrefix === undefined) return undefined;
  const { reason: fullReason, said } = splitReason(why.slice(statusPrefix.length));
  const [reason = "", advice] = fullReason.split("; so that one is found, ");
  const status = Number(code);
  return advice === undefined
    ? { kind: "http-status", status, reason, ...said }
    : { kind: "not-there", status, reason, advice, ...said };
}

/** Splits a reason into this tool's text and the text of the target. */
function splitReason(why: string): { reason: string; said: { said?: string } } {
  const separator = "; it said: ";
  const index = why.indexOf(separator);
  return index === -1
    ? { reason: why, said: {} }
    : { reason: why.slice(0, index), said: { said: why.slice(index + separator.length) } };
}
