import { expect, it } from "vitest";
import { isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { keyB } from "../rules/keys.ts";
import { request, saidMessage } from "../rules/messages.ts";
import { meet } from "./meeting.ts";

const identity = keyB.address.main;

/** The value that a receiver which reads the last of two equal members gets from a text. */
async function sentFor(text: string, keep: string[]): Promise<JsonObject> {
  const post = await meet({ read: async () => undefined, send: async () => undefined }, identity);
  const now = Math.floor(Date.now() / 1000);
  const fresh = (value: Json): Json => (isObject(value) ? { ...value, timestamp: now } : value);
  const { body } = post.write({ text, keep, fresh, sign: false } as unknown as Parameters<typeof post.write>[0]);
  return JSON.parse(Buffer.from(body as Uint8Array).toString("utf8"));
}

it("sends two texts with one id as two senders, so that no memory of ids confuses them", async () => {
  const { sig, ...rest } = request("message/send", { message: saidMessage });
  const text = JSON.stringify({ ...rest, sig: sig as string });
  const twice = `${text.slice(0, -1)},"id":${JSON.stringify(rest.id)}}`;
  const escaped = `${text.slice(0, -1)},"\\u0069d":${JSON.stringify(rest.id)}}`;
  const [one, other] = [await sentFor(twice, ["/id"]), await sentFor(escaped, ["/id"])];
  expect([one.id, other.id]).toEqual([rest.id, rest.id]);
  expect(one.from).not.toBe(other.from);
});
