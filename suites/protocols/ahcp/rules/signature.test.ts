import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { canonical, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { dp001, dp004, trickyComment, trickyNumbers, trickyTexts } from "./fixtures.ts";
import { parseHeader } from "./header.ts";
import { recipes } from "./recipes.ts";
import {
  isSignedBy,
  payloadDigest,
  type SigningKey,
  type Stamp,
  sha256,
  sign,
  signatureOf,
  signedContext,
  type VerificationKey,
  verify,
} from "./signature.ts";

const { key, stamp, url, response } = dp001;
const hmacKey = key as VerificationKey;
const context = signedContext(response, url, stamp);
const receiver = { callbackUrl: url, key: hmacKey, clock: Number(stamp.t) + 5 };

function digestWith(detail: Json, state: Json = response.state as Json): string {
  return payloadDigest({ response: detail, state });
}

const inner = response.response as JsonObject;
const { edited, ...unedited } = inner;

describe("dp-001", () => {
  const v1 = "sGsoX7pEgPVFL24v4qocBp586SLQGWoh8Qt46LlSfPc";

  it("has the published digest, canonical text and signature", () => {
    expect(context.payload_sha256).toBe("3073dec57c04075d0b6bfa17c300fa9600ad92fb13e485e410c8a95274ac47ed");
    expect(Buffer.byteLength(canonical(context))).toBe(361);
    expect(sha256(canonical(context))).toBe("d815bf3f053d86ccfd71d0d974c0af4139ab68bd5e828a808575fe3fc184fdf4");
    expect(signatureOf(context, key)).toBe(v1);
    expect(Buffer.from(v1, "base64url").toString("hex")).toBe(
      "b06b285fba4480f5452f6e2fe2aa1c069e7ce922d0196a21f10b78e8b9527cf7",
    );
    expect(sign(response, url, stamp, key)).toBe(`t=1749050910,jti=jti_01HZX7Q9Z3DEMOFIX,v1=${v1}`);
  });

  it("verifies only if it is fresh and unchanged", () => {
    const value = sign(response, url, stamp, key);
    expect(verify(response, value, receiver)).toBeUndefined();
    expect(verify(response, value, { ...receiver, clock: receiver.clock + 9994 })).toBe("outside the window");
    expect(verify(response, value, { ...receiver, key: { alg: "hmac-sha256", secret: "another" } })).toBe("mismatch");
    expect(verify({ ...response, resolution: "declined" }, value, receiver)).toBe("mismatch");
    expect(verify(response, value, { ...receiver, callbackUrl: `${url}/` })).toBe("mismatch");
    expect(verify(response, undefined, receiver)).toBe("no signature");
    expect(verify(response, v1, receiver)).toBe("malformed");
  });

  it("verifies whatever the unused bits of the last character are", () => {
    for (const last of "cdef")
      expect(verify(response, sign(response, url, stamp, key).replace(/.$/, last), receiver)).toBeUndefined();
    expect(verify(response, sign(response, url, stamp, key).replace(/.$/, "g"), receiver)).toBe("mismatch");
  });
});

describe("dp-003", () => {
  const tampered = { ...response, response: { ...inner, value: "ship" } };

  it("has a different digest, and does not verify even within the window", () => {
    expect(payloadDigest(tampered)).toBe("504863ea98ff08b270c7474aff455f04882bc217866d0993bfc8bb2bb0da8f04");
    const value = sign(response, url, stamp, key);
    expect(verify(response, value, receiver)).toBeUndefined();
    expect(verify(tampered, value, receiver)).toBe("mismatch");
    expect(sign(tampered, url, stamp, key)).toMatch(/v1=5iP7c6VGAuSLKC_nAO8JG4fT8b3TLfquDwGlXlTeZFY$/);
  });

  it.each([
    [
      "actor",
      digestWith({ ...inner, actor: "human:mallory" }),
      "137ee4658bfcdcc6b33543a4567993e02b7ead1916c886e9f08e6c636ad3b73f",
    ],
    [
      "edited",
      digestWith({ ...inner, edited: !edited }),
      "54aba58f0696a3745c4d37870f23cd90eb4a06230f6bcd5662419011bd0a71fd",
    ],
    ["edited removed", digestWith(unedited), "116a584a0e132c8f6926a6cd0cf1ac06fdc7349daa12f7ba9fe86e2aaf73631e"],
    ["state removed", digestWith(inner, null), "ad2cd577379be11a23be30cf89e6036b3a0fec9e4a8bf3d4ca87935d76fdeff0"],
    ["state emptied", digestWith(inner, {}), "117455ab923e53979e805183ab5175b2d545ccccca7a5ea12e32a266669ab097"],
    ["response removed", digestWith(null), "c29bd28d62bd9ec98486ac6e2ad2ea0129753b0838918cc23689d884db2ff8cd"],
  ])("has the published digest with %s", (_, digest, expected) => expect(digest).toBe(expected));
});

describe("dp-004", () => {
  it("has the published canonical text and digest, whatever the notation of its numbers", () => {
    expect(Buffer.byteLength(canonical(dp004 as unknown as Json))).toBe(271);
    expect(payloadDigest(dp004)).toBe("56186e18d2371cee2a6636cdab7223ff52d64cfeb5bbcba01a0b4e91b7e51dca");
    const respelled = JSON.parse(
      JSON.stringify(dp004).replace("1e-7", "10.0E-8").replace(":42", ":42.0"),
    ) as JsonObject;
    expect(payloadDigest(respelled)).toBe(payloadDigest(dp004));
  });
});

describe("the additional fixtures", () => {
  const withStamp = (changes: Partial<Stamp>): JsonObject => signedContext(response, url, { ...stamp, ...changes });
  const withDigest = (payload_sha256: string): JsonObject => ({ ...context, payload_sha256, resolution: "completed" });

  it("X-1 has a signature that needs the base64url alphabet", () => {
    const digest = withStamp({ jti: "jti_b64url_0006" });
    expect(sha256(canonical(digest))).toBe("b400b8be3d1e17884671fea09fe184702a795e48679ac5faf9bfadd8209511c7");
    expect(signatureOf(digest, key)).toBe("WV-0-2qK_egrj0YTVdtHKbHvRbzCISi9q20KC5VOcVc");
    expect(isSignedBy(digest, Buffer.from("WV-0-2qK_egrj0YTVdtHKbHvRbzCISi9q20KC5VOcVc", "base64url"), hmacKey)).toBe(
      true,
    );
  });

  it("X-2 has canonical strings and the canonical order of members", () => {
    const value = trickyTexts;
    const detail = { value, actor: "human:zo\u00eb", resolved_at: "2026-06-04T15:48:30Z", comment: trickyComment };
    const text = canonical({ response: detail, state: null });
    expect(Buffer.byteLength(text)).toBe(199);
    expect(sha256(text)).toBe("a18472c653aed03068352a0e26036c6f8c0d8316263c1c1a779452fd0e8ac565");
    const order = Object.keys((JSON.parse(text) as { response: { value: object } }).response.value);
    expect(order.filter((name) => name !== "1")).toEqual(["\r", "\u0080", "\u00f6", "\u20ac", "\u{1f600}", "\ufb33"]);
  });

  it("X-3 has canonical numbers", () => {
    const state = JSON.parse(`{"n":${trickyNumbers}}`) as JsonObject;
    expect(payloadDigest({ state })).toBe("268a39cdb155fe710bb03ea84883e9347fad7938274d6f0fbb25a0b29f513022");
    expect(canonical(state.n as Json)).toBe(
      "[0,0,1,1,1,100000000000000000000,1e+21,999999999999999900000,0.000001,1e-7,0.000001,5e-324,1.7976931348623157e+308," +
        "9007199254740991,9007199254740992,9007199254740992,333333333.3333333,4.5,0.002,-1.5e+300,123456789012345680000]",
    );
  });

  it("X-4 can be signed although it has neither a response nor a state", () => {
    const digest = payloadDigest({});
    expect(digest).toBe("f8e362f091afdac944ab8f6a17e234c1662f1e39f846c0242824d0abc07b440c");
    const v1 = signatureOf(withDigest(digest), key);
    expect(v1).toBe("QEo0apKvSCNa41Q3SX5xV5aH-rbTYUK9wZNbvDjAnXc");
    expect(isSignedBy(withDigest(digest), Buffer.from(v1, "base64url"), hmacKey)).toBe(true);
  });

  it("X-5 does not verify if its signed context is incomplete or has a number as its time", () => {
    const { payload_sha256, ...withoutDigest } = context;
    const withNumber = { ...context, t: Number(stamp.t) };
    for (const [signedValue, v1] of [
      [withoutDigest, "GUu7MESnrTjA5cEkv2je9gen3R9DKPBHucd1J71N2QI"],
      [withNumber, "UlAZ9vs_pWw5e6rnBXNe7J3ujL6nHiEtplDI1DnU0CA"],
    ] as const) {
      expect(signatureOf(signedValue, key)).toBe(v1);
      expect(verify(response, `t=${stamp.t},jti=${stamp.jti},v1=${v1}`, receiver)).toBe("mismatch");
    }
    const digest = (name: string, state: Json) => recipes.find((recipe) => recipe.name === name)?.digest(inner, state);
    expect(digest("absent-left-out", null)).toBe("57ad011a2722d253213afb1ad8207af94f8c1ea70590dc7539e18e4de60e35c0");
    expect(digest("unwrapped-response", null)).toBe("762f194de66c6007a7688d84cad59517fe961ef9d51edc927b72e880956d848e");
  });

  it("X-6 has an Ed25519 signature that verifies only if nothing was changed", () => {
    const seed = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60";
    const private_key: SigningKey = { alg: "ed25519", seed };
    const public_key = "d75a980182b10ab7d54bfed3c964073a0ee172f3daa62325af021a68f707511a";
    const v1 = "gFO_sV0SgABTwcUm4yAnlhtERNZ8MYCuXd_7lYtdwpS1Eh_hVYp_5h_vJaT1EIC_pMQTt_fKdjFaX-xJ-7sIBg";
    expect(signatureOf(context, private_key)).toBe(v1);
    const ed25519Receiver = { ...receiver, key: { alg: "ed25519", public_key } as const };
    expect(verify(response, sign(response, url, stamp, private_key), ed25519Receiver)).toBeUndefined();
    expect(verify({ ...response, state: {} }, sign(response, url, stamp, private_key), ed25519Receiver)).toBe(
      "mismatch",
    );
    expect(verify(response, sign(response, url, stamp, key), ed25519Receiver)).toBe("mismatch");
  });
});

describe("verify", () => {
  it.each([
    [120, undefined],
    [-120, undefined],
    [120.001, "outside the window"],
    [-120.001, "outside the window"],
  ])("at a distance of %d seconds returns %s", (seconds, expected) => {
    expect(verify(response, sign(response, url, stamp, key), { ...receiver, clock: Number(stamp.t) + seconds })).toBe(
      expected,
    );
  });

  it("does not throw for a payload without a canonical form or for an invalid key", () => {
    const loneSurrogate = { ...response, state: { text: "\ud800" } };
    expect(verify(loneSurrogate, "t=1,jti=a,v1=AA", receiver)).toBe("mismatch");
    const invalidKey = { alg: "ed25519", public_key: "zz" } as const;
    expect(verify(response, sign(response, url, stamp, key), { ...receiver, key: invalidKey })).toBe("mismatch");
    expect(verify({}, "t=1,jti=a,v1=AA", receiver)).toBe("mismatch");
  });
});

describe("parseHeader", () => {
  const usualHeader = "t=1749050910,jti=a-b_c.d:e,v1=AAAA";
  it.each([
    [usualHeader, undefined],
    [usualHeader.replaceAll(",", ", "), "NOTE"],
    ["v1=AAAA,jti=a,t=1", "NOTE"],
    [`${usualHeader}=`, "NOTE"],
    [`${usualHeader},v2=x`, "NOTE"],
    ["t=1,jti=a,v1=AAAB", undefined],
    ["t=1,jti=a,v1=AAB", "NOTE"],
    ["t=1,jti=a,v1=A+/A", "NOTE"],
    ["t=1,t=2,jti=a,v1=AAAA", "SHOULD"],
  ])("parses %s with an oddity of level %s", (value, level) => {
    expect(parseHeader(value)).toBeDefined();
    expect(parseHeader(value)?.oddity?.level).toBe(level);
  });

  it.each([
    "",
    "t=1",
    "t=1.0,jti=a,v1=AA",
    "t=+1,jti=a,v1=AA",
    "t=0x1,jti=a,v1=AA",
    "t=1,jti=,v1=AA",
    "t=1,jti=a b,v1=AA",
    "t=1,jti=a,v1=A*",
    "t=1,jti=a,v1=",
    "T=1,jti=a,v1=AA",
  ])("returns undefined for %j", (value) => expect(parseHeader(value)).toBeUndefined());

  it("uses the last value of a repeated parameter", () => {
    expect(parseHeader("t=1,t=2,jti=a,v1=AAAA")?.t).toBe("2");
  });
});

it("computes SHA-256 of the string in UTF-8", () => {
  expect(sha256("\u00e9")).toBe(
    createHash("sha256")
      .update(Buffer.from([0xc3, 0xa9]))
      .digest("hex"),
  );
});
