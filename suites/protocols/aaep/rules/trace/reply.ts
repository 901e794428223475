import { type Breach, type Checker, equal, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { courseOf } from "./consent.ts";
import { allows, replyOf, type SubscriberReply, suits, type TraceQuestion } from "./question.ts";
import { onRecording, type Recording } from "./recording.ts";
import { isSound } from "./standing.ts";

/** Tokens, and replies compared with their questions. */
export const replyCheckers: readonly Checker[] = [
  onRecording("AAEP-RPL-001", findReusedTokens),
  onRecording("AAEP-RPL-005", function* (recording) {
    for (const { reply, question } of findReplies(recording)) {
      const at = `${reply.sent.at}/reply_token`;
      if (question === undefined) yield { at, why: `is ${reply.token}, a token that no question before has` };
      else if (question.kind !== reply.kind) yield { at, why: `is ${reply.token}, the token of a ${question.kind}` };
    }
  }),
  onRecording("AAEP-RPL-006", function* (recording) {
    for (const { reply, question } of findReplies(recording)) {
      const { decision } = reply.sent.message;
      if (reply.kind !== "confirmation" || question?.kind !== reply.kind || !isSound(reply)) continue;
      if (decision !== undefined && !allows(question, decision))
        yield { at: `${reply.sent.at}/decision`, why: `is ${decision}, which ${reply.token} does not allow` };
    }
  }),
  onRecording("AAEP-RPL-007", function* (recording) {
    for (const { reply, question } of findReplies(recording)) {
      const { stamp, sent } = reply;
      if (stamp === undefined || question?.kind !== reply.kind) continue;
      const at = `${sent.at}/timestamp`;
      const [asked, deadline] = [question.event.stamp ?? -Infinity, question.deadline ?? Infinity];
      if (stamp < asked) yield { at, why: `is ${sent.message.timestamp}, before the question was asked` };
      if (stamp >= deadline) yield { at, why: `is ${sent.message.timestamp}, when the question had expired` };
    }
  }),
  onRecording("AAEP-CLAR-006", function* (recording) {
    for (const { reply, question } of findReplies(recording)) {
      const { response } = reply.sent.message;
      if (reply.kind !== "clarification" || question?.kind !== reply.kind || !isSound(reply)) continue;
      if (response !== undefined && !suits(question, response))
        yield {
          at: `${reply.sent.at}/response`,
          why: `is ${JSON.stringify(response)}, of no kind that ${reply.token} accepts`,
        };
    }
  }),
];

/** The replies, each with the latest earlier question that has its token, preferably of the same kind. */
function* findReplies(recording: Recording): Generator<{ reply: SubscriberReply; question?: TraceQuestion }> {
  const { questions } = courseOf(recording);
  const asked = new Map<string, TraceQuestion>();
  let next = 0;
  for (const sent of recording.sent) {
    for (let each = questions[next]; each !== undefined && each.event.index < sent.index; each = questions[next]) {
      asked.set(each.token, each).set(`${each.kind} ${each.token}`, each);
      next += 1;
    }
    const reply = replyOf(sent);
    if (reply === undefined) continue;
    const question = asked.get(`${reply.kind} ${reply.token}`) ?? asked.get(reply.token);
    // If messages may be missing, the question may be one of them.
    if (question !== undefined || recording.all.eraAt(sent) === 0)
      yield { reply, ...(question === undefined ? {} : { question }) };
  }
}

/** Finds tokens that an agent uses for two different questions. To repeat the same question for a late subscriber is only discouraged. */
function* findReusedTokens(recording: Recording): Generator<Breach> {
  const known = new Map<string, TraceQuestion>();
  for (const question of courseOf(recording).questions) {
    const { event, token } = question;
    const key = JSON.stringify([event.agent, token]);
    const first = known.get(key);
    known.set(key, question);
    if (first === undefined) continue;
    const isRepeat =
      (first.until ?? Infinity) > event.index && equal(payload(first.event.message), payload(event.message));
    yield {
      at: `${event.at}/reply_token`,
      why: `is ${token}, which was given out before`,
      ...(isRepeat ? { level: "SHOULD" } : {}),
    };
  }
}

function payload(message: JsonObject): Json {
  const { event_id: _id, timestamp: _stamp, sequence_number: _number, ...rest } = message;
  return rest;
}
