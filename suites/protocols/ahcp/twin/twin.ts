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
import { judgeDelivery, judgeDigest } from "./delivery.ts";
import { judgeMessage } from "./message.ts";
import { judgeCapability, judgeConduct, judgeError, judgeSubmission } from "./records.ts";
import { judgeOutcome, judgeResponse, judgeStored } from "./response.ts";
import { findSchemaFault } from "./schema.ts";

type TwinJudge = (report: ReportFault, value: JsonObject, isStrict: (freedom: string) => boolean) => void;

const judges: Readonly<Record<string, TwinJudge>> = {
  message: judgeMessage,
  response: judgeResponse,
  "get-message": judgeStored,
  capability: judgeCapability,
  submission: judgeSubmission,
  error: judgeError,
  conduct: judgeConduct,
  delivery: judgeDelivery,
  digest: judgeDigest,
  outcome: (report, { message: submitted, id, response: returned }) =>
    judgeOutcome(report, objectOrEmpty(submitted), id, objectOrEmpty(returned)),
};

/** A second implementation of the rules. It shares no code with the checkers, so that each can reveal mistakes of the other. */
export const twin: Twin = {
  freedoms: freedomsOf(protocolNamed("ahcp")).flatMap(({ id, shows }) => (shows === "judgement" ? [id] : [])),
  judge(question, isStrict) {
    let refusal: string | undefined;
    const report: ReportFault = (why, ...freedoms) => {
      if (refusal === undefined && freedoms.every(isStrict)) refusal = why;
    };
    const value = parseReceived(report, question);
    if (refusal !== undefined || value === undefined) return refusal;
    refusal = findSchemaFault(question.document, value, isStrict);
    if (refusal === undefined && isObject(value)) judges[question.document]?.(report, value, isStrict);
    return refusal;
  },
};

/** Parses the received text. Returns undefined if it is not JSON. */
function parseReceived(report: ReportFault, { value, text }: TwinQuestion): Json | undefined {
  if (value !== undefined) return value;
  let decoded = new TextDecoder("utf-8", { ignoreBOM: true }).decode(text);
  if (!Buffer.from(decoded).equals(Buffer.from(text))) report("the text is not valid UTF-8", "broken-utf-8");
  if (decoded.startsWith("\ufeff")) {
    report("the text begins with a byte order mark", "byte-order-mark");
    decoded = decoded.slice(1);
  }
  try {
    const { value: parsed, notes } = readJson(decoded);
    judgeNotes(report, notes);
    return parsed;
  } catch (error) {
    if (!(error instanceof NotJson)) throw error;
    report(error.message);
    return undefined;
  }
}

function judgeNotes(report: ReportFault, { repeated, overflows, surrogates, depth }: ReaderNotes): void {
  if (repeated.length > 0) report("a member name is repeated", "repeated-names");
  if (overflows.length > 0) report("a number is too large for a double", "huge-numbers");
  if (surrogates.length > 0) report("a string contains a lone surrogate", "lone-surrogates");
  if (depth > 64) report("the value is nested too deeply", "nesting");
}
