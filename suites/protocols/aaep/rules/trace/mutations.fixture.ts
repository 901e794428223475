import type { Json, JsonObject } from "../../../../../schemas/index.ts";
import { event, type Members } from "../messages.ts";
import { addTimes, entry, numberEvents, onBoth, varyMessages } from "./session.ts";

type Trace = readonly JsonObject[];

/** A walk with one mistake; undefined if the walk has no place for it. */
export type Mutation = (walk: Trace) => JsonObject[] | undefined;

const messageOf = ({ message }: JsonObject): JsonObject => message as JsonObject;
const typeOf = (each: JsonObject): string => String(messageOf(each).type);
const isEvent = (each: JsonObject): boolean => messageOf(each).session_id !== undefined;

type Test = (message: JsonObject, index: number, walk: Trace) => boolean;

/** The index of the first entry of a type that meets a condition. */
function find(walk: Trace, type: string, test: Test = () => true): number | undefined {
  const index = walk.findIndex((each, at) => typeOf(each).endsWith(type) && test(messageOf(each), at, walk));
  return index === -1 ? undefined : index;
}

/** Applies a change at the first entry of a type. */
const at =
  (type: string, make: (walk: Trace, index: number) => JsonObject[] | undefined, test?: Test): Mutation =>
  (walk) => {
    const index = find(walk, type, test);
    return index === undefined ? undefined : make(walk, index);
  };
const alter = (type: string, members: Members, test?: Test): Mutation =>
  at(type, (walk, index) => varyMessages(walk, { [index]: members }), test);
const drop = (type: string): Mutation => at(type, (walk, index) => walk.toSpliced(index, 1));
/** Inserts entries like the found one after it. */
const repeat = (type: string, members: Members, test?: Test): Mutation =>
  at(
    type,
    (walk, index) =>
      walk.toSpliced(
        index + 1,
        0,
        ...varyMessages([walk[index] as JsonObject], { 0: { event_id: "evt_more", ...members } }),
      ),
    test,
  );
/** Adds another event of the session, at the time of the previous one. */
function more(
  walk: Trace,
  index: number,
  name: Parameters<typeof event>[0],
  members: Members,
  count = 1,
): JsonObject[] {
  const { session_id, timestamp } = messageOf(walk[index] as JsonObject);
  const made = Array.from(
    { length: count },
    (_, number): JsonObject => ({
      from: "producer",
      message: event(name, {
        session_id: session_id as Json,
        timestamp: timestamp as Json,
        event_id: `evt_more${number}`,
        ...members,
      }),
    }),
  );
  return walk.toSpliced(index + 1, 0, ...made);
}
const renamed = (walk: Trace, from: string, to: string): JsonObject[] | undefined => {
  const text = JSON.stringify(walk);
  return text.includes(from) ? (JSON.parse(text.replaceAll(from, to)) as JsonObject[]) : undefined;
};
const isSingle = (walk: Trace): boolean => walk.filter((each) => typeOf(each).endsWith("session.started")).length === 1;
const single =
  (mutation: Mutation): Mutation =>
  (walk) =>
    isSingle(walk) ? mutation(walk) : undefined;
/** Changes the request, or the granted terms. */
const wishing = (members: Members): Mutation =>
  at("subscription.request", (walk, index) => varyMessages(walk, { [index]: { capabilities: members as Json } }));
const lastEvent = (walk: Trace): number => walk.findLastIndex(isEvent);

/** The entries of a session up to an index. In walks, one session follows another. */
const sessionUpTo = (walk: Trace, index: number): Trace =>
  walk.slice(
    walk.slice(0, index).findLastIndex((each) => typeOf(each).endsWith("session.started")),
    index,
  );

/** Adds members to the first harmless call that has settled questions before it. */
const risky =
  (members: Members, goes: (asked: number, decisions: Json[]) => boolean): Mutation =>
  (walk) => {
    const index = find(walk, "tool.invoked", ({ irreversible }, each) => {
      const past = sessionUpTo(walk, each);
      const asked = past.filter((other) => typeOf(other).endsWith("awaiting.confirmation")).length;
      const decisions = past.flatMap((other) => messageOf(other).decision ?? []);
      return irreversible === undefined && goes(asked, decisions);
    });
    return index === undefined ? undefined : varyMessages(walk, { [index]: members });
  };
const unasked = (asked: number): boolean => asked === 0;
/** All questions were answered, the last one in this way. */
const decided =
  (last: string) =>
  (asked: number, decisions: Json[]): boolean =>
    asked === decisions.length && decisions.at(-1) === last;

export const mutations: Readonly<Record<string, Mutation>> = {
  "ENV-012": at("session.started", (walk, index) =>
    varyMessages(walk, { [index + 1]: { event_id: messageOf(walk[index] as JsonObject).event_id as Json } }),
  ),
  "ENV-017": (walk) => varyMessages(walk, { [lastEvent(walk)]: { timestamp: "1970-01-01T00:00:00Z" } }),
  "ENV-026": (walk) =>
    isAgreed(walk) ? undefined : varyMessages(numberEvents(walk), { [lastEvent(walk)]: { sequence_number: 999 } }),
  "ENV-027": (walk) => varyMessages(numberEvents(walk), { [lastEvent(walk)]: { sequence_number: undefined } }),
  "TRN-003": at(
    "state.changed",
    (walk, index) => {
      const [one, other] = [index - 1, index].map((each) => numberEvents(walk)[each] as JsonObject);
      return numberEvents(walk).toSpliced(index - 1, 2, other as JsonObject, one as JsonObject);
    },
    ({ from_state: from }) => from === "idle",
  ),
  "TRN-005": (walk) => {
    const numbers = numberEvents(walk);
    const isLater = (each: JsonObject, number: number, session: unknown): boolean =>
      messageOf(each).sequence_number === number && messageOf(each).session_id === session;
    const lost = numbers.find(
      (number) =>
        messageOf(number).sequence_number === 1 &&
        numbers.some((other) => isLater(other, 2, messageOf(number).session_id)),
    );
    return lost === undefined
      ? undefined
      : onBoth(numbers).filter((each) => each.subscription === "a" || messageOf(each) !== messageOf(lost));
  },
  "LIFE-001": at(
    "session.started",
    (walk, index) => walk.toSpliced(index, 1),
    (_, index, walk) => !isAgreed(walk) && (index === 0 || isEvent(walk[index - 1] as JsonObject)),
  ),
  "LIFE-002": repeat("session.started", {}),
  "LIFE-003": (walk) => repeat(typeOf(walk[lastEvent(walk)] as JsonObject).slice("aaep:".length), {})(walk),
  "LIFE-004": (walk) => more(walk, lastEvent(walk), "agent.progress.updated", {}),
  "LIFE-005": single(
    at(
      "session.started",
      (walk, index) => varyMessages(walk, { [index + 1]: { session_id: "sess_other" } }),
      undefined,
    ),
  ),
  "LIFE-006": (walk) => renamed(walk, "sess_2", "sess_1"),
  "HAND-004": at("handoff.requested", (walk, index) => more(walk, index, "agent.tool.invoked", {})),
  "STATE-002": alter("state.changed", { from_state: "thinking" }),
  "STATE-003": at(
    "state.changed",
    (walk, index) => varyMessages(walk, { [index]: { from_state: "dreaming" } }),
    ({ from_state: from }) => from !== "idle",
  ),
  "STATE-004": (walk) => renamed(walk, '"calling_tool"', '"consulting"'),
  "PROG-003": at("state.changed", (walk, index) =>
    more(walk, index, "agent.progress.updated", { progress: { percent: 7 } }, 41),
  ),
  "TOOL-004": risky({ irreversible: true }, unasked),
  "TOOL-005": risky({ risk_level: "high" }, unasked),
  "CONF-022": risky({ irreversible: true }, decided("reject")),
  "CONF-027": risky({ irreversible: true }, decided("accept")),
  "CONF-021": at(
    "session.completed",
    (walk, index) => {
      const past = sessionUpTo(walk, index);
      const kept = past.filter((each) => !typeOf(each).includes(".tool."));
      return walk.toSpliced(index - past.length, past.length, ...kept);
    },
    (_, index, walk) => sessionUpTo(walk, index).some((each) => messageOf(each).decision === "accept"),
  ),
  "CONF-023": at(
    "confirmation.reply",
    (walk, index) => walk.slice(0, index + 1),
    ({ decision }) => decision === "reject",
  ),
  "CONF-024": at(
    "confirmation.reply",
    (walk, index) => {
      const call = walk
        .slice(0, index)
        .find((each) => typeOf(each).endsWith("tool.invoked") && messageOf(each).irreversible === undefined);
      const asked = walk.slice(0, index).findLastIndex((each) => typeOf(each).endsWith("awaiting.confirmation"));
      const { tool_call_id: id, session_id: session } = call === undefined ? {} : messageOf(call);
      if (id === undefined || session !== messageOf(walk[asked] as JsonObject).session_id) return undefined;
      return varyMessages(
        more(walk, index, "agent.tool.completed", { tool_call_id: id, session_id: session as Json }),
        {
          [asked]: { extra_context: { tool_call_id: id } },
        },
      );
    },
    ({ decision }) => decision === "reject",
  ),
  "CONF-025": repeat("awaiting.confirmation", { reply_token: "rpl_other" }),
  "CONF-026": at(
    ".reply",
    (walk, index) => walk.slice(0, index + 1),
    ({ decision }) => decision !== "reject",
  ),
  "CONF-028": at(".reply", (walk, index) =>
    varyMessages(walk, {
      [index - 1]: { timeout_seconds: 600, timestamp: "2026-01-15T09:30:00Z" },
      [index]: { timestamp: "2026-01-15T09:39:59Z" },
    }),
  ),
  "CONF-029": at(
    "state.changed",
    (walk, index) => walk.toSpliced(index, 1),
    ({ to_state: to }) => to === "awaiting_input",
  ),
  "RPL-001": (walk) => renamed(walk, '"rpl_2"', '"rpl_1"'),
  "RPL-005": alter(".reply", { reply_token: "rpl_unknown" }),
  "RPL-006": at("confirmation.reply", (walk, index) =>
    varyMessages(walk, { [index - 1]: { allowed_replies: ["defer"] } }),
  ),
  "RPL-007": alter(".reply", { timestamp: "1970-01-01T00:00:00Z" }),
  "CLAR-006": at("clarification.reply", (walk, index) =>
    varyMessages(walk, { [index - 1]: { accepted_response_kinds: ["numeric"] } }),
  ),
  "RPL-024": (walk) =>
    find(walk, ".reply") === undefined
      ? undefined
      : wishing({ supports_confirmation_reply: false, supports_clarification_reply: false })(walk),
  "RPL-026": (walk) =>
    find(walk, "subscription.accepted") === undefined
      ? undefined
      : alter(".reply", { subscription_id: "sub_unknown" })(walk),
  "HS-015": at("subscription.request", (walk) => [
    { from: "subscriber", message: { type: "subscription.close" } },
    ...walk,
  ]),
  "HS-022": (walk) => {
    const last = lastEvent(walk);
    const { message: _, ...rest } = walk[last] as JsonObject;
    return last === -1
      ? undefined
      : walk.toSpliced(last, 0, { ...rest, from: "producer", message: { type: "subscription.close" } });
  },
  "HS-016": repeat("subscription.accepted", { subscription_id: "sub_other" }),
  "BP-001": (walk) => {
    const wished = wishing({ max_events_per_second: 1 })(walk);
    return wished === undefined
      ? undefined
      : addTimes(more(wished, entryOf(wished), "agent.progress.updated", {}, 4), () => 1);
  },
  "BP-004": wishing({ event_filters: { exclude: ["*"] } }),
  "BP-005": wishing({ event_filters: { include: [] } }),
  "BP-007": wishing({ preferred_verbosity: "terse" }),
  "BP-011": alter("subscription.accepted", { honored_capabilities: { event_filters: { exclude: ["*"] } } }),
  "I18N-006": alter("subscription.accepted", { honored_capabilities: { languages: ["fr"] } }),
  "MAN-006": (walk) => [
    {
      from: "producer",
      message: { type: "aaep:producer.manifest", agent_id: "harbour-desk", event_types_emitted: [] },
    },
    ...walk,
  ],
  "TOOL-006": single((walk) => renamed(walk, "call_2", "call_1")),
  "TOOL-007": at("session.started", (walk, index) =>
    more(walk, index, "agent.tool.completed", { tool_call_id: "call_unknown" }),
  ),
  "TOOL-008": drop("tool.completed"),
  "TOOL-009": alter("tool.completed", { tool: "another_tool" }),
  "TOOL-010": alter("tool.completed", { tool_call_id: undefined }),
  "TOOL-011": at("tool.invoked", (walk, index) =>
    more(walk, index, "agent.state.changed", { from_state: "calling_tool", to_state: "dreaming" }),
  ),
  "TOOL-013": at("tool.invoked", (walk, index) =>
    more(varyMessages(walk, { [index]: { tool_call_id: undefined } }), index, "agent.tool.invoked", {
      tool: messageOf(walk[index] as JsonObject).tool as Json,
    }),
  ),
  "STRM-002": alter("output.streaming", { position: 1 }),
  "STRM-003": (walk) => {
    const index = find(walk, "output.streaming", ({ position }) => Number(position) > 0);
    return index === undefined
      ? undefined
      : [
          ...walk.slice(0, index + 1),
          { gap: "the connection was lost" },
          ...more(walk.slice(index), 0, "agent.output.streaming", {
            output_id: messageOf(walk[index] as JsonObject).output_id as Json,
            position: 1,
          }).slice(1),
        ];
  },
  "STRM-004": alter("output.streaming", { complete: false }, ({ complete }) => complete === true),
  "STRM-005": repeat("output.streaming", { complete: false }, ({ complete }) => complete === true),
  "STRM-007": at("session.started", (walk, index) =>
    more(walk, index, "agent.output.streaming", { chunk: "a", coalesce_hint: undefined }, 6),
  ),
};

/** Whether the terms may exclude events of extensions, possibly while sessions went on. */
function isAgreed(walk: Trace): boolean {
  return walk.some((each) => messageOf(each).type === "subscription.accepted");
}

function entryOf(walk: Trace): number {
  return Number(entry(walk, "session.started").slice(1));
}
