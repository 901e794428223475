import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import { breaks, type PartyVariant } from "../party-variant.ts";
import { connectionVariants } from "./connections.ts";
import type { SubscriberPolicy } from "./model.ts";
import { silentOn } from "./policy-changes.ts";
import { languageOf } from "./present.ts";

const isType = (event: JsonObject, name: string): boolean => event.type === `aaep:agent.${name}`;
const riskLevels = ["low", "medium", "high"];
const errorCategories = ["transient", "permanent", "requires_user", "unknown"];

/** Subscribers that break one rule each. */
export const subscriberVariants: readonly PartyVariant<SubscriberPolicy>[] = [
  ...breaks<SubscriberPolicy>("AAEP-SUB-001", {
    "": ["crashes on a state that is not a string", { crashesAt: ({ from_state: from }) => isObject(from) }],
    unvalidated: ["accepts any object with a type", { hasValidEnvelope: ({ type }) => typeof type === "string" }],
    returns: [
      "breaks its connection at each invalid event, and subscribes again",
      { maxCrashes: Number.POSITIVE_INFINITY },
    ],
    tires: ["subscribes again only twice after a crash on an invalid event", { maxCrashes: 2 }],
  }),
  ...breaks<SubscriberPolicy>("AAEP-SUB-002", {
    calls: ["does not announce calls", silentOn((event) => isType(event, "tool.invoked"))],
    starts: ["does not announce starts", silentOn((event) => isType(event, "session.started"))],
    ends: [
      "does not announce ends",
      silentOn((event) => isType(event, "session.completed") && event.verbosity === undefined),
    ],
  }),
  ...breaks<SubscriberPolicy>("AAEP-SUB-003", {
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
  ...breaks<SubscriberPolicy>("AAEP-SUB-004", {
    "": ["crashes on an unknown type", { crashesAt: ({ type }) => type === "touchstone:tide.turned" }],
    leaves: [
      "ends its connection at an unknown type",
      { disconnectsAt: ({ type }) => type === "aaep:agent.purple.flamingo" },
    ],
  }),
  ...breaks<SubscriberPolicy>("AAEP-SUB-005", {
    values: [
      "drops events with an unknown value",
      silentOn(({ risk_level: risk }) => risk !== undefined && !riskLevels.includes(String(risk))),
    ],
    codes: [
      "drops errors of an unknown category",
      silentOn(({ error_category: category }) => category !== undefined && !errorCategories.includes(String(category))),
    ],
    members: ["drops events with an unknown member", silentOn((event) => "colour" in event)],
    producers: [
      "drops events whose producer has an unknown member",
      silentOn(({ producer }) => isObject(producer) && "colour" in producer),
    ],
  }),
  ...breaks<SubscriberPolicy>("AAEP-SUB-006", {
    "": [
      "does not announce handoffs",
      silentOn((event) => isType(event, "handoff.requested") && Number(event.sequence_number) < 5),
    ],
  }),
  ...breaks<SubscriberPolicy>("AAEP-SUB-007", {
    "": ["announces repeated events again", { isDuplicate: () => false }],
    few: [
      "recognizes only repetitions of the last five events",
      { isDuplicate: (id, seen) => [...seen].slice(-5).includes(id) },
    ],
  }),
  ...breaks<SubscriberPolicy>("AAEP-SUB-008", {
    "": ["ignores the order of numbers", { noticesOrder: (isOver) => isOver }],
  }),
  ...breaks<SubscriberPolicy>("AAEP-TRN-004", {
    "": ["ignores the order of numbers after the end of a session", { noticesOrder: (isOver) => !isOver }],
  }),
  ...breaks<SubscriberPolicy>("AAEP-SUB-009", {
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
  ...breaks<SubscriberPolicy>("AAEP-SUB-010", {
    "": [
      "sends the label of a choice instead of its value",
      {
        changeMessage: (message) => (message.response === "saturday" ? { ...message, response: "Saturday" } : message),
      },
    ],
  }),
  ...breaks<SubscriberPolicy>("AAEP-SUB-011", {
    "": [
      "drops all events that its filters exclude, even critical ones",
      silentOn(({ type }, { excludedTypes }) =>
        excludedTypes.some((pattern) => String(type).startsWith(pattern.replace("*", ""))),
      ),
    ],
  }),
  ...breaks<SubscriberPolicy>("AAEP-SUB-012", {
    "": ["drops events without a number", silentOn((event) => event.sequence_number === undefined)],
    progress: [
      "crashes on progress without a percentage",
      { crashesAt: ({ progress }) => isObject(progress) && progress.percent === undefined },
    ],
  }),
  ...breaks<SubscriberPolicy>("AAEP-EXT-011", {
    "": ["drops events with extensions", silentOn((event) => event.extensions !== undefined)],
  }),
  ...breaks<SubscriberPolicy>("AAEP-STATE-005", {
    "": ["drops unknown states", silentOn((event) => event.to_state === "moonwalking")],
  }),
  ...breaks<SubscriberPolicy>("AAEP-ENV-037", {
    fragile: ["crashes on a large event", { crashesAt: (event) => String(event.summary_normal).length > 100_000 }],
    silent: ["shortens texts without saying so", { noticesSize: false }],
  }),
  ...breaks<SubscriberPolicy>("AAEP-ENV-038", {
    "": ["accepts only compact JSON", { acceptsFrame: (text) => !text.includes("\n") }],
  }),
  ...breaks<SubscriberPolicy>("AAEP-ENV-039", {
    "": ["ignores contexts", { isKnownContext: (context) => context !== undefined }],
  }),
  ...breaks<SubscriberPolicy>("AAEP-I18N-004", {
    "": ["drops events without text in its user's language", silentOn((event) => !/^(?:en|$)/.test(languageOf(event)))],
  }),
  ...breaks<SubscriberPolicy>("AAEP-I18N-008", {
    "": [
      "drops text that is not in NFC",
      silentOn(({ summary_normal: text }) => typeof text === "string" && text !== text.normalize("NFC")),
    ],
  }),
  ...breaks<SubscriberPolicy>("AAEP-STRM-009", {
    "": ["announces each chunk of output separately", { announcesAt: () => true }],
  }),
  ...breaks<SubscriberPolicy>("AAEP-BP-008", {
    "": ["stops presenting events under load", { maxEventsPerSecond: 80 }],
  }),
  ...breaks<SubscriberPolicy>("AAEP-BP-009", {
    "": [
      "drops events under load",
      silentOn((event) => Number(event.sequence_number) > 250 && isType(event, "handoff.requested")),
    ],
  }),

  ...connectionVariants,
];
