import { canonical, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import type { ReportFault } from "../../../../packs/twins/say.ts";
import type { Item } from "./items.ts";
import type { QuestionRecord, SessionWalk, TraceWalk } from "./walk.ts";

/** Judges a question when it is asked. */
export function judgeQuestion(report: ReportFault, walk: TraceWalk, session: SessionWalk, item: Item): void {
  const { message, name, agent, stamp, index } = item;
  const kind = name === "awaiting.confirmation" ? "confirmation" : "clarification";
  const deadline = stamp === undefined ? Number.POSITIVE_INFINITY : stamp + Number(message.timeout_seconds) * 1e6;
  const question: QuestionRecord = { item, kind, token: String(message.reply_token), deadline, state: "open" };
  const earlierQuestion = walk.questions.findLast(
    (questionRecord) => questionRecord.token === question.token && questionRecord.item.agent === agent,
  );
  if (earlierQuestion !== undefined) {
    const isRepeat =
      earlierQuestion.state === "open" &&
      earlierQuestion.kind === kind &&
      textWithoutIds(earlierQuestion.item) === textWithoutIds(item);
    report("reuses a token", ...(isRepeat ? ["questions-repeated"] : []));
  }
  if (kind === "confirmation") {
    for (const otherQuestion of walk.questions)
      if (otherQuestion.state === "open" && otherQuestion.kind === kind && otherQuestion.item.session === item.session)
        judgeRepetition(report, walk, session.events, [otherQuestion.item, item]);
    session.confirmationCount += 1;
  }
  const state = session.events.findLast((event) => event.name === "state.changed" && event.index < index);
  if (state?.message.to_state !== "awaiting_input" && !walk.mayHaveMissed)
    report("asks in a state other than awaiting_input", "states-around-questions");
  walk.questions.push(question);
}

/** Judges a question about the same action as an earlier one, unless a change of state may mean that the earlier one was dropped. */
function judgeRepetition(
  report: ReportFault,
  walk: TraceWalk,
  events: readonly Item[],
  [{ message: firstMessage, index: firstIndex }, { message, index }]: readonly [first: Item, second: Item],
): void {
  const isDropped = events.some(
    (item) =>
      item.index > firstIndex &&
      item.index < index &&
      item.name === "state.changed" &&
      ["thinking", "deciding"].includes(String(item.message.to_state)),
  );
  if (isDropped || walk.mayHaveMissed || firstMessage.action !== message.action) return;
  const isSame = (name: string): boolean => canonical(firstMessage[name] ?? null) === canonical(message[name] ?? null);
  if (!isSame("consequence") || !isSame("extra_context")) report("asks about the same action", "questions-alike");
  else report("repeats an open question", ...(walk.recording.isTwoWay ? [] : ["questions-answered-unseen"]));
}

function textWithoutIds({ message }: Item): string {
  const {
    event_id: _id,
    timestamp: _stamp,
    sequence_number: _number,
    ...payload
  } = message as JsonObject & Record<string, Json>;
  return canonical(payload);
}
