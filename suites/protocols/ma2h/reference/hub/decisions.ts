import type { JsonObject } from "../../../../../schemas/index.ts";
import type { StoredMessage } from "../../../ahcp/reference/hub/store.ts";

/** The delivery state of an outcome. Times are milliseconds since 1970. */
export interface ResponseTrack {
  deliveredAt?: number;
  acknowledgedAt?: number;
  ack?: JsonObject;
}

/** The decisions of a hub about resolving and acknowledging, which AHCP does not have. A variant overrides some of them. */
export interface Ma2hDecisions {
  /** The actor of a resolve by HTTP. */
  nameResolver(principal: string, body: JsonObject): string;
  /** Whether a caller may resolve a message. `isPermitted` is the correct decision. */
  mayResolve(isPermitted: boolean, principal: string, entry: StoredMessage): boolean;
  /** Whether the body of a resolve is checked against its schema. */
  validatesResolves: boolean;
  /** Whether the values of a resolve are checked against the message. */
  validatesValues: boolean;
  /** Forbidden resolutions that this hub accepts. */
  extraResolutions: readonly string[];
  /** The body of a resolve as it is applied. */
  changeResolve(body: JsonObject): JsonObject;
  /** The answer to a successful resolve. */
  presentResolved(answer: JsonObject, entry: StoredMessage): JsonObject;
  /** Whether a late resolve is answered as if it were successful. */
  acceptsLateResolvers: boolean;
  /** Whether all of several simultaneous resolves are answered as if they were successful. */
  acceptsRivalResolvers: boolean;
  /** The status with which a resolver that is not involved in the message is refused. */
  strangerStatus: 403 | 404;

  /** Whether a push in this state has delivered its outcome. */
  isPushed(push: string | undefined): boolean;
  /** Whether an outcome can be acknowledged, given its status and track. */
  mayAcknowledge(status: string, track: ResponseTrack): boolean;
  /** Whether the caller may acknowledge. `isSubmitter` is the correct decision. */
  mayActAsSubmitter(isSubmitter: boolean): boolean;
  /** The acknowledgment to keep, if there was an earlier one. */
  chooseAck(ack: JsonObject, body: JsonObject, earlierAck: JsonObject | undefined): JsonObject;
  /** The delivery track that a read shows. */
  presentDelivery(delivery: JsonObject): JsonObject | undefined;
}

/** The decisions that the protocol requires. */
export const correctDecisions: Ma2hDecisions = {
  nameResolver: (principal) => `agent:${principal}`,
  mayResolve: (isPermitted) => isPermitted,
  validatesResolves: true,
  validatesValues: true,
  extraResolutions: [],
  changeResolve: (body) => body,
  presentResolved: (answer) => answer,
  acceptsLateResolvers: false,
  acceptsRivalResolvers: false,
  strangerStatus: 404,

  isPushed: (push) => push === "delivered",
  mayAcknowledge: (status, { deliveredAt }) => isOver(status) && deliveredAt !== undefined,
  mayActAsSubmitter: (isSubmitter) => isSubmitter,
  chooseAck: (ack, _body, earlierAck) => earlierAck ?? ack,
  presentDelivery: (delivery) => delivery,
};

/** Whether an ask or a task has ended. */
export function isOver(status: string): boolean {
  return status !== "open" && status !== "delivered";
}
