import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import { coreNamespace } from "../../../rules/event.ts";
import type { PartyChoice } from "../../party-choice.ts";
import type { ProducerPolicy } from "../model.ts";

/** The names of the variants that resume wrongly. */
const resumptionVariants = ["loses", "skips", "forgets", "repeats"].map((name) => `breaks-AAEP-TRN-011-${name}`);

/** Behaviour that the specification leaves to the producer. */
export const freedoms: readonly PartyChoice<ProducerPolicy>[] = [
  {
    name: "ignored-replies-refused",
    kind: "freedom",
    freedoms: ["status-of-ignored-replies"],
    says: "answers replies that it ignores with 400 and a body",
    moots: ["breaks-AAEP-RPL-014", "breaks-AAEP-RPL-014-by-status"],
    changePolicy: ({ answerTo }) => ({
      answerTo: (objection) =>
        objection === "authentication"
          ? answerTo(objection)
          : { status: 400, body: { error: "ignored", message: "the reply was not accepted" } },
    }),
  },
  {
    name: "resolution-told",
    kind: "freedom",
    freedoms: ["notice-of-resolution"],
    says: "answers a reply to a resolved question with 409",
    changePolicy: ({ answerTo }) => ({
      answerTo: (objection) =>
        objection === "used" ? { status: 409, body: { error: "already_resolved" } } : answerTo(objection),
    }),
  },
  {
    name: "numbers-of-extensions",
    kind: "freedom",
    factor: "numbers",
    freedoms: ["sequence-numbers"],
    says: "also numbers an event of an extension that no subscription is granted",
    changePolicy: ({ changeEvent, changeHandshake }) => ({
      changeEvent: (original, producer) => {
        const changedEvent = changeEvent(original, producer);
        const { sequence_number: number } = changedEvent;
        // Without a handshake, no filter withholds an event.
        const isUnseen = producer.policy.shakesHands && typeof number === "number" && number > 0;
        return isUnseen ? { ...changedEvent, sequence_number: number + 1 } : changedEvent;
      },
      changeHandshake: (request, answer, producer) => {
        const { honored_capabilities: honored, ...acceptance } = changeHandshake(request, answer, producer) ?? {};
        if (Object.keys(acceptance).length === 0) return undefined;
        return { ...acceptance, ...(honored === undefined ? {} : { honored_capabilities: limitToCore(honored) }) };
      },
    }),
  },
  {
    name: "events-unnumbered",
    kind: "freedom",
    factor: "numbers",
    freedoms: ["sequence-numbers"],
    says: "does not number events",
    moots: ["breaks-AAEP-ENV-026"],
    changePolicy: ({ changeEvent }) => ({
      changeEvent: (...eventArguments) => withoutMembers(changeEvent(...eventArguments), ["sequence_number"]),
    }),
  },
  {
    name: "optional-members-left-out",
    kind: "freedom",
    freedoms: ["optional-members", "three-summaries"],
    says: "leaves optional members out of events",
    changePolicy: ({ changeEvent }) => ({
      changeEvent: (...eventArguments) =>
        withoutMembers(changeEvent(...eventArguments), [
          "aaep_version",
          "summary_terse",
          "summary_detailed",
          "coalesce_hint",
        ]),
    }),
  },
  {
    name: "texts-tailored",
    kind: "freedom",
    freedoms: ["copies-of-events"],
    says: "words the detailed summary of an event for each subscription",
    changePolicy: ({ tailorEvent }) => ({
      tailorEvent(event, subscription) {
        const tailoredEvent = tailorEvent(event, subscription);
        const { summary_normal: text } = tailoredEvent;
        return typeof text === "string"
          ? { ...tailoredEvent, summary_detailed: `${text} This is for ${subscription.id}.` }
          : tailoredEvent;
      },
    }),
  },
  {
    name: "types-written-out",
    kind: "freedom",
    freedoms: ["type-written-out"],
    says: "writes event types as full URIs",
    changePolicy: ({ framesOf }) => ({
      framesOf: (text, event) =>
        framesOf(text, event).map((frame) => frame.replace('"type":"aaep:', () => `"type":"${coreNamespace}`)),
    }),
  },
  {
    name: "rejections-with-200",
    kind: "freedom",
    freedoms: ["status-of-rejections"],
    says: "rejects a subscription with HTTP 200",
    changePolicy: () => ({ rejectionStatus: 200 }),
  },
  {
    name: "requests-taken-generously",
    kind: "freedom",
    freedoms: ["unknown-versions", "no-common-language", "colliding-prefixes"],
    says: "accepts requests for any version, in any language, and for extensions with the same prefix",
    moots: ["breaks-AAEP-HS-004", "breaks-AAEP-HS-011"],
    changePolicy: ({ rejectsFor }) => ({ rejectsFor: (reason) => reason === "signature" && rejectsFor(reason) }),
    options: { colliding_extensions: [] },
  },
  {
    name: "everybody-asked",
    kind: "freedom",
    freedoms: ["questions-to-the-mute"],
    says: "also sends questions to subscribers that cannot answer",
    changePolicy: () => ({ getsQuestions: () => true }),
  },
  {
    name: "streams-waited-for",
    kind: "freedom",
    freedoms: ["streams-to-come"],
    says: "counts a subscription that has not opened its stream yet",
    changePolicy: () => ({ streamGrace: 120_000 }),
  },
  {
    name: "state-summed-up",
    kind: "freedom",
    factor: "resumption",
    freedoms: ["resumption"],
    says: "sends a summary of the state to each subscription that reconnects",
    moots: resumptionVariants,
    changePolicy: () => ({ resumesWith: "the state" }),
  },
  {
    name: "last-state-repeated",
    kind: "freedom",
    factor: "resumption",
    freedoms: ["resumption"],
    says: "repeats the last state and the events after it to each subscription that reconnects",
    moots: resumptionVariants,
    changePolicy: () => ({ resumesWith: "the last state" }),
  },
  {
    name: "broken-connections-kept",
    kind: "freedom",
    freedoms: ["resumption"],
    says: "keeps a subscription with a broken connection, so that it can be resumed",
    changePolicy: ({ unlistsAfter }) => ({ unlistsAfter: (leaving) => leaving === "close" && unlistsAfter(leaving) }),
  },
  {
    name: "modified-actions-supported",
    kind: "freedom",
    freedoms: ["modified-actions"],
    says: "carries out actions that the user has modified",
    changePolicy: ({ hasConsent }) => ({
      hasConsent: (question, answer) =>
        hasConsent(question, answer === undefined ? answer : withoutMembers(answer, ["modified_action"])),
    }),
    options: { modified_action: true },
  },
  {
    name: "nothing-done",
    kind: "freedom",
    freedoms: ["duty-to-act"],
    says: "does not carry out accepted actions",
    changePolicy: ({ carriesOut }) => ({ carriesOut: (answer) => answer === undefined && carriesOut(answer) }),
  },
  {
    name: "accepted-in-vain",
    kind: "freedom",
    freedoms: ["duty-to-act"],
    says: "finds an accepted action impossible, so that the session fails",
    changePolicy: () => ({ failsAcceptedAction: true }),
  },
  {
    name: "regions-apart",
    kind: "freedom",
    freedoms: ["languages-of-regions"],
    says: "does not match regional variants of a language, and uses its first language instead",
    moots: ["breaks-AAEP-I18N-012"],
    changePolicy: () => ({
      chooseLanguage: (requestedTags, available) => {
        const lowerCaseTags = available.map((language) => language.toLowerCase());
        const match = requestedTags
          .flatMap((tag) => prefixesOf(tag.toLowerCase()))
          .find((tag) => lowerCaseTags.includes(tag));
        return available[lowerCaseTags.indexOf(match ?? "")] ?? available[0] ?? "en";
      },
    }),
  },
  {
    name: "waits-aloud",
    kind: "freedom",
    freedoms: ["countdowns"],
    says: "reports its waiting state right after the question",
    changePolicy: ({ whileWaiting }) => ({ whileWaiting: (kind) => [...whileWaiting(kind), waitingEvents] }),
  },
  {
    name: "asks-before-it-waits",
    kind: "freedom",
    freedoms: ["states-around-questions"],
    says: "changes its state after its question for consent, and not before",
    changePolicy: ({ whileWaiting }) => ({
      asksBeforeWaiting: true,
      whileWaiting: (kind) => [...(kind === "confirmation" ? [waitingState] : []), ...whileWaiting(kind)],
    }),
  },
  {
    name: "manifest-elsewhere",
    kind: "freedom",
    freedoms: ["paths"],
    says: "publishes its manifest at an address other than the well-known one",
    changePolicy: () => ({ manifestPath: "/about/manifest.json" }),
  },
  {
    name: "without-handshake",
    kind: "freedom",
    freedoms: ["paths", "framing-of-events", "entitlement", "authentication-at-home", "presence-of-a-manifest"],
    isOpen: true,
    says: "has level 2, like shipped producers: no handshake, no manifest, and open to everyone",
    changePolicy: ({ respects, changeEvent }) => ({
      paths: { subscriptions: "/subscriptions", events: "/events", replies: "/messages" },
      shakesHands: false,
      respects: (objection, ...replyArguments) => objection !== "entitlement" && respects(objection, ...replyArguments),
      changeManifest: () => undefined,
      writeServerSentEvent: (data) => `data: ${data}\n\n`,
      changeEvent: (...eventArguments) => {
        const changedEvent = changeEvent(...eventArguments);
        return isObject(changedEvent.producer)
          ? { ...changedEvent, producer: withoutMembers(changedEvent.producer, ["manifest_uri"]) }
          : changedEvent;
      },
    }),
    options: { level: 2, preset: "examples", exposed: false },
  },
];

const makeSummaries = (text: string): JsonObject => ({
  summary_normal: `${text}.`,
  summary_terse: text,
  summary_detailed: `${text}, until the question is answered.`,
});
const waitingEvents = [
  "progress.updated",
  { ...makeSummaries("Waiting"), progress: { description: "The answer has not arrived yet." } },
] as const;
const waitingState = [
  "state.changed",
  { ...makeSummaries("Now awaiting_input"), from_state: "thinking", to_state: "awaiting_input" },
] as const;

function withoutMembers(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** Lists a language tag and its prefixes, the longest first. */
function prefixesOf(tag: string): string[] {
  const parts = tag.split("-");
  return parts.map((_, index) => parts.slice(0, parts.length - index).join("-"));
}

/** Grants only core events if all events were requested. */
function limitToCore(honored: JsonObject[string]): JsonObject[string] {
  if (!isObject(honored) || !isObject(honored.event_filters)) return honored;
  const { include } = honored.event_filters;
  const includesEverything = Array.isArray(include) && include.includes("*");
  return includesEverything
    ? { ...honored, event_filters: { ...honored.event_filters, include: ["aaep:agent.*"] } }
    : honored;
}
