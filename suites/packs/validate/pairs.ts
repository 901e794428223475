import { isObject, type Json, type Protocol, type SessionMessage } from "../../../schemas/index.ts";
import type { PairReader } from "../pack/pairs.ts";
import { messageIn } from "./played-lines.ts";
import { judgeAlone, type RecordingFindings } from "./recording.ts";
import type { DocumentJudges } from "./validate.ts";

/** Judges a recording with answers that repeat the ids of their requests. Each message is judged by its own document. If the recording is only part of a session, the request of an answer may be missing. */
export function judgePairs(
  protocol: Protocol,
  judges: DocumentJudges,
  { read, lines, isPart }: { read: PairReader; lines: readonly Json[]; isPart: boolean },
): RecordingFindings {
  const messages = lines.flatMap((entry, line) => {
    const from = isObject(entry) && "message" in entry && typeof entry.from === "string" ? entry.from : undefined;
    return read({ message: messageIn(entry), from }).flatMap(({ isStray, ...paired }): SessionMessage[] =>
      isStray === true && isPart ? [] : [{ ...paired, line, ...(from === undefined ? {} : { from }) }],
    );
  });
  return { document: "messages", findings: judgeAlone(protocol, judges, messages), isPart };
}
