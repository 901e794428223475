import { isObject } from "../../../../../../schemas/index.ts";
import { rightPolicy } from "../right.ts";
import { events, isOf, lacks, like, sends, sentBy } from "./changes.ts";
import { breaks, type ProducerVariant } from "./variant.ts";

const progress = { type: "aaep:agent.progress.updated", progress: { percent: 100 } };

/** Mistakes in single events, and in their order. */
export const messages: readonly ProducerVariant[] = [
  ...breaks("AAEP-ENV-008", {
    "": [
      "has a type of its own in the core namespace",
      events("progress.updated", () => ({ type: "aaep:agent.progress.noted" })),
    ],
    "written-out": [
      "has a type of its own there, as a full URI",
      {
        ...events("progress.updated", () => ({ type: "https://aaep-protocol.org/types/agent.progress.noted" })),
        passes: (subscription, event, isWanted) =>
          rightPolicy.passes(subscription, event, isWanted) || String(event.type).startsWith("https:"),
      },
    ],
  }),
  ...breaks("AAEP-ENV-010", {
    incomplete: ["does not say how a call ended", lacks("tool.completed", "status")],
    mistyped: ["reports progress in words", events("progress.updated", () => ({ progress: { percent: "half" } }))],
  }),
  ...breaks("AAEP-ENV-012", {
    "": ["gives all progress one id", events("progress.updated", () => ({ event_id: "evt_progress" }))],
  }),
  ...breaks("AAEP-ENV-015", {
    "": [
      "stamps progress with a tenth of a second",
      events("progress.updated", ({ timestamp }) => ({ timestamp: String(timestamp).replace(/\d\dZ$/, "Z") })),
    ],
  }),
  ...breaks("AAEP-ENV-016", {
    back: [
      "dates every event half a minute too early",
      {
        event: (event) => ({
          ...event,
          timestamp: new Date(Date.parse(String(event.timestamp)) - 30_000).toISOString(),
        }),
      },
    ],
    "": [
      "dates progress in the future",
      {
        event: (event) =>
          event.type === "aaep:agent.progress.updated"
            ? { ...event, timestamp: new Date(Date.parse(String(event.timestamp)) + 3_600_000).toISOString() }
            : event,
      },
    ],
  }),
  ...breaks("AAEP-ENV-017", {
    "": [
      "stamps progress with an earlier time",
      events("progress.updated", ({ timestamp }) => ({
        timestamp: new Date(Date.parse(String(timestamp)) - 500).toISOString(),
      })),
    ],
  }),
  ...breaks("AAEP-ENV-021", {
    "": [
      "names an address without a manifest",
      {
        event: (event) => sentBy(event, (own) => ({ ...own, manifest_uri: `${own.manifest_uri}.txt` })),
      },
    ],
  }),
  ...breaks("AAEP-ENV-022", {
    "": [
      "puts its version into its name",
      {
        event: (event) => sentBy(event, (own) => ({ ...own, agent_id: `${own.agent_id}-${own.agent_version}` })),
      },
    ],
  }),
  ...breaks("AAEP-ENV-026", {
    together: [
      "numbers the events of simultaneous sessions together",
      {
        event: (event, { sessions }) => {
          const running = [...sessions.values()].filter(({ ended, id }) => !ended || id === event.session_id);
          return { ...event, sequence_number: running.reduce((sum, { events }) => sum + events.length, 0) };
        },
      },
      "course",
    ],
    "": [
      "skips a number",
      events("session.completed", ({ sequence_number: number }) => ({ sequence_number: Number(number) + 1 })),
    ],
  }),
  ...breaks("AAEP-ENV-030", {
    "": [
      "extends progress without a context",
      events("progress.updated", () => ({ extensions: { quay: { draft: 3 } } })),
    ],
  }),
  ...breaks("AAEP-ENV-001", {
    halves: [
      "cuts a text in the middle of a surrogate pair",
      events("progress.updated", () => ({ summary_normal: "Half of the ships: \ud83d" })),
    ],
  }),
  ...breaks("AAEP-ENV-033", {
    "": ["adds a member of its own", events("progress.updated", () => ({ mood: "hopeful" }))],
  }),
  ...breaks("AAEP-ENV-034", {
    "": ["adds a member with a reserved name", events("progress.updated", () => ({ aaep_mood: "hopeful" }))],
  }),
  ...breaks("AAEP-ENV-035", {
    "": [
      "counts beyond the range of a double",
      {
        frames: (text, { type }) => {
          const more = `"@context":["https://aaep-protocol.org/context/v1","https://harbour.example/context/v1"]`;
          const isIt = type === "aaep:agent.progress.updated";
          return [
            isIt
              ? `{${more},${text.replace(/^\{"@context":"[^"]*",|\}$/g, "")},"extensions":{"quay":{"draft":9007199254740993}}}`
              : text,
          ];
        },
      },
    ],
  }),
  ...breaks("AAEP-ENV-042", {
    "": ["has no text for progress", lacks("progress.updated", "summary_normal")],
  }),
  ...breaks("AAEP-I18N-003", {
    "": ["names a language that cannot exist", events("output.streaming", () => ({ language: "en-a" }))],
  }),
  ...breaks("AAEP-I18N-005", {
    "": [
      "drops events without text in a wanted language",
      {
        passes(subscription, event, isWanted) {
          const hints = isObject(event.localization_hints) ? event.localization_hints : {};
          const isWord = subscription.terms.languages.some((language) =>
            language.startsWith(String(hints.primary_language).slice(0, 2)),
          );
          return rightPolicy.passes(subscription, event, isWanted) && isWord;
        },
      },
    ],
    foreign: [
      "accepts a subscription without a language that it has, and sends it nothing",
      {
        objects: (reason) => reason !== "language",
        passes: (subscription, event, isWanted) =>
          rightPolicy.passes(subscription, event, isWanted) &&
          !subscription.terms.languages.every((language) => language === "tlh"),
      },
    ],
  }),
  ...breaks("AAEP-I18N-012", {
    "": ["speaks its first language to all", { language: (_, own) => own[0] ?? "en" }],
  }),
  ...breaks("AAEP-STRM-002", {
    "": [
      "counts pieces, not characters",
      events("output.streaming", ({ position }) => ({ position: position === 0 ? 0 : Number(position) + 1 })),
    ],
  }),
  ...breaks("AAEP-STRM-004", {
    "": ["never completes its output", events("output.streaming", () => ({ complete: false }))],
  }),
  ...breaks("AAEP-STATE-002", {
    "": [
      "begins in another state than idle",
      events("state.changed", ({ from_state: from }) => (from === "idle" ? { from_state: "deciding" } : {})),
    ],
  }),
  ...breaks("AAEP-STATE-003", {
    "": [
      "forgets what state it was in",
      events("state.changed", ({ to_state: to }) => (to === "writing_output" ? { from_state: "deciding" } : {})),
    ],
  }),
  ...breaks("AAEP-LIFE-001", {
    "": [
      "begins a session without an event",
      sends(
        (event) => isOf(event, "session.started"),
        () => [],
      ),
    ],
  }),
  ...breaks("AAEP-LIFE-002", {
    "": [
      "starts a session twice",
      sends(
        (event) => isOf(event, "session.started"),
        (event) => [event, like(event, {})],
      ),
    ],
  }),
  ...breaks("AAEP-LIFE-003", {
    "": [
      "completes a session twice",
      sends(
        (event) => isOf(event, "session.completed"),
        (event) => [event, like(event, {})],
      ),
    ],
    "cancelled-silently": [
      "does not say that a session was cancelled",
      sends(
        (event) => isOf(event, "session.cancelled"),
        () => [],
      ),
    ],
    cancelled: [
      "completes a session that was cancelled",
      sends(
        (event) => isOf(event, "session.cancelled"),
        ({ cancelled_by: by = "user", ...event }) => [
          { ...event, cancelled_by: by },
          like(event, { type: "aaep:agent.session.completed" }),
        ],
      ),
    ],
  }),
  ...breaks("AAEP-LIFE-004", {
    "": [
      "goes on after the end of a session",
      sends(
        (event) => isOf(event, "session.completed"),
        (event) => [event, like(event, progress)],
      ),
    ],
  }),
  ...breaks("AAEP-LIFE-011", {
    "": [
      "does not say that an error is urgent",
      {
        event: (event) =>
          event.type === "aaep:agent.session.completed" && event.summary_normal === "Done: without the tides."
            ? { ...event, type: "aaep:agent.session.errored", error_category: "transient" }
            : event,
      },
    ],
  }),
];
