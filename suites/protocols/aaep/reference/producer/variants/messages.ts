import { isObject } from "../../../../../../schemas/index.ts";
import { conformingPolicy } from "../conforming-policy.ts";
import { changeEvents, changeProducer, copyOf, isEventOf, removeMember, replaceEvents } from "./changes.ts";
import { type ProducerVariant, variantsBreaking } from "./variant.ts";

const completeProgress = { type: "aaep:agent.progress.updated", progress: { percent: 100 } };

/** Mistakes in single events, and in the order of events. */
export const messageVariants: readonly ProducerVariant[] = [
  ...variantsBreaking("AAEP-ENV-008", {
    "": [
      "invents a type in the core namespace",
      changeEvents("progress.updated", () => ({ type: "aaep:agent.progress.noted" })),
    ],
    "written-out": [
      "invents a type in the core namespace, written as a full URI",
      {
        ...changeEvents("progress.updated", () => ({ type: "https://aaep-protocol.org/types/agent.progress.noted" })),
        delivers: (subscription, event, isWanted) =>
          conformingPolicy.delivers(subscription, event, isWanted) || String(event.type).startsWith("https:"),
      },
    ],
  }),
  ...variantsBreaking("AAEP-ENV-010", {
    incomplete: ["does not say how a call ended", removeMember("tool.completed", "status")],
    mistyped: [
      "reports progress in words",
      changeEvents("progress.updated", () => ({ progress: { percent: "half" } })),
    ],
  }),
  ...variantsBreaking("AAEP-ENV-012", {
    "": [
      "uses the same id for all progress events",
      changeEvents("progress.updated", () => ({ event_id: "evt_progress" })),
    ],
  }),
  ...variantsBreaking("AAEP-ENV-015", {
    "": [
      "timestamps progress with a precision of 100 ms",
      changeEvents("progress.updated", ({ timestamp }) => ({ timestamp: String(timestamp).replace(/\d\dZ$/, "Z") })),
    ],
  }),
  ...variantsBreaking("AAEP-ENV-016", {
    back: [
      "timestamps every event 30 seconds too early",
      {
        changeEvent: (event) => ({
          ...event,
          timestamp: new Date(Date.parse(String(event.timestamp)) - 30_000).toISOString(),
        }),
      },
    ],
    "": [
      "timestamps progress in the future",
      {
        changeEvent: (event) =>
          event.type === "aaep:agent.progress.updated"
            ? { ...event, timestamp: new Date(Date.parse(String(event.timestamp)) + 3_600_000).toISOString() }
            : event,
      },
    ],
  }),
  ...variantsBreaking("AAEP-ENV-017", {
    "": [
      "timestamps progress earlier than the event before it",
      changeEvents("progress.updated", ({ timestamp }) => ({
        timestamp: new Date(Date.parse(String(timestamp)) - 500).toISOString(),
      })),
    ],
  }),
  ...variantsBreaking("AAEP-ENV-021", {
    "": [
      "names a manifest address without a manifest",
      {
        changeEvent: (event) =>
          changeProducer(event, (producer) => ({ ...producer, manifest_uri: `${producer.manifest_uri}.txt` })),
      },
    ],
  }),
  ...variantsBreaking("AAEP-ENV-022", {
    "": [
      "puts its version into its id",
      {
        changeEvent: (event) =>
          changeProducer(event, (producer) => ({
            ...producer,
            agent_id: `${producer.agent_id}-${producer.agent_version}`,
          })),
      },
    ],
  }),
  ...variantsBreaking("AAEP-ENV-026", {
    together: [
      "numbers the events of simultaneous sessions together",
      {
        changeEvent: (event, { sessions }) => {
          const countedSessions = [...sessions.values()].filter(
            ({ hasEnded, id }) => !hasEnded || id === event.session_id,
          );
          return { ...event, sequence_number: countedSessions.reduce((sum, { events }) => sum + events.length, 0) };
        },
      },
      "course",
    ],
    "": [
      "skips a number",
      changeEvents("session.completed", ({ sequence_number: number }) => ({ sequence_number: Number(number) + 1 })),
    ],
  }),
  ...variantsBreaking("AAEP-ENV-030", {
    "": [
      "extends progress without a context",
      changeEvents("progress.updated", () => ({ extensions: { quay: { draft: 3 } } })),
    ],
  }),
  ...variantsBreaking("AAEP-ENV-001", {
    halves: [
      "truncates a string inside a surrogate pair",
      changeEvents("progress.updated", () => ({ summary_normal: "Half of the ships: \ud83d" })),
    ],
  }),
  ...variantsBreaking("AAEP-ENV-033", {
    "": ["adds an unknown member", changeEvents("progress.updated", () => ({ mood: "hopeful" }))],
  }),
  ...variantsBreaking("AAEP-ENV-034", {
    "": ["adds a member with a reserved name", changeEvents("progress.updated", () => ({ aaep_mood: "hopeful" }))],
  }),
  ...variantsBreaking("AAEP-ENV-035", {
    "": [
      "sends an integer that a double cannot represent",
      {
        framesOf: (text, { type }) => {
          const context = `"@context":["https://aaep-protocol.org/context/v1","https://harbour.example/context/v1"]`;
          const isProgress = type === "aaep:agent.progress.updated";
          return [
            isProgress
              ? `{${context},${text.replace(/^\{"@context":"[^"]*",|\}$/g, "")},"extensions":{"quay":{"draft":9007199254740993}}}`
              : text,
          ];
        },
      },
    ],
  }),
  ...variantsBreaking("AAEP-ENV-042", {
    "": ["sends progress without a normal summary", removeMember("progress.updated", "summary_normal")],
  }),
  ...variantsBreaking("AAEP-I18N-003", {
    "": ["names a language that cannot exist", changeEvents("output.streaming", () => ({ language: "en-a" }))],
  }),
  ...variantsBreaking("AAEP-I18N-005", {
    "": [
      "drops events without text in a requested language",
      {
        delivers(subscription, event, isWanted) {
          const hints = isObject(event.localization_hints) ? event.localization_hints : {};
          const isTranslated = subscription.terms.languages.some((language) =>
            language.startsWith(String(hints.primary_language).slice(0, 2)),
          );
          return conformingPolicy.delivers(subscription, event, isWanted) && isTranslated;
        },
      },
    ],
    foreign: [
      "accepts a subscription that requests none of its languages, and sends it nothing",
      {
        rejectsFor: (reason) => reason !== "language",
        delivers: (subscription, event, isWanted) =>
          conformingPolicy.delivers(subscription, event, isWanted) &&
          !subscription.terms.languages.every((language) => language === "tlh"),
      },
    ],
  }),
  ...variantsBreaking("AAEP-I18N-012", {
    "": ["uses its first language for all subscribers", { chooseLanguage: (_, available) => available[0] ?? "en" }],
  }),
  ...variantsBreaking("AAEP-STRM-002", {
    "": [
      "counts chunks instead of characters",
      changeEvents("output.streaming", ({ position }) => ({ position: position === 0 ? 0 : Number(position) + 1 })),
    ],
  }),
  ...variantsBreaking("AAEP-STRM-004", {
    "": ["never completes its output", changeEvents("output.streaming", () => ({ complete: false }))],
  }),
  ...variantsBreaking("AAEP-STATE-002", {
    "": [
      "starts in a state other than idle",
      changeEvents("state.changed", ({ from_state: from }) => (from === "idle" ? { from_state: "deciding" } : {})),
    ],
  }),
  ...variantsBreaking("AAEP-STATE-003", {
    "": [
      "names a previous state that it was not in",
      changeEvents("state.changed", ({ to_state: to }) => (to === "writing_output" ? { from_state: "deciding" } : {})),
    ],
  }),
  ...variantsBreaking("AAEP-LIFE-001", {
    "": [
      "does not announce the start of a session",
      replaceEvents(
        (event) => isEventOf(event, "session.started"),
        () => [],
      ),
    ],
  }),
  ...variantsBreaking("AAEP-LIFE-002", {
    "": [
      "starts a session twice",
      replaceEvents(
        (event) => isEventOf(event, "session.started"),
        (event) => [event, copyOf(event, {})],
      ),
    ],
  }),
  ...variantsBreaking("AAEP-LIFE-003", {
    "": [
      "completes a session twice",
      replaceEvents(
        (event) => isEventOf(event, "session.completed"),
        (event) => [event, copyOf(event, {})],
      ),
    ],
    "cancelled-silently": [
      "does not announce that a session was cancelled",
      replaceEvents(
        (event) => isEventOf(event, "session.cancelled"),
        () => [],
      ),
    ],
    cancelled: [
      "completes a session that was cancelled",
      replaceEvents(
        (event) => isEventOf(event, "session.cancelled"),
        ({ cancelled_by: by = "user", ...event }) => [
          { ...event, cancelled_by: by },
          copyOf(event, { type: "aaep:agent.session.completed" }),
        ],
      ),
    ],
  }),
  ...variantsBreaking("AAEP-LIFE-004", {
    "": [
      "sends events after the end of a session",
      replaceEvents(
        (event) => isEventOf(event, "session.completed"),
        (event) => [event, copyOf(event, completeProgress)],
      ),
    ],
  }),
  ...variantsBreaking("AAEP-LIFE-011", {
    "": [
      "does not say that an error is urgent",
      {
        changeEvent: (event) =>
          event.type === "aaep:agent.session.completed" && event.summary_normal === "Done: without the tides."
            ? { ...event, type: "aaep:agent.session.errored", error_category: "transient" }
            : event,
      },
    ],
  }),
];
