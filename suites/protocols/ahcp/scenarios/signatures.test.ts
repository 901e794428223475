import { describe, expect, it } from "vitest";
import { type Hook, type JsonObject, protocolNamed, type Result } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import type { HubOptions } from "../reference/hub/start.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios as allScenarios } from "./index.ts";

async function playWith(name: string, options: HubOptions, hooks: Record<string, Hook> = {}): Promise<Result[]> {
  const { setting, close } = await hubEnvironment(options);
  const scenarios = allScenarios.filter((scenario) => scenario.name === name);
  const changedSetting = { ...setting, hooks: { ...setting.hooks, ...hooks } };
  try {
    return await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting: changedSetting, seed: 1 });
  } finally {
    await close();
  }
}

it("only warns if the signature of a published example is padded", async () => {
  const [paddedResult] = await playWith("signatures-fixture", {
    policy: { sampleSignature: (header) => `${header}=` },
  });
  expect(paddedResult).toMatchObject({ rule: "AHCP-SIG-010", outcome: "warns" });
  const [otherResult] = await playWith("signatures-fixture", { policy: { sampleSignature: (header) => `${header}x` } });
  expect(otherResult).toMatchObject({ rule: "AHCP-SIG-010", outcome: "violates" });
});

it("skips the other rules if no push verifies", async () => {
  const results = await playWith("signatures-context", { variant: "breaks-AHCP-SIG-003" });
  const otherResults = results.filter(({ rule }) => rule !== "AHCP-SIG-003");
  expect(otherResults.map(({ outcome: outcomeWithKey, why }) => [outcomeWithKey, why])).toEqual(
    Array(3).fill(["skipped", "the simplest push does not verify, so no other case can be tested"]),
  );
});

it("skips AHCP-SIG-009 if nonces cannot be parsed", async () => {
  const results = await playWith("signatures-attempts", { variant: "breaks-AHCP-SIG-009", choices: ["odd-ids"] });
  expect(results.find(({ rule }) => rule === "AHCP-SIG-009")).toMatchObject({
    outcome: "skipped",
    why: expect.stringContaining("cannot be parsed"),
  });
});

it("reports the length of a signature if its algorithm is not published", async () => {
  const lengthenSignature = (headers: Record<string, string>): Record<string, string> => ({
    ...headers,
    "ahcp-signature": headers["ahcp-signature"]?.replace(/v1=.*$/, `v1=${"A".repeat(86)}`) ?? "",
  });
  const policy = {
    headers: lengthenSignature,
    reply: (reply: object) => {
      const { body } = reply as { body?: { signature_algs?: string[] } };
      return body?.signature_algs === undefined
        ? reply
        : { ...reply, body: { ...body, signature_algs: ["hmac-sha256"] } };
    },
  } as HubOptions["policy"];
  const results = await playWith("signatures-always", policy === undefined ? {} : { policy });
  expect(results.find(({ rule }) => rule === "AHCP-SIG-006")).toMatchObject({
    outcome: "violates",
    why: "v1 has 64 bytes, like a signature of ed25519, which the hub does not publish",
  });
});

it("reports an error if the hook returns a key for a different algorithm", async () => {
  const key = (): JsonObject => ({ alg: "ed25519", publicKey: "00".repeat(32) });
  const results = await playWith("signatures-context", {}, { key });
  expect(results.map(({ outcome }) => outcome)).toEqual(Array(4).fill("errored"));
  expect(results[0]?.why).toContain('the hook "key" returns a key for ed25519');
});

describe("under several schemes", () => {
  const reference = "vault://elsewhere/1";
  const ownKey = { alg: "hmac-sha256", secret: "the hub's own" } as const;
  const options: HubOptions = {
    vault: { [reference]: "s€cret" },
    policy: { keyFor: ({ auth }) => (hasReference(auth) ? { alg: "hmac-sha256", secret: "s€cret" } : ownKey) },
  };
  const hasReference = (auth: unknown): boolean => (auth as JsonObject | undefined)?.secret_ref === reference;
  const secret = ({ scheme }: JsonObject): JsonObject =>
    scheme === "hmac" ? { secret_ref: reference } : { token_ref: `vault://touchstone/${scheme}` };
  const outcome = async (key: Hook): Promise<string | undefined> =>
    (await playWith("signatures-always", options, { secret, key })).find(({ rule }) => rule === "AHCP-SIG-003")
      ?.outcome;

  it("passes the scheme and the reference, if any, to the hook that returns keys", async () => {
    const inputs: JsonObject[] = [];
    const key = ({ callback: _, ...members }: JsonObject): JsonObject => {
      inputs.push(members);
      return members.reference === reference ? { alg: "hmac-sha256", secret: "s€cret" } : ownKey;
    };
    expect(await outcome(key)).toBe("conforms");
    expect(inputs).toEqual([
      { scheme: "hmac", reference },
      { scheme: "bearer", reference: "vault://touchstone/bearer" },
      { scheme: "apikey", reference: "vault://touchstone/apikey" },
      {},
    ]);
  });

  it("skips the rule if the key for a signature is unknown", async () => {
    const unknownKey: JsonObject = { skipped: "the hub's own key is not known" };
    expect(
      await outcome(({ scheme }) => (scheme === "hmac" ? { alg: "hmac-sha256", secret: "s€cret" } : unknownKey)),
    ).toBe("skipped");
  });

  it("reports a wrong key for one scheme, but not the same key for all schemes", async () => {
    expect(await outcome(() => ({ alg: "hmac-sha256", secret: "s€cret" }))).not.toBe("violates");
    expect(
      await outcome(({ scheme }) => ({ alg: "hmac-sha256", secret: scheme === "hmac" ? "s€cret" : "another" })),
    ).toBe("violates");
  });
});
