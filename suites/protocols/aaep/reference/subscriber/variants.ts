import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { type PartyVariant, variantsBreaking } from "../party-variant.ts";
import { connectionVariants } from "./connections.ts";
import type { SubscriberPolicy } from "./model.ts";
import { suppressAnnouncements } from "./policy-changes.ts";
import { languageOf } from "./present.ts";

const isType = (event: JsonObject, name: string): boolean => event.type === `aaep:agent.${name}`;
const riskLevels = ["low", "medium", "high"];
const errorCategories = ["transient", "permanent", "requires_user", "unknown"];

/** Subscribers that break one rule each. */
export const subscriberVariants: readonly PartyVariant<SubscriberPolicy>[] = [
  ...variantsBreaking<SubscriberPolicy>("AAEP-SUB-001", {
    "": ["crashes on a state that is not a string", { crashesAt: ({ from_state: from }) => isObject(from) }],
    unvalidated: ["accepts any object with a type", { hasValidEnvelope: ({ type }) => typeof type === "string" }],
    returns: [
      "breaks its connection at each invalid event, and subscribes again",
      { maxCrashes: Number.POSITIVE_INFINITY },
    ],
    tires: ["subscribes again only twice after a crash on an invalid event", { maxCrashes: 2 }],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-SUB-002", {
    calls: ["does not announce calls", suppressAnnouncements((event) => isType(event, "tool.invoked"))],
    starts: ["does not announce starts", suppressAnnouncements((event) => isType(event, "session.started"))],
    ends: [
      "does not announce ends",
      suppressAnnouncements((event) => isType(event, "session.completed") && event.verbosity === undefined),
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-SUB-003", {
    "": [
      "announces every end of a session in the same way",
      {
        changeAnnouncement: (item) =>
          /^session\.(?:c|e)/.test(item.kind)
            ? { ...item, kind: "session.over", text: item.text.replace(/^\w+:/, "Over:") }
            : item,
      },
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-SUB-004", {
    "": ["crashes on an unknown type", { crashesAt: ({ type }) => type === "touchstone:tide.turned" }],
    leaves: [
      "ends its connection at an unknown type",
      { disconnectsAt: ({ type }) => type === "aaep:agent.purple.flamingo" },
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-SUB-005", {
    values: [
      "drops events with an unknown value",
      suppressAnnouncements(({ risk_level: risk }) => risk !== undefined && !riskLevels.includes(String(risk))),
    ],
    codes: [
      "drops errors of an unknown category",
      suppressAnnouncements(
        ({ error_category: category }) => category !== undefined && !errorCategories.includes(String(category)),
      ),
    ],
    members: ["drops events with an unknown member", suppressAnnouncements((event) => "colour" in event)],
    producers: [
      "drops events whose producer has an unknown member",
      suppressAnnouncements(({ producer }) => isObject(producer) && "colour" in producer),
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-SUB-006", {
    "": [
      "does not announce handoffs",
      suppressAnnouncements((event) => isType(event, "handoff.requested") && Number(event.sequence_number) < 5),
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-SUB-007", {
    "": ["announces repeated events again", { isDuplicate: () => false }],
    few: [
      "recognizes only repetitions of the last five events",
      { isDuplicate: (id, seen) => [...seen].slice(-5).includes(id) },
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-SUB-008", {
    "": ["ignores the order of numbers", { noticesOrder: (isOver) => isOver }],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-TRN-004", {
    "": ["ignores the order of numbers after the end of a session", { noticesOrder: (isOver) => !isOver }],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-SUB-009", {
    "": [
      "completes a truncated frame",
      {
        repairFrame(text) {
          try {
            return text.startsWith('{"@context"') ? (JSON.parse(`${text}}`) as JsonObject) : undefined;
          } catch {
            return undefined;
          }
        },
      },
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-SUB-010", {
    "": [
      "sends the label of a choice instead of its value",
      {
        changeMessage: (message) => (message.response === "saturday" ? { ...message, response: "Saturday" } : message),
      },
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-SUB-011", {
    "": [
      "drops all events that its filters exclude, even critical ones",
      suppressAnnouncements(({ type }, { excludedTypes }) =>
        excludedTypes.some((pattern) => String(type).startsWith(pattern.replace("*", ""))),
      ),
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-SUB-012", {
    "": ["drops events without a number", suppressAnnouncements((event) => event.sequence_number === undefined)],
    progress: [
      "crashes on progress without a percentage",
      { crashesAt: ({ progress }) => isObject(progress) && progress.percent === undefined },
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-EXT-011", {
    "": ["drops events with extensions", suppressAnnouncements((event) => event.extensions !== undefined)],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-STATE-005", {
    "": ["drops unknown states", suppressAnnouncements((event) => event.to_state === "moonwalking")],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-ENV-037", {
    fragile: ["crashes on a large event", { crashesAt: (event) => String(event.summary_normal).length > 100_000 }],
    silent: ["shortens texts without saying so", { noticesSize: false }],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-ENV-038", {
    "": ["accepts only compact JSON", { acceptsFrame: (text) => !text.includes("\n") }],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-ENV-039", {
    "": ["ignores contexts", { isKnownContext: (context) => context !== undefined }],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-I18N-004", {
    "": [
      "drops events without text in its user's language",
      suppressAnnouncements((event) => !/^(?:en|$)/.test(languageOf(event))),
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-I18N-008", {
    "": [
      "drops text that is not in NFC",
      suppressAnnouncements(({ summary_normal: text }) => typeof text === "string" && text !== text.normalize("NFC")),
    ],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-STRM-009", {
    "": ["announces each chunk of output separately", { announcesAt: () => true }],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-BP-008", {
    "": ["stops presenting events under load", { maxEventsPerSecond: 80 }],
  }),
  ...variantsBreaking<SubscriberPolicy>("AAEP-BP-009", {
    "": [
      "drops events under load",
      suppressAnnouncements((event) => Number(event.sequence_number) > 250 && isType(event, "handoff.requested")),
    ],
  }),

  ...connectionVariants,
];
