import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import type { EntryKind } from "../../rules/kinds.ts";

/** An entry as its agent received it. */
export interface ReceivedEntry {
  kind: EntryKind["member"];
  payload: JsonObject;
  /** The key that acknowledgments name. */
  key: string;
}

/** The senders from which an agent accepts asks and tasks. */
export type SenderPolicy = "any" | readonly string[] | undefined;

/** The decisions of an agent with a mailbox. */
export interface MailAgentPolicy {
  /** Whether an entry has members or a version that its kind does not allow. */
  isMalformed(entry: ReceivedEntry): boolean;
  /** The members of an entry that are passed to the action. */
  actionInput(payload: JsonObject): JsonObject;
  /** The identity by which a repeated entry is recognized. Undefined if repetitions are not recognized. */
  identityOf(key: string, channel: "drained" | "read"): string | undefined;
  /** Whether the agent acknowledges an entry before it acts. */
  acknowledgesFirst: boolean;
  /** The key that the acknowledgment of an entry names. */
  acknowledgedKey(entry: ReceivedEntry): string;
  /** Whether the agent acts on an ask or a task from this sender. */
  trustsSender(payload: JsonObject, senders: SenderPolicy): boolean;
  /** Whether the agent drops an entry as too old. `latest` is the time of the latest entry on which it has acted. */
  isStale(payload: JsonObject, latest: number): boolean;
  /** Whether the agent drops an entry because of unsigned members. */
  rejectsByUnsigned(payload: JsonObject): boolean;
  /** Whether the agent registers again after the operator has stopped it. */
  returnsAfterStop: boolean;
  /** Whether the agent reports failures to its caller. */
  reportsFailures: boolean;
  /** Milliseconds between the end of a session and the next registration. */
  pauseMs: number;
  /** How often the agent sends a message that is refused with an unknown code. */
  maxTries: number;
  /** Whether the agent only addresses messages if the hub offers messages between agents. */
  checksOffer: boolean;
  /** Whether the agent reports a failure if the acknowledgment of an addressed message has no destination. */
  requiresDestination: boolean;
  /** Whether the agent withdraws an addressed message that has no destination. */
  withdrawsMisrouted: boolean;
  /** Whether the agent names its session in its messages. */
  namesSession: boolean;
  /** Whether the agent names its session in acknowledgments. */
  acknowledgesInSession: boolean;
}

/** Members that an entry of a kind must not have. */
const forbiddenMembers: Readonly<Record<string, readonly string[]>> = {
  directive: ["request", "action", "state"],
  message: ["state", "client_ref"],
};

/** The members that an action may see: the signed members, and the sender. */
const visibleMembers = [
  "type",
  "title",
  "body",
  "priority",
  "tags",
  "context",
  "request",
  "action",
  "from",
  "id",
  "to",
];

function hasCallback({ request, action }: JsonObject): boolean {
  return [request, action].some((block) => isObject(block) && block.callback !== undefined);
}

function minorOf({ ma2h_version: version }: JsonObject): number {
  return Number(/^0\.(\d+)$/.exec(String(version))?.[1] ?? Number.NaN);
}

/** The decisions that the protocol requires. */
export const rightMailAgent: MailAgentPolicy = {
  isMalformed({ kind, payload }) {
    const hasForbidden = (forbiddenMembers[kind] ?? []).some((name) => payload[name] !== undefined);
    const firstMinor = kind === "directive" ? 4 : 5;
    // Negated, so that a version without a minor (NaN) is malformed too.
    const isTooOld = !(minorOf(payload) >= firstMinor);
    return hasForbidden || isTooOld || (kind === "message" && hasCallback(payload));
  },
  actionInput: (payload) =>
    Object.fromEntries(
      visibleMembers.flatMap((name) => (payload[name] === undefined ? [] : [[name, payload[name]]])),
    ) as JsonObject,
  identityOf: (key) => key,
  acknowledgesFirst: false,
  acknowledgedKey: ({ key }) => key,
  trustsSender({ from }, senders) {
    if (senders === undefined) return false;
    const [, agent = ""] = /^agent:([^#]+)/.exec(String(from)) ?? [];
    return senders === "any" || senders.includes(agent);
  },
  isStale: () => false,
  rejectsByUnsigned: () => false,
  returnsAfterStop: false,
  reportsFailures: true,
  pauseMs: 1000,
  maxTries: 1,
  checksOffer: true,
  requiresDestination: true,
  withdrawsMisrouted: true,
  namesSession: true,
  acknowledgesInSession: true,
};
