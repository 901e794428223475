import {
  freedomsOf,
  isObject,
  type Json,
  type JsonObject,
  protocolNamed,
  type Twin,
  type TwinQuestion,
} from "../../../../schemas/index.ts";
import { NotJson, type ReaderNotes, readJson } from "../../../packs/twins/json.ts";
import { objectOrEmpty, type ReportFault } from "../../../packs/twins/say.ts";
import { delivery, digest } from "./delivery.ts";
import { message } from "./message.ts";
import { capability, conduct, error, submission } from "./records.ts";
import { judgeStored, outcome, response } from "./response.ts";
import { fault } from "./schema.ts";

type TwinJudge = (say: ReportFault, value: JsonObject, isStrict: (freedom: string) => boolean) => void;

const judges: Readonly<Record<string, TwinJudge>> = {
  message,
  response,
  "get-message": judgeStored,
  capability,
  submission,
  error,
  conduct,
  delivery,
  digest,
  outcome: (say, { message: sent, id, response: sentBack }) =>
    outcome(say, objectOrEmpty(sent), id, objectOrEmpty(sentBack)),
};

/** Judges messages and records by the rules alone. It shares nothing with the checkers, which it keeps honest. */
export const twin: Twin = {
  freedoms: freedomsOf(protocolNamed("ahcp")).flatMap(({ id, shows }) => (shows === "judgement" ? [id] : [])),
  judge(question, isStrict) {
    let refusal: string | undefined;
    const say: ReportFault = (why, ...freedoms) => {
      if (refusal === undefined && freedoms.every(isStrict)) refusal = why;
    };
    const value = judgeReceived(say, question);
    if (refusal !== undefined || value === undefined) return refusal;
    refusal = fault(question.document, value, isStrict);
    if (refusal === undefined && isObject(value)) judges[question.document]?.(say, value, isStrict);
    return refusal;
  },
};

/** The value of the text; undefined for any other text. */
function judgeReceived(say: ReportFault, { value, text }: TwinQuestion): Json | undefined {
  if (value !== undefined) return value;
  let written = new TextDecoder("utf-8", { ignoreBOM: true }).decode(text);
  if (!Buffer.from(written).equals(Buffer.from(text))) say("no UTF-8", "broken-utf-8");
  if (written.startsWith("\ufeff")) {
    say("a byte order mark", "byte-order-mark");
    written = written.slice(1);
  }
  try {
    const { value: read, notes } = readJson(written);
    judgeNotes(say, notes);
    return read;
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    say(error.message);
    return undefined;
  }
}

function judgeNotes(say: ReportFault, { repeated, overflows, surrogates, depth }: ReaderNotes): void {
  if (repeated.length > 0) say("a name comes twice", "repeated-names");
  if (overflows.length > 0) say("a number too large for a double", "huge-numbers");
  if (surrogates.length > 0) say("half of a surrogate pair", "lone-surrogates");
  if (depth > 64) say("nested too deep", "nesting");
}
