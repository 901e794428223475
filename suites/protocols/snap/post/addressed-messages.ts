import { type JsonObject, pointer } from "../../../../schemas/index.ts";
import { decodeAddress, hasForm, networkOf } from "../rules/address.ts";
import { keyOf, type TestKey } from "../rules/keys.ts";

/** The recipient of a message, and the sender of new messages. */
export interface Correspondent {
  identity: string;
  /** A different sender for each call. */
  stranger(): TestKey;
  keep: readonly string[];
}

const keeps = (keep: readonly string[], at: string): boolean => keep.some((each) => pointer.areRelated(each, at));

/** Why a message, or its text, is not suitable for a live receiver. */
export function strayReason(
  message: JsonObject,
  { identity, keep }: Correspondent,
  isText: boolean,
): string | undefined {
  const { type, timestamp, from, to } = message;
  if (type === "response" || type === "event") return `only requests are sent to an agent: this is of type ${type}`;
  const isTime = typeof timestamp === "number" && Number.isSafeInteger(timestamp) && timestamp >= 0;
  if (isTime && keeps(keep, "/timestamp")) return "it is about a timestamp, and a live agent refuses old messages";
  if (isText && ["/to", "/sig"].some((at) => keeps(keep, at)))
    return "its text is about a point on which agents differ";
  const isElsewhere = isAddress(to) && networkOf(to) !== networkOf(identity);
  if (
    isElsewhere &&
    (keeps(keep, "/to") || keeps(keep, "/from")) &&
    isAddress(from) &&
    networkOf(from) === networkOf(to)
  )
    return "it is about an identity on the other network";
  return undefined;
}

/** The message for this recipient, and its signer; none if the sender has no known key. */
export function addressMessage(
  message: JsonObject,
  { identity, stranger, keep }: Correspondent,
): { message: JsonObject; by?: TestKey } {
  const senderKey = hasForm(message.from) ? keyOf(message.from) : undefined;
  const key = senderKey !== undefined && keeps(keep, "/id") && !keeps(keep, "/from") ? stranger() : senderKey;
  if (key === undefined) return { message };
  const { from, to } = message as { from: string; to?: string };
  const isKnown = isAddress(to) && keyOf(to) !== undefined;
  if (!isKnown) return { message: { ...message, from: key.address[networkOf(from)] }, by: key };
  // A sender on another network than the recipient keeps its network.
  const recipientNetwork = networkOf(identity);
  const otherNetwork = recipientNetwork === "main" ? "test" : "main";
  return {
    message: {
      ...message,
      from: key.address[networkOf(from) === networkOf(to) ? recipientNetwork : otherNetwork],
      to: identity,
    },
    by: key,
  };
}

function isAddress(value: unknown): value is string {
  return hasForm(value) && "key" in decodeAddress(value);
}
