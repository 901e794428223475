import { freedomsOf, type Json, protocolNamed, type Twin, type TwinQuestion } from "../../../../schemas/index.ts";
import { NotJson, type ReaderNotes, readJson } from "../../../packs/twins/json.ts";
import type { Say } from "../../../packs/twins/say.ts";
import { event } from "./event.ts";
import { change, message } from "./messages.ts";
import { extension, handshake, judgeAcceptance, manifest } from "./records.ts";
import { trace } from "./trace/session.ts";

/** Judges messages, records and recordings by the rules alone. It shares nothing with the checkers, so that it can verify them. */
export const twin: Twin = {
  freedoms: freedomsOf(protocolNamed("aaep")).flatMap(({ id, shows }) => (shows === "judgement" ? [id] : [])),
  judge(question, isStrict) {
    let refusal: string | undefined;
    const say: Say = (why, ...freedoms) => {
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

/** The value of the text. Throws NotJson. */
function readValue(say: Say, { value, text, document }: TwinQuestion): Json {
  if (value !== undefined) return value;
  const { value: read, notes } = readJson(text, { levels: 5000 });
  judgeNotes(say, notes, document);
  return read;
}

/** Members that decide about safety: a second value for them is an error. */
const decidingMembers = new Set(
  "decision default_decision reply_token irreversible reversibility risk_level urgency allowed_replies response type timeout_seconds subscription_id session_id event_id accept_signed_manifests_only".split(
    " ",
  ),
);

/** Reports faults of a text that its value does not show. */
function judgeNotes(say: Say, { repeated, large, overflows, surrogates, depth }: ReaderNotes, document: string): void {
  if (surrogates.length > 0) say("has half of a surrogate pair");
  if (overflows.length > 0) say("has a number too large for a double", "huge-numbers");
  for (const { name, isSame } of repeated)
    say(`has ${name} twice`, ...(!isSame && decidingMembers.has(name) ? [] : ["repeated-names"]));
  const isProduced = /^(agent\.|envelope|subscription\.accepted|subscription\.rejected)/.test(document);
  const isBig = (written: string): boolean => /^-?\d+$/.test(written) && BigInt(written.replace("-", "")) > 2n ** 53n;
  if (large.some(isBig)) say("has an integer beyond 2^53", ...(isProduced ? [] : ["large-integers-elsewhere"]));
  if (depth >= 100) say("is nested over a hundred levels deep", "depth");
}

function judge(say: Say, { document, text }: TwinQuestion, value: Json, isStrict: (freedom: string) => boolean): void {
  if (document === "session") trace(say, value, isStrict);
  else if (document.startsWith("agent.") || document === "envelope") event(say, value, document, text.length);
  else (records[document] ?? ((on, each) => message(on, document, each)))(say, value);
}

const records: Readonly<Record<string, (say: Say, value: Json) => void>> = {
  handshake,
  "subscription-change": change,
  "producer-manifest": manifest,
  "presented-manifest": judgeAcceptance,
  "extension-use": extension,
};
