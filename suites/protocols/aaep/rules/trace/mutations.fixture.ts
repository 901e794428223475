import type { Json, JsonObject } from "../../../../../schemas/index.ts";
import { type Members, makeEvent } from "../messages.ts";
import { addTimes, entry, numberEvents, onBoth, varyMessages } from "./session.ts";

type Trace = readonly JsonObject[];

/** Makes a walk with one mistake. Undefined if the walk does not allow the mistake. */
export type Mutation = (walk: Trace) => JsonObject[] | undefined;

const messageOf = ({ message }: JsonObject): JsonObject => message as JsonObject;
const typeOf = (entry: JsonObject): string => String(messageOf(entry).type);
const isEvent = (entry: JsonObject): boolean => messageOf(entry).session_id !== undefined;

type EntryCondition = (message: JsonObject, index: number, walk: Trace) => boolean;

/** Finds the index of the first entry of a type that meets a condition. */
function findEntry(walk: Trace, type: string, condition: EntryCondition = () => true): number | undefined {
  const index = walk.findIndex(
    (entry, position) => typeOf(entry).endsWith(type) && condition(messageOf(entry), position, walk),
  );
  return index === -1 ? undefined : index;
}

/** Applies a change at the first entry of a type. */
const changeAt =
  (
    type: string,
    change: (walk: Trace, index: number) => JsonObject[] | undefined,
    condition?: EntryCondition,
  ): Mutation =>
  (walk) => {
    const index = findEntry(walk, type, condition);
    return index === undefined ? undefined : change(walk, index);
  };
const setMembers = (type: string, members: Members, condition?: EntryCondition): Mutation =>
  changeAt(type, (walk, index) => varyMessages(walk, { [index]: members }), condition);
const removeEntry = (type: string): Mutation => changeAt(type, (walk, index) => walk.toSpliced(index, 1));
/** Inserts a copy with other members after the first entry of a type. */
const repeatEntry = (type: string, members: Members, condition?: EntryCondition): Mutation =>
  changeAt(
    type,
    (walk, index) =>
      walk.toSpliced(
        index + 1,
        0,
        ...varyMessages([walk[index] as JsonObject], { 0: { event_id: "evt_more", ...members } }),
      ),
    condition,
  );
/** Inserts events of the same session after an entry, with the same time. */
function addEvents(
  walk: Trace,
  index: number,
  name: Parameters<typeof makeEvent>[0],
  members: Members,
  count = 1,
): JsonObject[] {
  const { session_id, timestamp } = messageOf(walk[index] as JsonObject);
  const addedEvents = Array.from(
    { length: count },
    (_, number): JsonObject => ({
      from: "producer",
      message: makeEvent(name, {
        session_id: session_id as Json,
        timestamp: timestamp as Json,
        event_id: `evt_more${number}`,
        ...members,
      }),
    }),
  );
  return walk.toSpliced(index + 1, 0, ...addedEvents);
}
const replaceText = (walk: Trace, search: string, replacement: string): JsonObject[] | undefined => {
  const text = JSON.stringify(walk);
  return text.includes(search) ? (JSON.parse(text.replaceAll(search, replacement)) as JsonObject[]) : undefined;
};
const hasOneSession = (walk: Trace): boolean =>
  walk.filter((entry) => typeOf(entry).endsWith("session.started")).length === 1;
const ifOneSession =
  (mutation: Mutation): Mutation =>
  (walk) =>
    hasOneSession(walk) ? mutation(walk) : undefined;
/** Replaces the capabilities in the request. */
const setRequest = (members: Members): Mutation =>
  changeAt("subscription.request", (walk, index) => varyMessages(walk, { [index]: { capabilities: members as Json } }));
const lastEventIndex = (walk: Trace): number => walk.findLastIndex(isEvent);

/** Returns the entries of the current session before an index. In walks, sessions do not overlap. */
const sessionUpTo = (walk: Trace, index: number): Trace =>
  walk.slice(
    walk.slice(0, index).findLastIndex((entry) => typeOf(entry).endsWith("session.started")),
    index,
  );

/** Adds members to the first harmless call whose earlier questions and decisions match a condition. */
const addRisk =
  (members: Members, matches: (questions: number, decisions: Json[]) => boolean): Mutation =>
  (walk) => {
    const index = findEntry(walk, "tool.invoked", ({ irreversible }, callIndex) => {
      const earlierEntries = sessionUpTo(walk, callIndex);
      const questions = earlierEntries.filter((entry) => typeOf(entry).endsWith("awaiting.confirmation")).length;
      const decisions = earlierEntries.flatMap((entry) => messageOf(entry).decision ?? []);
      return irreversible === undefined && matches(questions, decisions);
    });
    return index === undefined ? undefined : varyMessages(walk, { [index]: members });
  };
const hasNoQuestion = (questions: number): boolean => questions === 0;
/** Makes a condition: all questions were answered, the last one with this decision. */
const endsWithDecision =
  (lastDecision: string) =>
  (questions: number, decisions: Json[]): boolean =>
    questions === decisions.length && decisions.at(-1) === lastDecision;

export const mutations: Readonly<Record<string, Mutation>> = {
  "ENV-012": changeAt("session.started", (walk, index) =>
    varyMessages(walk, { [index + 1]: { event_id: messageOf(walk[index] as JsonObject).event_id as Json } }),
  ),
  "ENV-017": (walk) => varyMessages(walk, { [lastEventIndex(walk)]: { timestamp: "1970-01-01T00:00:00Z" } }),
  "ENV-026": (walk) =>
    hasAgreedTerms(walk)
      ? undefined
      : varyMessages(numberEvents(walk), { [lastEventIndex(walk)]: { sequence_number: 999 } }),
  "ENV-027": (walk) => varyMessages(numberEvents(walk), { [lastEventIndex(walk)]: { sequence_number: undefined } }),
  "TRN-003": changeAt(
    "state.changed",
    (walk, index) => {
      const [firstEntry, secondEntry] = [index - 1, index].map(
        (position) => numberEvents(walk)[position] as JsonObject,
      );
      return numberEvents(walk).toSpliced(index - 1, 2, secondEntry as JsonObject, firstEntry as JsonObject);
    },
    ({ from_state: from }) => from === "idle",
  ),
  "TRN-005": (walk) => {
    const numberedWalk = numberEvents(walk);
    const hasNumber = (entry: JsonObject, number: number, session: unknown): boolean =>
      messageOf(entry).sequence_number === number && messageOf(entry).session_id === session;
    const lostEntry = numberedWalk.find(
      (entry) =>
        messageOf(entry).sequence_number === 1 &&
        numberedWalk.some((laterEntry) => hasNumber(laterEntry, 2, messageOf(entry).session_id)),
    );
    return lostEntry === undefined
      ? undefined
      : onBoth(numberedWalk).filter((entry) => entry.subscription === "a" || messageOf(entry) !== messageOf(lostEntry));
  },
  "LIFE-001": changeAt(
    "session.started",
    (walk, index) => walk.toSpliced(index, 1),
    (_, index, walk) => !hasAgreedTerms(walk) && (index === 0 || isEvent(walk[index - 1] as JsonObject)),
  ),
  "LIFE-002": repeatEntry("session.started", {}),
  "LIFE-003": (walk) => repeatEntry(typeOf(walk[lastEventIndex(walk)] as JsonObject).slice("aaep:".length), {})(walk),
  "LIFE-004": (walk) => addEvents(walk, lastEventIndex(walk), "agent.progress.updated", {}),
  "LIFE-005": ifOneSession(
    changeAt(
      "session.started",
      (walk, index) => varyMessages(walk, { [index + 1]: { session_id: "sess_other" } }),
      undefined,
    ),
  ),
  "LIFE-006": (walk) => replaceText(walk, "sess_2", "sess_1"),
  "HAND-004": changeAt("handoff.requested", (walk, index) => addEvents(walk, index, "agent.tool.invoked", {})),
  "STATE-002": setMembers("state.changed", { from_state: "thinking" }),
  "STATE-003": changeAt(
    "state.changed",
    (walk, index) => varyMessages(walk, { [index]: { from_state: "dreaming" } }),
    ({ from_state: from }) => from !== "idle",
  ),
  "STATE-004": (walk) => replaceText(walk, '"calling_tool"', '"consulting"'),
  "PROG-003": changeAt("state.changed", (walk, index) =>
    addEvents(walk, index, "agent.progress.updated", { progress: { percent: 7 } }, 41),
  ),
  "TOOL-004": addRisk({ irreversible: true }, hasNoQuestion),
  "TOOL-005": addRisk({ risk_level: "high" }, hasNoQuestion),
  "CONF-022": addRisk({ irreversible: true }, endsWithDecision("reject")),
  "CONF-027": addRisk({ irreversible: true }, endsWithDecision("accept")),
  "CONF-021": changeAt(
    "session.completed",
    (walk, index) => {
      const earlierEntries = sessionUpTo(walk, index);
      const entriesWithoutCalls = earlierEntries.filter((entry) => !typeOf(entry).includes(".tool."));
      return walk.toSpliced(index - earlierEntries.length, earlierEntries.length, ...entriesWithoutCalls);
    },
    (_, index, walk) => sessionUpTo(walk, index).some((entry) => messageOf(entry).decision === "accept"),
  ),
  "CONF-023": changeAt(
    "confirmation.reply",
    (walk, index) => walk.slice(0, index + 1),
    ({ decision }) => decision === "reject",
  ),
  "CONF-024": changeAt(
    "confirmation.reply",
    (walk, index) => {
      const call = walk
        .slice(0, index)
        .find((entry) => typeOf(entry).endsWith("tool.invoked") && messageOf(entry).irreversible === undefined);
      const questionIndex = walk
        .slice(0, index)
        .findLastIndex((entry) => typeOf(entry).endsWith("awaiting.confirmation"));
      const { tool_call_id: id, session_id: session } = call === undefined ? {} : messageOf(call);
      if (id === undefined || session !== messageOf(walk[questionIndex] as JsonObject).session_id) return undefined;
      return varyMessages(
        addEvents(walk, index, "agent.tool.completed", { tool_call_id: id, session_id: session as Json }),
        {
          [questionIndex]: { extra_context: { tool_call_id: id } },
        },
      );
    },
    ({ decision }) => decision === "reject",
  ),
  "CONF-025": repeatEntry("awaiting.confirmation", { reply_token: "rpl_other" }),
  "CONF-026": changeAt(
    ".reply",
    (walk, index) => walk.slice(0, index + 1),
    ({ decision }) => decision !== "reject",
  ),
  "CONF-028": changeAt(".reply", (walk, index) =>
    varyMessages(walk, {
      [index - 1]: { timeout_seconds: 600, timestamp: "2026-01-15T09:30:00Z" },
      [index]: { timestamp: "2026-01-15T09:39:59Z" },
    }),
  ),
  "CONF-029": changeAt(
    "state.changed",
    (walk, index) => walk.toSpliced(index, 1),
    ({ to_state: to }) => to === "awaiting_input",
  ),
  "RPL-001": (walk) => replaceText(walk, '"rpl_2"', '"rpl_1"'),
  "RPL-005": setMembers(".reply", { reply_token: "rpl_unknown" }),
  "RPL-006": changeAt("confirmation.reply", (walk, index) =>
    varyMessages(walk, { [index - 1]: { allowed_replies: ["defer"] } }),
  ),
  "RPL-007": setMembers(".reply", { timestamp: "1970-01-01T00:00:00Z" }),
  "CLAR-006": changeAt("clarification.reply", (walk, index) =>
    varyMessages(walk, { [index - 1]: { accepted_response_kinds: ["numeric"] } }),
  ),
  "RPL-024": (walk) =>
    findEntry(walk, ".reply") === undefined
      ? undefined
      : setRequest({ supports_confirmation_reply: false, supports_clarification_reply: false })(walk),
  "RPL-026": (walk) =>
    findEntry(walk, "subscription.accepted") === undefined
      ? undefined
      : setMembers(".reply", { subscription_id: "sub_unknown" })(walk),
  "HS-015": changeAt("subscription.request", (walk) => [
    { from: "subscriber", message: { type: "subscription.close" } },
    ...walk,
  ]),
  "HS-022": (walk) => {
    const lastIndex = lastEventIndex(walk);
    if (lastIndex === -1) return undefined;
    const { message: _, ...lastEntry } = walk[lastIndex] as JsonObject;
    return walk.toSpliced(lastIndex, 0, { ...lastEntry, from: "producer", message: { type: "subscription.close" } });
  },
  "HS-016": repeatEntry("subscription.accepted", { subscription_id: "sub_other" }),
  "BP-001": (walk) => {
    const limitedWalk = setRequest({ max_events_per_second: 1 })(walk);
    return limitedWalk === undefined
      ? undefined
      : addTimes(addEvents(limitedWalk, indexOfStart(limitedWalk), "agent.progress.updated", {}, 4), () => 1);
  },
  "BP-004": setRequest({ event_filters: { exclude: ["*"] } }),
  "BP-005": setRequest({ event_filters: { include: [] } }),
  "BP-007": setRequest({ preferred_verbosity: "terse" }),
  "BP-011": setMembers("subscription.accepted", { honored_capabilities: { event_filters: { exclude: ["*"] } } }),
  "I18N-006": setMembers("subscription.accepted", { honored_capabilities: { languages: ["fr"] } }),
  "MAN-006": (walk) => [
    {
      from: "producer",
      message: { type: "aaep:producer.manifest", agent_id: "harbour-desk", event_types_emitted: [] },
    },
    ...walk,
  ],
  "TOOL-006": ifOneSession((walk) => replaceText(walk, "call_2", "call_1")),
  "TOOL-007": changeAt("session.started", (walk, index) =>
    addEvents(walk, index, "agent.tool.completed", { tool_call_id: "call_unknown" }),
  ),
  "TOOL-008": removeEntry("tool.completed"),
  "TOOL-009": setMembers("tool.completed", { tool: "another_tool" }),
  "TOOL-010": setMembers("tool.completed", { tool_call_id: undefined }),
  "TOOL-011": changeAt("tool.invoked", (walk, index) =>
    addEvents(walk, index, "agent.state.changed", { from_state: "calling_tool", to_state: "dreaming" }),
  ),
  "TOOL-013": changeAt("tool.invoked", (walk, index) =>
    addEvents(varyMessages(walk, { [index]: { tool_call_id: undefined } }), index, "agent.tool.invoked", {
      tool: messageOf(walk[index] as JsonObject).tool as Json,
    }),
  ),
  "STRM-002": setMembers("output.streaming", { position: 1 }),
  "STRM-003": (walk) => {
    const index = findEntry(walk, "output.streaming", ({ position }) => Number(position) > 0);
    return index === undefined
      ? undefined
      : [
          ...walk.slice(0, index + 1),
          { gap: "the connection was lost" },
          ...addEvents(walk.slice(index), 0, "agent.output.streaming", {
            output_id: messageOf(walk[index] as JsonObject).output_id as Json,
            position: 1,
          }).slice(1),
        ];
  },
  "STRM-004": setMembers("output.streaming", { complete: false }, ({ complete }) => complete === true),
  "STRM-005": repeatEntry("output.streaming", { complete: false }, ({ complete }) => complete === true),
  "STRM-007": changeAt("session.started", (walk, index) =>
    addEvents(walk, index, "agent.output.streaming", { chunk: "a", coalesce_hint: undefined }, 6),
  ),
};

/** Whether terms were agreed on. They may exclude events of extensions. */
function hasAgreedTerms(walk: Trace): boolean {
  return walk.some((walkEntry) => messageOf(walkEntry).type === "subscription.accepted");
}

function indexOfStart(walk: Trace): number {
  return Number(entry(walk, "session.started").slice(1));
}
