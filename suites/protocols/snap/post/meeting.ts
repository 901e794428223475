import {
  isObject,
  type Json,
  type JsonObject,
  type Letter,
  needing,
  type Post,
  type Signer,
} from "../../../../schemas/index.ts";
import { decodeAddress, hasForm } from "../rules/address.ts";
import { b, keyFrom, type TestKey } from "../rules/keys.ts";
import { request } from "../rules/messages.ts";
import { addressMessage, type Correspondent, strayReason } from "./addressed-messages.ts";
import { resealMessage } from "./seal.ts";
import { rewritten, valueIn } from "./text.ts";

/**
 * Who answers: by the configuration, by the card at its well-known place, or by the sender of its answer to a message that it has to refuse. A
 * server that speaks of validity only checks documents, and then the test key B is as good as any.
 */
export const meet: NonNullable<Signer["meet"]> = async (doors, identity) => {
  const now = Math.floor(Date.now() / 1000);
  const own = identity ?? (await cardAddress(doors.read("/.well-known/snap-agent.json")));
  if (own !== undefined) return postTo(own);
  const id = `touchstone-${now}-${process.pid}`;
  const answer = await doors.send(request("tasks/get", { taskId: "touchstone" }, { id, timestamp: now }));
  if (!isObject(answer)) return unknown;
  if (typeof answer.valid === "boolean") return postTo(b.address.main);
  return isAddress(answer.from) ? postTo(answer.from) : unknown;
};

async function cardAddress(answer: Promise<Json | undefined>): Promise<string | undefined> {
  const signed = await answer;
  const card = isObject(signed) ? signed.card : undefined;
  return isObject(card) && isAddress(card.identity) ? card.identity : undefined;
}

function isAddress(value: Json | undefined): value is string {
  return hasForm(value) && "key" in decodeAddress(value);
}

/** Nothing can be addressed to a party without a known name. */
const unknown: Post = {
  skips: () => ({
    why: "the recipient of messages is unknown: name it as `identity` of the target",
    cause: needing("identity"),
  }),
  write: () => ({ body: "", isRight: false }),
};

/** Members of a message; receivers may ignore other members. */
const members = ["id", "version", "from", "to", "type", "method", "payload", "timestamp", "sig"];

function postTo(identity: string): Post {
  const party = ({ keep }: Letter): Correspondent => ({ identity, stranger, keep });
  return {
    skips(letter) {
      const message = letter.was ?? valueIn(letter.text ?? "");
      const why = isObject(message) ? strayReason(message, party(letter), letter.was === undefined) : undefined;
      return why === undefined ? undefined : { why, cause: { kind: "unsendable" } };
    },
    write(letter) {
      if (letter.was === undefined) return { body: rewritten(letter, party(letter)), isRight: false };
      const { was } = letter;
      if (!isObject(was)) return { body: JSON.stringify(was), isRight: false };
      const { message, by } = addressMessage(letter.fresh(was) as JsonObject, party(letter));
      const whole = by === undefined ? { message, isFit: false } : resealMessage(was, message, by, letter);
      const other = Object.keys(message).find((name) => !members.includes(name) && !name.startsWith("x-"));
      return {
        body: JSON.stringify(whole.message),
        isRight: whole.isFit && message.to === identity && isNow(message.timestamp),
        ...(other === undefined ? {} : { ignorable: `a live receiver may ignore the member ${other}` }),
      };
    },
  };
}

/** A sender that no receiver has seen: a kept id is new with each of them, and two texts may keep one id. */
function stranger(): TestKey {
  return keyFrom(crypto.getRandomValues(new Uint8Array(32)));
}

function isNow(timestamp: Json | undefined): boolean {
  return typeof timestamp === "number" && Math.abs(Date.now() / 1000 - timestamp) < 60;
}
