import { freedomsOf, type Json, protocolNamed, type Twin, type TwinQuestion } from "../../../../schemas/index.ts";
import { NotJson, type ReaderNotes, readJson } from "../../../packs/twins/json.ts";
import type { ReportFault } from "../../../packs/twins/say.ts";
import { judgeEvent } from "./event.ts";
import { judgeChange, judgeMessage } from "./messages.ts";
import { judgeAcceptance, judgeExtensionUse, judgeHandshake, judgeManifest } from "./records.ts";
import { judgeTrace } from "./trace/session.ts";

/** Judges messages, records and recordings by the rules alone. It shares no code with the checkers, so that it can verify them. */
export const twin: Twin = {
  freedoms: freedomsOf(protocolNamed("aaep")).flatMap(({ id, shows }) => (shows === "judgement" ? [id] : [])),
  judge(question, isStrict) {
    let refusal: string | undefined;
    const report: ReportFault = (why, ...freedoms) => {
      if (refusal === undefined && freedoms.every(isStrict)) refusal = why;
    };
    try {
      judge(report, question, readValue(report, question), isStrict);
    } catch (error) {
      if (!(error instanceof NotJson)) throw error;
      report(error.message);
    }
    return refusal;
  },
};

/** Parses the text of a question, and reports its faults. Throws NotJson. */
function readValue(report: ReportFault, { value, text, document }: TwinQuestion): Json {
  if (value !== undefined) return value;
  const { value: parsedValue, notes } = readJson(text, { maxDepth: 5000 });
  judgeNotes(report, notes, document);
  return parsedValue;
}

/** Members that matter for safety, and therefore must not have a second value. */
const decidingMembers = new Set(
  "decision default_decision reply_token irreversible reversibility risk_level urgency allowed_replies response type timeout_seconds subscription_id session_id event_id accept_signed_manifests_only".split(
    " ",
  ),
);

/** Reports faults of a text that its parsed value does not show. */
function judgeNotes(
  report: ReportFault,
  { repeated: repeatedNames, large: largeNumbers, overflows, surrogates, depth }: ReaderNotes,
  document: string,
): void {
  if (surrogates.length > 0) report("contains half a surrogate pair");
  if (overflows.length > 0) report("has a number too large for a double", "huge-numbers");
  for (const { name, isSame } of repeatedNames)
    report(`has ${name} twice`, ...(!isSame && decidingMembers.has(name) ? [] : ["repeated-names"]));
  const isProduced = /^(agent\.|envelope|subscription\.accepted|subscription\.rejected)/.test(document);
  const isBig = (literal: string): boolean => /^-?\d+$/.test(literal) && BigInt(literal.replace("-", "")) > 2n ** 53n;
  if (largeNumbers.some(isBig))
    report("has an integer beyond 2^53", ...(isProduced ? [] : ["large-integers-elsewhere"]));
  if (depth >= 100) report("is nested more than a hundred levels deep", "depth");
}

function judge(
  report: ReportFault,
  { document, text }: TwinQuestion,
  value: Json,
  isStrict: (freedom: string) => boolean,
): void {
  if (document === "session") judgeTrace(report, value, isStrict);
  else if (document.startsWith("agent.") || document === "envelope") judgeEvent(report, value, document, text.length);
  else {
    const judgeRecord = recordJudges[document];
    if (judgeRecord === undefined) judgeMessage(report, document, value);
    else judgeRecord(report, value);
  }
}

const recordJudges: Readonly<Record<string, (report: ReportFault, value: Json) => void>> = {
  handshake: judgeHandshake,
  "subscription-change": judgeChange,
  "producer-manifest": judgeManifest,
  "presented-manifest": judgeAcceptance,
  "extension-use": judgeExtensionUse,
};
