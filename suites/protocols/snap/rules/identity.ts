import { type Breach, type Checker, isObject, type Json } from "../../../../schemas/index.ts";
import { type AddressFault, decodeAddress, hasForm, networkOf } from "./address.ts";
import { keyIn } from "./keys.ts";
import { messageDocuments, messagesIn } from "./places.ts";

const members = ["from", "to"] as const;

/** Makes a checker that reports the addresses of a message with this as their first fault. */
function addressChecker(rule: string, fault: AddressFault): Checker {
  return {
    rule,
    documents: messageDocuments,
    *check(instance, document) {
      for (const { value, at } of messagesIn(instance, document)) {
        for (const member of members) {
          const breach = breachIn(value[member], `${at}/${member}`, [fault]);
          if (breach !== undefined) yield breach;
        }
      }
    },
  };
}

/** Returns the breach if the first fault of a well-formed address is one of these. */
export function breachIn(
  address: Json | undefined,
  at: string,
  faults: readonly AddressFault[] = ["checksum", "program", "point"],
): Breach | undefined {
  if (!hasForm(address)) return undefined;
  const decoded = decodeAddress(address);
  return "fault" in decoded && faults.includes(decoded.fault) ? { at, why: decoded.why } : undefined;
}

export const identityCheckers: readonly Checker[] = [
  addressChecker("SNAP-ADDR-001", "checksum"),
  addressChecker("SNAP-ADDR-002", "program"),
  addressChecker("SNAP-ADDR-004", "point"),
  {
    rule: "SNAP-ADDR-005",
    documents: ["identity"],
    *check(instance) {
      const key = keyIn(instance);
      if (key === undefined || !isObject(instance)) return;
      const { outputKey, address } = instance;
      if (typeof outputKey === "string" && outputKey !== key.output)
        yield { at: "/outputKey", why: "is not the key that BIP-341 derives from the internal key" };
      if (hasForm(address) && address !== key.address[networkOf(address)])
        yield { at: "/address", why: "does not hold the key that BIP-341 derives from the internal key" };
    },
  },
  {
    rule: "SNAP-ADDR-006",
    documents: messageDocuments,
    *check(instance, document) {
      for (const { value, at } of messagesIn(instance, document)) {
        const { from, to } = value;
        if (hasForm(from) && hasForm(to) && networkOf(from) !== networkOf(to))
          yield { at: `${at}/to`, why: "is on another network than from" };
      }
    },
  },
  {
    rule: "SNAP-SIG-014",
    documents: ["identity"],
    *check(instance) {
      const key = keyIn(instance);
      if (key === undefined || !isObject(instance)) return;
      const { internalKey } = instance;
      if (typeof internalKey === "string" && internalKey !== key.internal)
        yield { at: "/internalKey", why: "is not the x of the private key's point" };
    },
  },
];
