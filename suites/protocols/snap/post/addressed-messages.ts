import { type JsonObject, pointer } from "../../../../schemas/index.ts";
import { decodeAddress, hasForm, networkOf } from "../rules/address.ts";
import { keyOf, type TestKey } from "../rules/keys.ts";

/** The recipient of a message, and the sender of new messages. */
export interface Correspondent {
  identity: string;
  /** Returns a different sender for each call. */
  stranger(): TestKey;
  /** JSON Pointers to the members that must stay as they are. */
  keep: readonly string[];
}

const isKept = (keep: readonly string[], path: string): boolean => keep.some((kept) => pointer.areRelated(kept, path));

/** Explains why a message, or its raw text, is not suitable for a live receiver. Undefined if it is. */
export function unsuitableReason(
  message: JsonObject,
  { identity, keep }: Correspondent,
  isText: boolean,
): string | undefined {
  const { type, timestamp, from, to } = message;
  if (type === "response" || type === "event") return `only requests are sent to an agent: this is of type ${type}`;
  const isTime = typeof timestamp === "number" && Number.isSafeInteger(timestamp) && timestamp >= 0;
  if (isTime && isKept(keep, "/timestamp")) return "it is about a timestamp, and a live agent refuses old messages";
  if (isText && ["/to", "/sig"].some((path) => isKept(keep, path)))
    return "its text is about a point on which agents differ";
  const isOnOtherNetwork = isAddress(to) && networkOf(to) !== networkOf(identity);
  if (
    isOnOtherNetwork &&
    (isKept(keep, "/to") || isKept(keep, "/from")) &&
    isAddress(from) &&
    networkOf(from) === networkOf(to)
  )
    return "it is about an identity on the other network";
  return undefined;
}

/** Addresses a message to this recipient. `by` is the key to sign it with, and undefined if the sender is not a test key. */
export function addressMessage(
  message: JsonObject,
  { identity, stranger, keep }: Correspondent,
): { message: JsonObject; by?: TestKey } {
  const senderKey = hasForm(message.from) ? keyOf(message.from) : undefined;
  const key = senderKey !== undefined && isKept(keep, "/id") && !isKept(keep, "/from") ? stranger() : senderKey;
  if (key === undefined) return { message };
  const { from, to } = message as { from: string; to?: string };
  const isTestRecipient = isAddress(to) && keyOf(to) !== undefined;
  if (!isTestRecipient) return { message: { ...message, from: key.address[networkOf(from)] }, by: key };
  // If the original sender and recipient are on different networks, so are the new ones.
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
