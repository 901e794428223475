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
    const say: ReportFault = (why, ...freedoms) => {
      if (refusal === undefined && freedoms.every(isStrict)) refusal = why;
    };
    try {
      judge(say, question, readValue(say, question), isStrict);
    } catch (error) {
      if (!(error instanceof NotJson)) throw error;
      say(error.message);
    }
    return refusal;
  },
};

/** Parses the text of a question, and reports its faults. Throws NotJson. */
function readValue(say: ReportFault, { value, text, document }: TwinQuestion): Json {
  if (value !== undefined) return value;
  const { value: parsed, notes } = readJson(text, { maxDepth: 5000 });
  judgeNotes(say, notes, document);
  return parsed;
}

/** Members that matter for safety, so that a second value for them is an error. */
const decidingMembers = new Set(
  "decision default_decision reply_token irreversible reversibility risk_level urgency allowed_replies response type timeout_seconds subscription_id session_id event_id accept_signed_manifests_only".split(
    " ",
  ),
);

/** Reports faults of a text that its parsed value does not show. */
function judgeNotes(
  say: ReportFault,
  { repeated: repeatedNames, large: largeNumbers, overflows, surrogates, depth }: ReaderNotes,
  document: string,
): void {
  if (surrogates.length > 0) say("contains half a surrogate pair");
  if (overflows.length > 0) say("has a number too large for a double", "huge-numbers");
  for (const { name, isSame } of repeatedNames)
    say(`has ${name} twice`, ...(!isSame && decidingMembers.has(name) ? [] : ["repeated-names"]));
  const isProduced = /^(agent\.|envelope|subscription\.accepted|subscription\.rejected)/.test(document);
  const isBig = (literal: string): boolean => /^-?\d+$/.test(literal) && BigInt(literal.replace("-", "")) > 2n ** 53n;
  if (largeNumbers.some(isBig)) say("has an integer beyond 2^53", ...(isProduced ? [] : ["large-integers-elsewhere"]));
  if (depth >= 100) say("is nested more than a hundred levels deep", "depth");
}

function judge(
  say: ReportFault,
  { document, text }: TwinQuestion,
  value: Json,
  isStrict: (freedom: string) => boolean,
): void {
  if (document === "session") judgeTrace(say, value, isStrict);
  else if (document.startsWith("agent.") || document === "envelope") judgeEvent(say, value, document, text.length);
  else
    (recordJudges[document] ?? ((sayOfMessage, message) => judgeMessage(sayOfMessage, document, message)))(say, value);
}

const recordJudges: Readonly<Record<string, (say: ReportFault, value: Json) => void>> = {
  handshake: judgeHandshake,
  "subscription-change": judgeChange,
  "producer-manifest": judgeManifest,
  "presented-manifest": judgeAcceptance,
  "extension-use": judgeExtensionUse,
};
