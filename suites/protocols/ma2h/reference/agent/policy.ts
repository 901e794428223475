import { isObject, type JsonObject } from "../../../../../schemas/index.ts";
import type { EntryKind } from "../../rules/kinds.ts";

/** An entry as its agent received it. */
export interface ReceivedEntry {
  kind: EntryKind["member"];
  payload: JsonObject;
  /** Acknowledgments name it. */
  key: string;
}

/** The senders with asks and tasks that an agent accepts. */
export type SenderPolicy = "any" | readonly string[] | undefined;

/** The decisions of an agent with a mailbox. */
export interface MailAgentPolicy {
  /** Whether an entry has a form that such entries never have. */
  isMisshapen(entry: ReceivedEntry): boolean;
  /** The part of an entry that the action gets. */
  uses(payload: JsonObject): JsonObject;
  /** The key that identifies an entry on every way; undefined if it never is recognized. */
  sameness(key: string, way: "drained" | "read"): string | undefined;
  /** Whether it acknowledges before it acts. */
  acknowledgesFirst: boolean;
  /** The key that its acknowledgment names. */
  names(entry: ReceivedEntry): string;
  /** Whether it acts on an ask or a task of this sender. */
  trusts(payload: JsonObject, senders: SenderPolicy): boolean;
  /** Whether an entry comes too late, given the latest that it has acted on. */
  isStale(payload: JsonObject, latest: number): boolean;
  /** Whether members that are not signed speak against an entry. */
  doubts(payload: JsonObject): boolean;
  /** Whether it registers again after the operator has stopped it. */
  returnsAfterStop: boolean;
  /** Whether it reports failures to its caller. */
  reports: boolean;
  /** Milliseconds after which it registers again. */
  pause: number;
  /** How often it sends a message that is refused with an unknown code. */
  tries: number;
  /** Whether it looks for the offer before it addresses a message. */
  detects: boolean;
  /** Whether it counts an address as honoured only with a destination. */
  wantsDestination: boolean;
  withdrawsMisrouted: boolean;
  /** Whether it names its session in its messages. */
  namesSession: boolean;
  /** Whether it names its session when it acknowledges. */
  acknowledgesInSession: boolean;
}

const never: Readonly<Record<string, readonly string[]>> = {
  directive: ["request", "action", "state"],
  message: ["state", "client_ref"],
};

/** The members that an action may see: the signed ones, and the sender. */
const signed = ["type", "title", "body", "priority", "tags", "context", "request", "action", "from", "id", "to"];

function hasCallback({ request, action }: JsonObject): boolean {
  return [request, action].some((block) => isObject(block) && block.callback !== undefined);
}

function minorOf({ ma2h_version: version }: JsonObject): number {
  return Number(/^0\.(\d+)$/.exec(String(version))?.[1] ?? Number.NaN);
}

/** The decisions that the protocol requires. */
export const rightMailAgent: MailAgentPolicy = {
  isMisshapen({ kind, payload }) {
    const isOdd = (never[kind] ?? []).some((name) => payload[name] !== undefined);
    return (
      isOdd || (kind === "message" && hasCallback(payload)) || !(minorOf(payload) >= (kind === "directive" ? 4 : 5))
    );
  },
  uses: (payload) =>
    Object.fromEntries(
      signed.flatMap((name) => (payload[name] === undefined ? [] : [[name, payload[name]]])),
    ) as JsonObject,
  sameness: (key) => key,
  acknowledgesFirst: false,
  names: ({ key }) => key,
  trusts({ from }, senders) {
    if (senders === undefined) return false;
    const [, agent = ""] = /^agent:([^#]+)/.exec(String(from)) ?? [];
    return senders === "any" || senders.includes(agent);
  },
  isStale: () => false,
  doubts: () => false,
  returnsAfterStop: false,
  reports: true,
  pause: 1000,
  tries: 1,
  detects: true,
  wantsDestination: true,
  withdrawsMisrouted: true,
  namesSession: true,
  acknowledgesInSession: true,
};
