import { isObject, type Json, type JsonObject } from "../../../../../schemas/index.ts";
import { coreNamespace } from "../../rules/event.ts";
import type { PartyTwin } from "../party-variant.ts";
import { conformingPolicy } from "./conforming-policy.ts";
import type { ProducerPolicy } from "./model.ts";

/** A conforming producer, with the facts that the suite must know about it. */
export interface ProducerTwin extends PartyTwin<ProducerPolicy> {
  /** Set if it admits every caller. */
  isOpen?: true;
  options?: JsonObject;
}

/** The optional members of an event. */
const optionalMembers = ["aaep_version", "sequence_number", "summary_terse", "summary_detailed", "coalesce_hint"];

/** Producers that break no rule, but use the freedoms of the protocol. */
export const producerTwins: readonly ProducerTwin[] = [
  {
    name: "strict",
    freedoms: ["status-of-ignored-replies", "status-of-malformed-replies"],
    policy: {
      // The second event of each session belongs to an extension that no subscription is granted.
      changeEvent: (event) => ({
        ...event,
        sequence_number: Number(event.sequence_number) + (event.sequence_number ? 1 : 0),
      }),
      changeHandshake: (_, { honored_capabilities: honored, ...answer }) =>
        isObject(honored) && isObject(honored.event_filters)
          ? { ...answer, honored_capabilities: { ...honored, event_filters: limitToCore(honored.event_filters) } }
          : { ...answer, ...(honored === undefined ? {} : { honored_capabilities: honored }) },
      answerTo: (objection) =>
        objection === "authentication"
          ? { status: 401 }
          : { status: 400, body: { error: "ignored", message: "the reply was not accepted" } },
    },
  },
  {
    name: "lenient",
    freedoms: [
      "type-written-out",
      "resumption",
      "status-of-rejections",
      "unknown-versions",
      "no-common-language",
      "colliding-prefixes",
      "streams-to-come",
      "questions-to-the-mute",
      "notice-of-resolution",
      "framing-of-events",
      "modified-actions",
    ],
    policy: {
      rejectionStatus: 200,
      rejectsFor: (reason) => reason === "signature",
      getsQuestions: () => true,
      streamGrace: 120_000,
      resumesWith: "the last state",
      answerTo: (objection) =>
        objection === "used"
          ? { status: 409, body: { error: "already_resolved" } }
          : conformingPolicy.answerTo(objection),
      // Types are written as full URIs, and each event is delivered twice.
      writeServerSentEvent: (data, { event_id: id }) =>
        `event:aaep.event\r\nid:${id}\r\n${spreadLines(data.replace('"type":"aaep:', `"type":"${coreNamespace}`))
          .map((line) => `data:${line}\r\n`)
          .join("")}\r\n`.repeat(2),
      hasConsent: (question, answer) =>
        answer === undefined ? conformingPolicy.hasConsent(question, answer) : answer.decision === "accept",
    },
    options: { modified_action: true, colliding_extensions: [] },
  },
  {
    name: "frugal",
    freedoms: ["optional-members", "sequence-numbers", "resumption", "duty-to-act"],
    policy: {
      changeEvent: (event) =>
        Object.fromEntries(Object.entries(event).filter(([name]) => !optionalMembers.includes(name))),
      resumesWith: "the state",
      unlistsAfter: (leaving) => leaving === "close",
      carriesOut: (answer) => answer === undefined,
    },
  },
  {
    name: "shipped",
    freedoms: ["paths", "entitlement", "authentication-at-home", "presence-of-a-manifest"],
    isOpen: true,
    policy: {
      paths: { subscriptions: "/subscriptions", events: "/events", replies: "/messages" },
      shakesHands: false,
      respects: (objection) => objection !== "entitlement",
      writeServerSentEvent: (data) => `data: ${data}\n\n`,
      changeManifest: () => undefined,
      changeEvent: (event) => ({ ...event, producer: { agent_id: "harbour-desk" } }),
    },
    options: { level: 2, preset: "examples", exposed: false },
  },
];

/** Grants only core events if all events were requested. */
function limitToCore({ include, ...otherFilters }: JsonObject): JsonObject {
  const includesEverything = Array.isArray(include) && include.includes("*");
  return {
    ...otherFilters,
    ...(include === undefined ? {} : { include: includesEverything ? ["aaep:agent.*"] : include }),
  };
}

/** Formats JSON over several lines. */
function spreadLines(data: string): string[] {
  return JSON.stringify(JSON.parse(data) as Json, null, 1).split("\n");
}
