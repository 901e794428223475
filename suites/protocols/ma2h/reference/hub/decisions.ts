import type { JsonObject } from "../../../../../schemas/index.ts";
import type { StoredMessage } from "../../../ahcp/reference/hub/store.ts";

/** How far an outcome is on its way to its agent. */
export interface ResponseTrack {
  deliveredAt?: number;
  acknowledgedAt?: number;
  ack?: JsonObject;
}

/** The points at which a hub decides on what AHCP does not have. A variant overrides some. */
export interface OwnDecisions {
  /** Who resolves by HTTP. */
  resolver(principal: string, body: JsonObject): string;
  /** Whether a caller may resolve a message, given the hub's own judgement. */
  mayResolve(isPermitted: boolean, principal: string, entry: StoredMessage): boolean;
  /** Whether the body of a resolve is checked against its schema. */
  readsStrictly: boolean;
  /** Whether the values of a resolve are checked against the message. */
  judgesValue: boolean;
  /** The words that no resolver may use, but this hub lets through. */
  moreWords: readonly string[];
  /** The body that is resolved with. */
  resolves(body: JsonObject): JsonObject;
  /** The answer to a resolver. */
  resolved(answer: JsonObject, entry: StoredMessage): JsonObject;
  /** Whether a late resolver is told that it was in time. */
  pleasesLate: boolean;
  /** Whether simultaneous resolvers are all told so. */
  pleasesRivals: boolean;
  /** The status for a stranger that resolves. */
  strange: 403 | 404;

  /** Whether a push in this state has brought its outcome. */
  isPushed(push: string | undefined): boolean;
  /** Whether an outcome can be acknowledged, given its status and track. */
  mayAcknowledge(status: string, track: ResponseTrack): boolean;
  /** Whether the caller may, given that it submitted the message. */
  isSubmitter(isTheirs: boolean): boolean;
  /** The acknowledgment that is kept. */
  acknowledges(ack: JsonObject, body: JsonObject, before: JsonObject | undefined): JsonObject;
  /** The track that a read shows. */
  shows(delivery: JsonObject): JsonObject | undefined;
}

/** Decides everything as the protocol says. */
export const rightly: OwnDecisions = {
  resolver: (principal) => `agent:${principal}`,
  mayResolve: (isPermitted) => isPermitted,
  readsStrictly: true,
  judgesValue: true,
  moreWords: [],
  resolves: (body) => body,
  resolved: (answer) => answer,
  pleasesLate: false,
  pleasesRivals: false,
  strange: 404,

  isPushed: (push) => push === "delivered",
  mayAcknowledge: (status, { deliveredAt }) => isOver(status) && deliveredAt !== undefined,
  isSubmitter: (isTheirs) => isTheirs,
  acknowledges: (ack, _body, before) => before ?? ack,
  shows: (delivery) => delivery,
};

/** Whether an ask or a task has ended. */
export function isOver(status: string): boolean {
  return status !== "open" && status !== "delivered";
}
