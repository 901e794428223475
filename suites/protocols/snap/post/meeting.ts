import {
  isObject,
  type Json,
  type JsonObject,
  missingNeeds,
  type OutgoingMessage,
  type ReceiverSigner,
  type Signer,
} from "../../../../schemas/index.ts";
import { decodeAddress, hasForm } from "../rules/address.ts";
import { keyB, keyFrom, type TestKey } from "../rules/keys.ts";
import { request } from "../rules/messages.ts";
import { addressMessage, type Correspondent, unsuitableReason } from "./addressed-messages.ts";
import { resealMessage } from "./seal.ts";
import { rewriteText, valueIn } from "./text.ts";

/**
 * Finds the identity of the receiver: from the configuration, from the card at its well-known path, or from the sender of its answer to an invalid
 * message. A server that only reports validity does not compare the recipient with its own identity, so the test key B will do.
 */
export const meet: NonNullable<Signer["meet"]> = async (receiver, identity) => {
  const now = Math.floor(Date.now() / 1000);
  const configuredIdentity = identity ?? (await cardAddress(receiver.read("/.well-known/snap-agent.json")));
  if (configuredIdentity !== undefined) return signerFor(configuredIdentity);
  const id = `touchstone-${now}-${process.pid}`;
  const answer = await receiver.send(request("tasks/get", { taskId: "touchstone" }, { id, timestamp: now }));
  if (!isObject(answer)) return unknownReceiver;
  if (typeof answer.valid === "boolean") return signerFor(keyB.address.main);
  return isAddress(answer.from) ? signerFor(answer.from) : unknownReceiver;
};

async function cardAddress(answer: Promise<Json | undefined>): Promise<string | undefined> {
  const signedCard = await answer;
  const card = isObject(signedCard) ? signedCard.card : undefined;
  return isObject(card) && isAddress(card.identity) ? card.identity : undefined;
}

function isAddress(value: Json | undefined): value is string {
  return hasForm(value) && "key" in decodeAddress(value);
}

/** Used if the identity of the receiver is unknown: no message can be addressed to it. */
const unknownReceiver: ReceiverSigner = {
  skips: () => ({
    why: "the recipient of messages is unknown: name it as `identity` of the target",
    cause: missingNeeds("identity"),
  }),
  write: () => ({ body: "", isRight: false }),
};

/** The members that the specification defines. Receivers may ignore others. */
const definedMembers = ["id", "version", "from", "to", "type", "method", "payload", "timestamp", "sig"];

function signerFor(identity: string): ReceiverSigner {
  const correspondentOf = ({ keep }: OutgoingMessage): Correspondent => ({ identity, stranger, keep });
  return {
    skips(outgoing) {
      const message = outgoing.was ?? valueIn(outgoing.text ?? "");
      const why = isObject(message)
        ? unsuitableReason(message, correspondentOf(outgoing), outgoing.was === undefined)
        : undefined;
      return why === undefined ? undefined : { why, cause: { kind: "unsendable" } };
    },
    write(outgoing) {
      if (outgoing.was === undefined) return { body: rewriteText(outgoing, correspondentOf(outgoing)), isRight: false };
      const { was } = outgoing;
      if (!isObject(was)) return { body: JSON.stringify(was), isRight: false };
      const { message, by } = addressMessage(outgoing.fresh(was) as JsonObject, correspondentOf(outgoing));
      const outgoingMessage = by === undefined ? { message, isFit: false } : resealMessage(was, message, by, outgoing);
      const unknownMember = Object.keys(message).find(
        (name) => !definedMembers.includes(name) && !name.startsWith("x-"),
      );
      return {
        body: JSON.stringify(outgoingMessage.message),
        isRight: outgoingMessage.isFit && message.to === identity && isNow(message.timestamp),
        ...(unknownMember === undefined ? {} : { ignorable: `a live receiver may ignore the member ${unknownMember}` }),
      };
    },
  };
}

/** A sender that no receiver has seen before. Receivers accept a reused id if it comes from a new sender. */
function stranger(): TestKey {
  return keyFrom(crypto.getRandomValues(new Uint8Array(32)));
}

function isNow(timestamp: Json | undefined): boolean {
  return typeof timestamp === "number" && Math.abs(Date.now() / 1000 - timestamp) < 60;
}
