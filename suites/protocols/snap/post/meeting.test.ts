import { expect, it } from "vitest";
import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { keyB } from "../rules/keys.ts";
import { exampleMessage, request } from "../rules/messages.ts";
import { meet } from "./meeting.ts";

const identity = keyB.address.main;

/** Returns the message that a receiver reads if its parser keeps the last of two members with the same name. */
async function receivedMessageOf(text: string, keep: string[]): Promise<JsonObject> {
  const signer = await meet({ read: async () => undefined, send: async () => undefined }, identity);
  const now = Math.floor(Date.now() / 1000);
  const stampNow = (value: Json): Json => (isObject(value) ? { ...value, timestamp: now } : value);
  const { body } = signer.write({ text, keep, fresh: stampNow, sign: false } as unknown as Parameters<
    typeof signer.write
  >[0]);
  return JSON.parse(Buffer.from(body as Uint8Array).toString("utf8"));
}

it("sends two texts with the same id from different senders, so that neither is refused as a repetition", async () => {
  const { sig, ...unsigned } = request("message/send", { message: exampleMessage });
  const text = JSON.stringify({ ...unsigned, sig: sig as string });
  const withSecondId = `${text.slice(0, -1)},"id":${JSON.stringify(unsigned.id)}}`;
  const withEscapedId = `${text.slice(0, -1)},"\\u0069d":${JSON.stringify(unsigned.id)}}`;
  const [firstMessage, secondMessage] = [
    await receivedMessageOf(withSecondId, ["/id"]),
    await receivedMessageOf(withEscapedId, ["/id"]),
  ];
  expect([firstMessage.id, secondMessage.id]).toEqual([unsigned.id, unsigned.id]);
  expect(firstMessage.from).not.toBe(secondMessage.from);
});
