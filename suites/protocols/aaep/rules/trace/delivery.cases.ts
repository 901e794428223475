import { add, remove } from "../../../../../generators/index.ts";
import type { Cases, Json, JsonObject } from "../../../../../schemas/index.ts";
import { extensionEvent, type Members } from "../messages.ts";
import { harbourManifest } from "../signed.ts";
import { another, place, session, under } from "./session.ts";

const filters = (event_filters: Json): Members => ({ event_filters });
const progressless = filters({ exclude: ["aaep:agent.progress.*"] });
const excluded = under(progressless, progressless, "start think complete");
const literal = filters({ exclude: ["aaep:agent.progress.updated"] });
const excludedLiterally = under(literal, literal, "start think complete");
const stem = filters({ exclude: ["aaep:agent.progress"] });
const criticals = filters({ exclude: ["aaep:agent.awaiting.*"] });
const inner = filters({ exclude: ["*.updated"] });
const wanted = filters({ include: ["aaep:agent.session.*", "aaep:agent.state.changed"] });
const included = under(wanted, wanted, "start think complete");
const both = filters({ include: ["aaep:agent.*"] });
const core = under(both, both, "start think complete");
const extension = (trace: readonly JsonObject[]): JsonObject => ({
  from: "producer",
  message: extensionEvent({
    aaep_version: undefined,
    event_id: "evt_gate",
    session_id: "sess_1",
    timestamp: ((trace[3] as JsonObject).message as JsonObject).timestamp as string,
  }),
});
const update = another(session("start think update complete"), "progress.updated", {
  timestamp: "2026-01-15T09:30:05Z",
});
const manifest = (types: readonly string[], agent = "harbour-desk"): JsonObject => ({
  from: "producer",
  message: { ...harbourManifest, agent_id: agent, event_types_emitted: [...types] },
});
const plain = session("start think complete");
const listed = [
  manifest(["aaep:agent.session.started", "aaep:agent.session.completed", "aaep:agent.state.changed"]),
  ...plain,
];
const patterned = [manifest(["aaep:agent.session.*", "aaep:agent.state.*"]), ...plain];
const foreign = [manifest(["aaep:agent.session.*"], "tide-clerk"), ...plain];

/** The terms before a session, changed from one to the other. */
const changed = (first: Members, then: Members, steps: string): JsonObject[] => {
  const before = under(first, first, steps);
  const after = under({ event_filters: {}, ...then }, then, steps).slice(0, 2) as [JsonObject, JsonObject];
  const { capabilities } = after[0].message as JsonObject;
  const wish = { type: "subscription.renegotiate", subscription_id: "sub_p4", capabilities: capabilities as Json };
  return before.toSpliced(2, 0, { from: "subscriber", message: wish }, after[1]);
};
/** New terms before the nth entry: what is asked for anew, and what is honoured then. */
const renegotiated = (trace: readonly JsonObject[], nth: number, asked: Members, honored: Members): JsonObject[] => {
  const [, accepted] = under({}, honored, "start complete") as [JsonObject, JsonObject];
  const wish = { type: "subscription.renegotiate", subscription_id: "sub_p4", capabilities: asked as Json };
  return trace.toSpliced(nth, 0, { from: "subscriber", message: wish as JsonObject }, accepted);
};
const later = renegotiated(under({}, {}, "start think update complete"), 5, progressless, progressless);
const kept = renegotiated(excluded, 3, { languages: ["en-GB"] }, {});
const bothWays = filters({ include: ["aaep:agent.*"], exclude: ["aaep:agent.progress.*"] });
const excludedOfMany = under(bothWays, bothWays, "start think complete");
const since = changed({}, progressless, "start think complete");
const until = changed(progressless, filters({ exclude: [] }), "start think update complete");

export const deliveryCases: readonly Cases[] = [
  {
    rule: "AAEP-BP-004",
    document: "session",
    valid: [
      { name: "excluded-and-not-sent", says: "sends nothing of what is excluded", data: excluded },
      { name: "none-of-the-name", says: "sends nothing of the type that is excluded", data: excludedLiterally },
      {
        name: "pattern-without-a-star",
        says: "sends a type that begins like an excluded one",
        edge: true,
        data: under(stem, stem, "start think update complete"),
      },
      {
        name: "star-elsewhere",
        says: "sends a type that a star before the end would mean",
        edge: true,
        data: under(inner, inner, "start think update complete"),
      },
      {
        name: "critical",
        says: "sends a critical event of an excluded type",
        edge: true,
        data: under(criticals, criticals, "start think wait ask reject think complete"),
      },
      { name: "excluded-later", says: "sends what is excluded only after it", edge: true, data: later },
      // An acceptance that does not repeat what was agreed is advised against.
      {
        name: "excluded-still",
        says: "sends nothing of what is excluded, and new terms do not name",
        data: kept,
        level: "SHOULD",
      },
      {
        name: "excluded-of-what-is-included",
        says: "sends nothing of what is excluded, and included as well",
        data: excludedOfMany,
      },
      { name: "excluded-since", says: "sends nothing of what is excluded since the terms changed", data: since },
      {
        name: "wanted-since",
        says: "sends what is no longer excluded since the terms changed",
        edge: true,
        data: until,
      },
    ],
    invalid: [
      {
        name: "sent-all-the-same",
        says: "is of a type that is excluded since the terms changed",
        from: "excluded-since",
        change: add("/6", update),
      },
      {
        name: "excluded-in-terms-before",
        says: "is of a type that is excluded, by terms which those after them do not name",
        from: "excluded-still",
        change: add("/6", update),
      },
      {
        name: "excluded-and-included",
        says: "is of a type that is excluded, and included as well",
        from: "excluded-of-what-is-included",
        change: add("/4", update),
      },
      {
        name: "excluded-by-pattern",
        says: "is of a type that a pattern excludes",
        from: "excluded-and-not-sent",
        change: add("/4", update),
      },
      {
        name: "excluded-by-name",
        says: "is of a type that is excluded",
        from: "none-of-the-name",
        change: add("/4", update),
      },
      {
        name: "in-full",
        says: "is excluded, and written in full",
        from: "excluded-and-not-sent",
        change: add(
          "/4",
          another([update], "progress.updated", { type: "https://aaep-protocol.org/types/agent.progress.updated" }),
        ),
      },
    ],
  },
  {
    rule: "AAEP-BP-005",
    document: "session",
    valid: [
      { name: "wanted-alone", says: "sends what is wanted", data: included },
      { name: "core", says: "sends core events, where all of them are wanted", data: core },
      {
        name: "nothing-said",
        says: "sends an extension event, where nobody said what is wanted",
        edge: true,
        data: excluded.toSpliced(3, 0, extension(excluded)),
      },
      {
        name: "critical",
        says: "sends critical events of other types",
        edge: true,
        data: under(wanted, wanted, "start think wait ask reject think complete"),
      },
    ],
    invalid: [
      { name: "other-type", says: "is of a type that is not wanted", from: "wanted-alone", change: add("/4", update) },
      {
        name: "extension",
        says: "is of an extension, where core events are wanted",
        from: "core",
        change: add("/4", extension(core)),
      },
    ],
  },
  {
    rule: "AAEP-MAN-006",
    document: "session",
    valid: [
      { name: "listed", says: "emits what its manifest lists", data: listed },
      { name: "by-pattern", says: "emits what patterns of its manifest cover", edge: true, data: patterned },
      {
        name: "manifest-of-another",
        says: "emits what the manifest of another producer does not list",
        edge: true,
        data: foreign,
      },
    ],
    invalid: [
      {
        name: "unlisted",
        says: "is of a type that the manifest does not list",
        from: "by-pattern",
        change: add("/3", another([update], "progress.updated", { timestamp: "2026-01-15T09:30:03Z" })),
      },
      {
        name: "taken-off-the-list",
        says: "is of a type that the manifest lists no longer",
        from: "listed",
        at: place(listed, "state.changed", "type"),
        change: remove("/0/message/event_types_emitted/2"),
      },
      {
        name: "pattern-without-its-star",
        says: "is of a type that begins like one in the manifest",
        from: "by-pattern",
        at: place(patterned, "state.changed", "type"),
        change: [{ op: "replace", path: "/0/message/event_types_emitted/1", value: "aaep:agent.state." }],
      },
    ],
  },
];
