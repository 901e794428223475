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
import { addressMessage, type Correspondent, strayReason } from "./addressed-messages.ts";
import { resealMessage } from "./seal.ts";
import { rewriteText, valueIn } from "./text.ts";

/**
 * The identity of the receiver: from the configuration, from the card at its well-known path, or from the sender of its answer to an invalid message. A
 * server that only reports validity checks documents, so for that server the test key B is enough.
 */
export const meet: NonNullable<Signer["meet"]> = async (doors, identity) => {
  const now = Math.floor(Date.now() / 1000);
  const configuredIdentity = identity ?? (await cardAddress(doors.read("/.well-known/snap-agent.json")));
  if (configuredIdentity !== undefined) return postTo(configuredIdentity);
  const id = `touchstone-${now}-${process.pid}`;
  const answer = await doors.send(request("tasks/get", { taskId: "touchstone" }, { id, timestamp: now }));
  if (!isObject(answer)) return unknownReceiver;
  if (typeof answer.valid === "boolean") return postTo(keyB.address.main);
  return isAddress(answer.from) ? postTo(answer.from) : unknownReceiver;
};

async function cardAddress(answer: Promise<Json | undefined>): Promise<string | undefined> {
  const signedCard = await answer;
  const card = isObject(signedCard) ? signedCard.card : undefined;
  return isObject(card) && isAddress(card.identity) ? card.identity : undefined;
}

function isAddress(value: Json | undefined): value is string {
  return hasForm(value) && "key" in decodeAddress(value);
}

/** Messages cannot be addressed to a party without a known name. */
const unknownReceiver: ReceiverSigner = {
  skips: () => ({
    why: "the recipient of messages is unknown: name it as `identity` of the target",
    cause: missingNeeds("identity"),
  }),
  write: () => ({ body: "", isRight: false }),
};

/** The members of a message. Receivers may ignore other members. */
const members = ["id", "version", "from", "to", "type", "method", "payload", "timestamp", "sig"];

function postTo(identity: string): ReceiverSigner {
  const party = ({ keep }: OutgoingMessage): Correspondent => ({ identity, stranger, keep });
  return {
    skips(outgoing) {
      const message = outgoing.was ?? valueIn(outgoing.text ?? "");
      const why = isObject(message) ? strayReason(message, party(outgoing), outgoing.was === undefined) : undefined;
      return why === undefined ? undefined : { why, cause: { kind: "unsendable" } };
    },
    write(outgoing) {
      if (outgoing.was === undefined) return { body: rewriteText(outgoing, party(outgoing)), isRight: false };
      const { was } = outgoing;
      if (!isObject(was)) return { body: JSON.stringify(was), isRight: false };
      const { message, by } = addressMessage(outgoing.fresh(was) as JsonObject, party(outgoing));
      const outgoingMessage = by === undefined ? { message, isFit: false } : resealMessage(was, message, by, outgoing);
      const unknownMember = Object.keys(message).find((name) => !members.includes(name) && !name.startsWith("x-"));
      return {
        body: JSON.stringify(outgoingMessage.message),
        isRight: outgoingMessage.isFit && message.to === identity && isNow(message.timestamp),
        ...(unknownMember === undefined ? {} : { ignorable: `a live receiver may ignore the member ${unknownMember}` }),
      };
    },
  };
}

/** A sender that no receiver has seen before: even a kept id, or an id that two texts share, is new with this sender. */
function stranger(): TestKey {
  return keyFrom(crypto.getRandomValues(new Uint8Array(32)));
}

function isNow(timestamp: Json | undefined): boolean {
  return typeof timestamp === "number" && Math.abs(Date.now() / 1000 - timestamp) < 60;
}
