import { beforeAll, describe, expect, it } from "vitest";
import type { Endpoint, Json, JsonObject, Protocol, Question } from "../../../schemas/index.ts";
import { type Keys, keysOf } from "./keys.ts";

const parameter = (name: string, key = true) => ({
  in: "header",
  name,
  style: "simple",
  explode: false,
  types: ["string"],
  ...(key ? { key: true } : {}),
});

/** Creates an operation with a body and parameters, including the key. */
function protocolOf(schema: JsonObject, parameterValues: JsonObject = {}): Protocol {
  const parameters = [parameter("Idempotency-Key"), parameter("Other", false)];
  const endpoint = { method: "POST", path: "/a", parameters };
  const headers = { type: "object", properties: { "Idempotency-Key": schema, Other: { type: "string" } } };
  return {
    profile: {
      documents: [
        { name: "a", schema: "schema:/a", endpoint: { ...endpoint, given: { parameters: parameterValues } } },
        { name: "a.parameters", schema: "schema:/p", endpoint: { ...endpoint, carries: "parameters" } },
      ],
    },
    schemas: [
      { $id: "schema:/a", type: "object" },
      { $id: "schema:/p", type: "object", properties: { header: headers } },
    ],
  } as unknown as Protocol;
}

const keyOf = (made: { values: Json | undefined }): string | undefined =>
  (made.values as { header?: Record<string, string> } | undefined)?.header?.["Idempotency-Key"];

function askerFor(protocol: Protocol, keys: Keys | undefined) {
  const [ownDocument, parameters] = protocol.profile.documents;
  return {
    body: (body: string, attempt = 0) =>
      keys?.of(
        { document: ownDocument, keep: [] } as unknown as Question,
        ownDocument?.endpoint as Endpoint,
        body,
        attempt,
      ) ?? {
        values: undefined,
        headers: {},
      },
    parameters: (data: Json, keep: string[] = []) =>
      keys?.of(
        { document: parameters, data, keep } as unknown as Question,
        parameters?.endpoint as Endpoint,
        null,
        0,
      ) ?? { values: undefined, headers: {} },
  };
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-/;

describe("the key of a request", () => {
  const protocol = protocolOf({ type: "string" }, { header: { "Idempotency-Key": "example" } });
  let ask: ReturnType<typeof askerFor>;
  beforeAll(async () => {
    ask = askerFor(protocol, await keysOf(protocol, [], "salt"));
  });

  it("is fresh for each different body, and the same for a repetition", () => {
    expect(keyOf(ask.body("1"))).toMatch(uuid);
    expect(keyOf(ask.body("1"))).toBe(keyOf(ask.body("1")));
    expect(keyOf(ask.body("2"))).not.toBe(keyOf(ask.body("1")));
    expect(keyOf(ask.body("1", 1))).not.toBe(keyOf(ask.body("1")));
  });

  it("differs in the next run", async () => {
    expect(keyOf(askerFor(protocol, await keysOf(protocol, [], "other")).body("1"))).not.toBe(keyOf(ask.body("1")));
  });

  it("is fresh for different parameters, and is not changed if the vector is about it or omits it", () => {
    const data = (other: string) => ({ header: { "Idempotency-Key": "x", Other: other } });
    expect(keyOf(ask.parameters(data("a")))).toMatch(uuid);
    expect(keyOf(ask.parameters(data("a")))).not.toBe(keyOf(ask.parameters(data("b"))));
    expect(keyOf(ask.parameters(data("a"), ["/header/Idempotency-Key"]))).toBe("x");
    expect(keyOf(ask.parameters({ header: { Other: "a" } }))).toBeUndefined();
  });
});

it("sends an optional key with some bodies and not with others", async () => {
  const protocol = protocolOf({ type: "string" });
  const ask = askerFor(protocol, await keysOf(protocol, [], "salt"));
  const given = Array.from({ length: 20 }, (_, index) => keyOf(ask.body(String(index))));
  expect(given.filter((value) => value === undefined).length).toBeGreaterThan(2);
  expect(given.filter((value) => uuid.test(value ?? "")).length).toBeGreaterThan(2);
});

it("creates keys that match their schema", async () => {
  const protocol = protocolOf({ type: "string", pattern: "^k_[a-z]{12}$" });
  const ask = askerFor(protocol, await keysOf(protocol, [], "salt"));
  const keyValues = Array.from({ length: 20 }, (_, index) => keyOf(ask.body(String(index)))).filter(Boolean);
  expect(new Set(keyValues).size).toBe(keyValues.length);
  expect(keyValues.length).toBeGreaterThan(2);
  for (const value of keyValues) expect(value).toMatch(/^k_[a-z]{12}$/);
});

it("sends a configured key with every request that may change something", async () => {
  const protocol = protocolOf({ type: "string" });
  const ask = askerFor(protocol, await keysOf(protocol, ["X-Token", "Other"], "salt"));
  expect(ask.body("1").headers).toEqual({ "x-token": expect.stringMatching(uuid) });
  expect(ask.body("2").headers).not.toEqual(ask.body("1").headers);
  expect(ask.parameters({ header: { Other: "x" } }).values).toEqual({ header: { Other: expect.stringMatching(uuid) } });
});

it("does not create keys if none is described or configured", async () => {
  const protocol = protocolOf({ type: "string" });
  for (const { endpoint } of protocol.profile.documents)
    if (endpoint !== undefined) endpoint.parameters = endpoint.parameters?.map(({ key: _, ...each }) => each) ?? [];
  expect(await keysOf(protocol, [], "salt")).toBeUndefined();
});
