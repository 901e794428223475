import { describe, expect, it } from "vitest";
import type { JsonObject } from "../../../../schemas/index.ts";
import { type Key, parseSignature, specifiedForm, verifiesPush } from "./callback-signature.ts";

const url = "https://agent.example/cb?b=1&a=2";
const body: JsonObject = {
  ahcp_version: "0.3",
  in_reply_to: "msg_1",
  resolution_id: "res_1",
  agent: { id: "a", run_id: "r" },
  resolution: "answered",
  response: { value: "red", actor: "human:x", resolved_at: "2026-01-01T00:00:00Z" },
  state: { big: 1e21, text: "e\u0301" },
};
const keys: [signing: never, verifying: Key][] = [
  [{ alg: "hmac-sha256", secret: "s€cret" } as never, { alg: "hmac-sha256", secret: "s€cret" }],
  [
    { alg: "ed25519", seed: "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60" } as never,
    { alg: "ed25519", publicKey: "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a" },
  ],
];

describe.each(keys)("a push signed by another library (%#)", (signing, verifying) => {
  async function signPush(): Promise<string> {
    const ahcpSignature = await import("../rules/signature.ts");
    return ahcpSignature.sign(body, url, { t: "1767225600", jti: "j" }, signing);
  }

  it("verifies only if nothing was changed", async () => {
    const value = await signPush();
    expect(value).toMatch(specifiedForm);
    const signature = parseSignature(value);
    if (signature === undefined) return expect.unreachable();
    expect(verifiesPush(body, url, signature, verifying)).toBe(true);
    for (const changedBody of [
      { ...body, state: null },
      { ...body, resolution: "declined" },
      { ...body, response: { ...(body.response as JsonObject), value: "blue" } },
    ])
      expect(verifiesPush(changedBody, url, signature, verifying)).toBe(false);
    expect(verifiesPush(body, `${url}&`, signature, verifying)).toBe(false);
    expect(verifiesPush(body, url, { ...signature, t: "1767225601" }, verifying)).toBe(false);
    expect(verifiesPush(body, url, signature, { alg: "hmac-sha256", secret: "other" })).toBe(false);
    expect(verifiesPush(body, url, signature, { alg: "ed25519", publicKey: "00" })).toBe(false);
  });
});

it("parses a header in any order, but not one with a missing part", () => {
  expect(parseSignature("v1=AA, t=1 ,jti=x")).toMatchObject({ t: "1", jti: "x", v1: "AA" });
  for (const value of [undefined, "", "t=1,jti=x", "t=1,jti=x,v1="]) expect(parseSignature(value)).toBeUndefined();
});
