import { expect, it } from "vitest";
import type { Freshness, Json, Profile, Protocol } from "../../../schemas/index.ts";
import { refreshValues } from "./fresh-values.ts";
import { fittingsOf } from "./member-fittings.ts";

const now = Date.parse("2030-02-03T04:05:06Z");
const schema = (properties: Record<string, Json>) => ({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "https://example.org/order.json",
  type: "object",
  required: Object.keys(properties),
  properties,
});

async function sentMessage(properties: Record<string, Json>, entry: Freshness, message: Json, seed = 1): Promise<Json> {
  const documents = [{ name: "order", schema: "https://example.org/order.json", fresh: [entry] }];
  const profile = { documents } as unknown as Profile;
  const protocol = {
    name: "p",
    version: "1",
    folder: "",
    profile,
    rules: [],
    schemas: [schema(properties)],
  } as Protocol;
  const fittings = await fittingsOf(protocol, now);
  return refreshValues(message, [entry], { keep: [], seed, now, fitting: fittings.get("order") });
}

const event = { event_id: { type: "string", pattern: "^evt_[a-z0-9]{12}$" } };
const token: Freshness = { at: "/event_id", make: "token", prefix: "evt_" };

it("sends a fresh value that the schema accepts", async () => {
  const message = { event_id: "evt_000000000000" };
  const [firstMessage, secondMessage] = [
    await sentMessage(event, token, message),
    await sentMessage(event, token, message, 2),
  ];
  expect(firstMessage).toEqual({ event_id: expect.stringMatching(/^evt_[a-z0-9]{12}$/) });
  expect(secondMessage).not.toEqual(firstMessage);
  expect(await sentMessage(event, token, message)).toEqual(firstMessage);
});

it.each<[string, Record<string, Json>, Freshness, RegExp]>([
  [
    "too few values",
    { event_id: { type: "string", pattern: "^evt_[0-9]$" } },
    token,
    /only \d+ of 64 generated values are different/,
  ],
  ["a different prefix", event, { ...token, prefix: "msg_" }, /the schema refuses .*msg_.* there, and no other value/],
  [
    "a time in a different form",
    { at: { type: "string", pattern: "^\\d+$" } },
    { at: "/at", make: "date-time" },
    /refuses .*2030-02-03T04:05:06Z/,
  ],
  [
    "seconds over a maximum",
    { at: { type: "integer", maximum: 9 } },
    { at: "/at", make: "unix-time" },
    /refuses .*1896321906/,
  ],
])("refuses a setting for which the schema has %s", async (_what, properties, entry, message) => {
  await expect(sentMessage(properties, entry, {})).rejects.toThrow(
    expect.objectContaining({
      kind: "usage",
      message: expect.stringMatching(message),
      hint: expect.stringContaining("fresh"),
    }),
  );
});
