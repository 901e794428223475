import { isObject, type JsonObject } from "../../../../../../schemas/index.ts";
import { coreNamespace } from "../../../rules/event.ts";
import type { PartyChoice } from "../../choice.ts";
import type { ProducerPolicy } from "../model.ts";

/** The names of broken parties that resume wrongly. */
const resumptions = ["loses", "skips", "forgets", "repeats"].map((name) => `breaks-AAEP-TRN-011-${name}`);

/** Behaviour that the specification leaves to the producer. */
export const freedoms: readonly PartyChoice<ProducerPolicy>[] = [
  {
    name: "ignored-replies-refused",
    kind: "freedom",
    freedoms: ["status-of-ignored-replies"],
    says: "answers replies that it ignores with 400 and a body",
    moots: ["breaks-AAEP-RPL-014", "breaks-AAEP-RPL-014-by-status"],
    makes: ({ answerTo }) => ({
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
    makes: ({ answerTo }) => ({
      answerTo: (objection) =>
        objection === "used" ? { status: 409, body: { error: "already_resolved" } } : answerTo(objection),
    }),
  },
  {
    name: "numbers-of-extensions",
    kind: "freedom",
    factor: "numbers",
    freedoms: ["sequence-numbers"],
    says: "numbers an event of an extension that no subscription is granted",
    makes: ({ event, handshake }) => ({
      event: (each, producer) => {
        const made = event(each, producer);
        const { sequence_number: number } = made;
        // Without a handshake, no filter withholds an event.
        const isUnseen = producer.policy.shakesHands && typeof number === "number" && number > 0;
        return isUnseen ? { ...made, sequence_number: number + 1 } : made;
      },
      handshake: (request, answer, producer) => {
        const { honored_capabilities: honored, ...rest } = handshake(request, answer, producer) ?? {};
        if (Object.keys(rest).length === 0) return undefined;
        return { ...rest, ...(honored === undefined ? {} : { honored_capabilities: coreOf(honored) }) };
      },
    }),
  },
  {
    name: "events-unnumbered",
    kind: "freedom",
    factor: "numbers",
    freedoms: ["sequence-numbers"],
    says: "numbers no event",
    moots: ["breaks-AAEP-ENV-026"],
    makes: ({ event }) => ({ event: (...given) => withoutMembers(event(...given), ["sequence_number"]) }),
  },
  {
    name: "optional-members-left-out",
    kind: "freedom",
    freedoms: ["optional-members", "three-summaries"],
    says: "leaves optional members out of events",
    makes: ({ event }) => ({
      event: (...given) =>
        withoutMembers(event(...given), ["aaep_version", "summary_terse", "summary_detailed", "coalesce_hint"]),
    }),
  },
  {
    name: "texts-tailored",
    kind: "freedom",
    freedoms: ["copies-of-events"],
    says: "words the detailed summary of an event for each subscription",
    makes: ({ tailors }) => ({
      tailors(event, subscription) {
        const made = tailors(event, subscription);
        const { summary_normal: text } = made;
        return typeof text === "string"
          ? { ...made, summary_detailed: `${text} This is for ${subscription.id}.` }
          : made;
      },
    }),
  },
  {
    name: "types-written-out",
    kind: "freedom",
    freedoms: ["type-written-out"],
    says: "writes types as whole addresses",
    makes: ({ frames }) => ({
      frames: (text, event) =>
        frames(text, event).map((each) => each.replace('"type":"aaep:', () => `"type":"${coreNamespace}`)),
    }),
  },
  {
    name: "rejections-with-200",
    kind: "freedom",
    freedoms: ["status-of-rejections"],
    says: "rejects a subscription with HTTP 200",
    makes: () => ({ rejects: 200 }),
  },
  {
    name: "requests-taken-generously",
    kind: "freedom",
    freedoms: ["unknown-versions", "no-common-language", "colliding-prefixes"],
    says: "accepts requests for any version, in any language, and for extensions with the same prefix",
    moots: ["breaks-AAEP-HS-004", "breaks-AAEP-HS-011"],
    makes: ({ objects }) => ({ objects: (reason) => reason === "signature" && objects(reason) }),
    options: { colliding_extensions: [] },
  },
  {
    name: "everybody-asked",
    kind: "freedom",
    freedoms: ["questions-to-the-mute"],
    says: "sends questions to subscribers that cannot answer as well",
    makes: () => ({ isAsked: () => true }),
  },
  {
    name: "streams-waited-for",
    kind: "freedom",
    freedoms: ["streams-to-come"],
    says: "counts a subscription that has not opened its stream yet",
    makes: () => ({ waitsFor: 120_000 }),
  },
  {
    name: "state-summed-up",
    kind: "freedom",
    factor: "resumption",
    freedoms: ["resumption"],
    says: "sends a summary of the state to each subscription that comes back",
    moots: resumptions,
    makes: () => ({ resumes: "the state" }),
  },
  {
    name: "last-state-repeated",
    kind: "freedom",
    factor: "resumption",
    freedoms: ["resumption"],
    says: "repeats the last state and the events after it to each subscription that comes back",
    moots: resumptions,
    makes: () => ({ resumes: "the last state" }),
  },
  {
    name: "broken-connections-kept",
    kind: "freedom",
    freedoms: ["resumption"],
    says: "keeps a subscription with a broken connection, so that it can be resumed",
    makes: ({ frees }) => ({ frees: (leaving) => leaving === "close" && frees(leaving) }),
  },
  {
    name: "modified-actions-supported",
    kind: "freedom",
    freedoms: ["modified-actions"],
    says: "carries out actions that the user has modified",
    makes: ({ consents }) => ({
      consents: (question, answer) =>
        consents(question, answer === undefined ? answer : withoutMembers(answer, ["modified_action"])),
    }),
    options: { modified_action: true },
  },
  {
    name: "nothing-done",
    kind: "freedom",
    freedoms: ["duty-to-act"],
    says: "does not carry out accepted actions",
    makes: ({ acts }) => ({ acts: (answer) => answer === undefined && acts(answer) }),
  },
  {
    name: "accepted-in-vain",
    kind: "freedom",
    freedoms: ["duty-to-act"],
    says: "finds an accepted action impossible, so that the session fails",
    makes: () => ({ fails: true }),
  },
  {
    name: "regions-apart",
    kind: "freedom",
    freedoms: ["languages-of-regions"],
    says: "does not match a language by its region, and then speaks its first language",
    moots: ["breaks-AAEP-I18N-012"],
    makes: () => ({
      language: (wanted, available) => {
        const low = available.map((each) => each.toLowerCase());
        const near = wanted.flatMap((tag) => cuts(tag.toLowerCase())).find((tag) => low.includes(tag));
        return available[low.indexOf(near ?? "")] ?? available[0] ?? "en";
      },
    }),
  },
  {
    name: "waits-aloud",
    kind: "freedom",
    freedoms: ["countdowns"],
    says: "reports its waiting state right after the question",
    makes: ({ whileWaiting }) => ({ whileWaiting: (kind) => [...whileWaiting(kind), waitingEvents] }),
  },
  {
    name: "asks-before-it-waits",
    kind: "freedom",
    freedoms: ["states-around-questions"],
    says: "changes its state after its question for consent, and not before",
    makes: ({ whileWaiting }) => ({
      asksFirst: true,
      whileWaiting: (kind) => [...(kind === "confirmation" ? [waits] : []), ...whileWaiting(kind)],
    }),
  },
  {
    name: "manifest-elsewhere",
    kind: "freedom",
    freedoms: ["paths"],
    says: "publishes its manifest at an address of its own instead of the well-known one",
    makes: () => ({ manifestAt: "/about/manifest.json" }),
  },
  {
    name: "without-handshake",
    kind: "freedom",
    freedoms: ["paths", "framing-of-events", "entitlement", "authentication-at-home", "presence-of-a-manifest"],
    isOpen: true,
    says: "is of level 2, like shipped producers: without a handshake and a manifest, and open to everyone",
    makes: ({ respects, event }) => ({
      paths: { subscriptions: "/subscriptions", events: "/events", replies: "/messages" },
      shakesHands: false,
      respects: (objection, ...more) => objection !== "entitlement" && respects(objection, ...more),
      manifest: () => undefined,
      spells: (data) => `data: ${data}\n\n`,
      event: (...given) => {
        const made = event(...given);
        return isObject(made.producer) ? { ...made, producer: withoutMembers(made.producer, ["manifest_uri"]) } : made;
      },
    }),
    options: { level: 2, preset: "examples", exposed: false },
  },
];

const summaryOf = (text: string): JsonObject => ({
  summary_normal: `${text}.`,
  summary_terse: text,
  summary_detailed: `${text}, as long as the question is open.`,
});
const waitingEvents = [
  "progress.updated",
  { ...summaryOf("Waiting"), progress: { description: "The answer is to come." } },
] as const;
const waits = [
  "state.changed",
  { ...summaryOf("Now awaiting_input"), from_state: "thinking", to_state: "awaiting_input" },
] as const;

function withoutMembers(object: JsonObject, names: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
}

/** A tag, and all its prefixes. */
function cuts(tag: string): string[] {
  const parts = tag.split("-");
  return parts.map((_, index) => parts.slice(0, parts.length - index).join("-"));
}

/** Filters that pass only the core if everything was requested. */
function coreOf(honored: JsonObject[string]): JsonObject[string] {
  if (!isObject(honored) || !isObject(honored.event_filters)) return honored;
  const { include } = honored.event_filters;
  const isAll = Array.isArray(include) && include.includes("*");
  return isAll ? { ...honored, event_filters: { ...honored.event_filters, include: ["aaep:agent.*"] } } : honored;
}
