import { isObject, type Json, type JsonObject, type Twin, type TwinQuestion } from "../../../../schemas/index.ts";
import { NotJson, readJson } from "../../../packs/twins/json.ts";
import { checkCard } from "./card.ts";
import { DocumentCheck, type Strict } from "./check.ts";
import { checkMessage } from "./envelope.ts";
import { exchange } from "./exchange.ts";
import { freedoms } from "./freedoms.ts";
import { nostrEvent } from "./nostr.ts";
import { checkArtifact, checkError, checkPart, checkTask } from "./parts.ts";
import { checkCancel, checkGet, checkLimits, checkResponse, checkSend } from "./payloads.ts";
import { plainJudges, type RecordJudge } from "./records.ts";
import { taskLog } from "./task-log.ts";

type Judges = Readonly<Record<string, (check: DocumentCheck, value: Json, at: string) => void>>;

const documents: Judges = {
  envelope: (check, value, at) => checkMessage(check, value, at),
  "message-send.request": withLimits(checkSend),
  "tasks-get.request": withLimits(checkGet),
  "tasks-cancel.request": withLimits(checkCancel),
  "message-send.response": (check, value, at) => checkResponse(check, value, at),
  "tasks-get.response": (check, value, at) => checkResponse(check, value, at),
  "tasks-cancel.response": (check, value, at) => checkResponse(check, value, at),
  "agent-card": checkCard,
  task: checkTask,
  artifact: (check, value, at) => checkArtifact(check, value, at),
  part: checkPart,
  error: checkError,
};

const records: Readonly<Record<string, RecordJudge>> = {
  ...plainJudges,
  "nostr-event": nostrEvent,
  exchange,
  "task-log": taskLog,
};

function withLimits(judge: Judges[string]): Judges[string] {
  return (check, value, at) => {
    judge(check, value, at);
    if (isObject(value)) checkLimits(check, value, at);
  };
}

/** Describes the first fault of a document. Undefined if it has none. */
function judgeQuestion({ document, text }: TwinQuestion, strict: Strict): string | undefined {
  const { value, notes } = readJson(text, {
    maxDepth: strict("reader-depth") ? 32 : 1000,
    ignoresMark: !strict("byte-order-mark"),
  });
  const check = new DocumentCheck(strict, notes);
  for (const at of [...notes.repeated.map(({ at }) => at), ...notes.surrogates])
    check.addFormFault(at, "is not I-JSON");
  if (notes.nonCharacters.length > 0 && strict("non-characters")) check.addFormFault("", "has a non-character");
  if (notes.overflows.length > 0 && strict("overflow")) check.addFormFault("", "has a number beyond doubles");
  const judge = documents[document];
  if (judge !== undefined) judge(check, value, "");
  else if (isObject(value)) records[document]?.(check, value as JsonObject);
  const [first] = check.faults;
  return first === undefined ? undefined : `${first.at} ${first.why}`;
}

export const twin: Twin = {
  freedoms,
  judge(question, strict) {
    try {
      return judgeQuestion(question, strict);
    } catch (cause) {
      if (cause instanceof NotJson) return cause.message;
      throw cause;
    }
  },
};
