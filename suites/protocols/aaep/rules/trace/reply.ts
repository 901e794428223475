import { type Breach, type Checker, equal, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { isValidReply } from "./audience.ts";
import { consentCourseOf } from "./consent.ts";
import { acceptsResponse, allowsDecision, replyOf, type SubscriberReply, type TraceQuestion } from "./question.ts";
import { onRecording, type Recording } from "./recording.ts";

/** Checks of reply tokens, and of replies to questions. */
export const replyCheckers: readonly Checker[] = [
  onRecording("AAEP-RPL-001", findReusedTokens),
  onRecording("AAEP-RPL-005", function* (recording) {
    for (const { reply, question } of findReplies(recording)) {
      const at = `${reply.sent.at}/reply_token`;
      if (question === undefined) yield { at, why: `is ${reply.token}, which is not the token of an earlier question` };
      else if (question.kind !== reply.kind) yield { at, why: `is ${reply.token}, the token of a ${question.kind}` };
    }
  }),
  onRecording("AAEP-RPL-006", function* (recording) {
    for (const { reply, question } of findReplies(recording)) {
      const { decision } = reply.sent.message;
      if (reply.kind !== "confirmation" || question?.kind !== reply.kind || !isValidReply(reply)) continue;
      if (decision !== undefined && !allowsDecision(question, decision))
        yield { at: `${reply.sent.at}/decision`, why: `is ${decision}, which ${reply.token} does not allow` };
    }
  }),
  onRecording("AAEP-RPL-007", function* (recording) {
    for (const { reply, question } of findReplies(recording)) {
      const { stamp, sent } = reply;
      if (stamp === undefined || question?.kind !== reply.kind) continue;
      const at = `${sent.at}/timestamp`;
      const [questionTime, deadline] = [question.event.stamp ?? -Infinity, question.deadline ?? Infinity];
      if (stamp < questionTime) yield { at, why: `is ${sent.message.timestamp}, before the question was asked` };
      if (stamp >= deadline) yield { at, why: `is ${sent.message.timestamp}, after the question has expired` };
    }
  }),
  onRecording("AAEP-CLAR-006", function* (recording) {
    for (const { reply, question } of findReplies(recording)) {
      const { response } = reply.sent.message;
      if (reply.kind !== "clarification" || question?.kind !== reply.kind || !isValidReply(reply)) continue;
      if (response !== undefined && !acceptsResponse(question, response))
        yield {
          at: `${reply.sent.at}/response`,
          why: `is ${JSON.stringify(response)}, which is not of a kind that ${reply.token} accepts`,
        };
    }
  }),
];

/** Pairs each reply with the latest earlier question that has its token, preferably one of the same kind. */
function* findReplies(recording: Recording): Generator<{ reply: SubscriberReply; question?: TraceQuestion }> {
  const { questions } = consentCourseOf(recording);
  const askedQuestions = new Map<string, TraceQuestion>();
  let nextQuestion = 0;
  for (const sent of recording.sent) {
    while ((questions[nextQuestion]?.event.index ?? Infinity) < sent.index) {
      const earlierQuestion = questions[nextQuestion] as TraceQuestion;
      const { kind, token } = earlierQuestion;
      askedQuestions.set(token, earlierQuestion).set(`${kind} ${token}`, earlierQuestion);
      nextQuestion += 1;
    }
    const reply = replyOf(sent);
    if (reply === undefined) continue;
    const question = askedQuestions.get(`${reply.kind} ${reply.token}`) ?? askedQuestions.get(reply.token);
    // After a gap, the question may be one of the missing messages.
    if (question !== undefined || recording.merged.eraAt(sent) === 0)
      yield { reply, ...(question === undefined ? {} : { question }) };
  }
}

/** Finds tokens that an agent uses for two questions. If it repeats the same question, for a late subscriber, that is only discouraged. */
function* findReusedTokens(recording: Recording): Generator<Breach> {
  const questionsByToken = new Map<string, TraceQuestion>();
  for (const question of consentCourseOf(recording).questions) {
    const { event, token } = question;
    const key = JSON.stringify([event.agent, token]);
    const earlierQuestion = questionsByToken.get(key);
    questionsByToken.set(key, question);
    if (earlierQuestion === undefined) continue;
    const isRepeat =
      (earlierQuestion.closedAt ?? Infinity) > event.index &&
      equal(payloadOf(earlierQuestion.event.message), payloadOf(event.message));
    yield {
      at: `${event.at}/reply_token`,
      why: `is ${token}, which an earlier question has`,
      ...(isRepeat ? { level: "SHOULD" } : {}),
    };
  }
}

function payloadOf(message: JsonObject): Json {
  const { event_id: _id, timestamp: _stamp, sequence_number: _number, ...payloadMembers } = message;
  return payloadMembers;
}
