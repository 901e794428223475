import { canonical, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import type { Say } from "../../../../packs/twins/say.ts";
import type { Item } from "./items.ts";
import type { QuestionRecord, SessionWalk, TraceWalk } from "./walk.ts";

/** Judges a question when it is asked. */
export function judgeQuestion(say: Say, walk: TraceWalk, session: SessionWalk, item: Item): void {
  const { message, name, agent, stamp, index } = item;
  const kind = name === "awaiting.confirmation" ? "confirmation" : "clarification";
  const deadline = stamp === undefined ? Number.POSITIVE_INFINITY : stamp + Number(message.timeout_seconds) * 1e6;
  const question: QuestionRecord = { item, kind, token: String(message.reply_token), deadline, state: "open" };
  const before = walk.questions.findLast(
    (questionRecord) => questionRecord.token === question.token && questionRecord.item.agent === agent,
  );
  if (before !== undefined) {
    const isRepeat =
      before.state === "open" && before.kind === kind && textWithoutIds(before.item) === textWithoutIds(item);
    say("uses a token again", ...(isRepeat ? ["questions-repeated"] : []));
  }
  if (kind === "confirmation") {
    for (const other of walk.questions)
      if (other.state === "open" && other.kind === kind && other.item.session === item.session)
        judgeRepetition(say, walk, session.events, [other.item, item]);
    session.asked += 1;
  }
  const state = session.events.findLast((each) => each.name === "state.changed" && each.index < index);
  if (state?.message.to_state !== "awaiting_input" && !walk.hasMissed)
    say("asks in another state", "states-around-questions");
  walk.questions.push(question);
}

/** A change of state to thinking may mean that the first question was dropped. */
function judgeRepetition(
  say: Say,
  walk: TraceWalk,
  events: readonly Item[],
  [{ message: first, index: begun }, { message, index }]: readonly [first: Item, second: Item],
): void {
  const isDropped = events.some(
    (item) =>
      item.index > begun &&
      item.index < index &&
      item.name === "state.changed" &&
      ["thinking", "deciding"].includes(String(item.message.to_state)),
  );
  if (isDropped || walk.hasMissed || first.action !== message.action) return;
  const isSame = (name: string): boolean => canonical(first[name] ?? null) === canonical(message[name] ?? null);
  if (!isSame("consequence") || !isSame("extra_context")) say("asks for the same action", "questions-alike");
  else say("asks the same again", ...(walk.recorded.isTwoWay ? [] : ["questions-answered-unseen"]));
}

function textWithoutIds({ message }: Item): string {
  const {
    event_id: _id,
    timestamp: _stamp,
    sequence_number: _number,
    ...rest
  } = message as JsonObject & Record<string, Json>;
  return canonical(rest);
}
