import { createHmac } from "node:crypto";
import { expect, it } from "vitest";
import { canonical, type JsonObject, protocolNamed } from "../../../../schemas/index.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { hubEnvironment } from "../reference/live.ts";
import { contextOf, digestedPart, sha256 } from "./callback-signature.ts";
import { scenarios as allScenarios } from "./index.ts";
import { digestedText, findMistake, misspelledTexts } from "./signed-text.ts";

const url = "https://agent.example/cb";
const body: JsonObject = {
  response: { value: "red", actor: "human:x", comment: "a<b\u2028" },
  state: { "\ufb33": 1, "😀": 2, small: 1e-7, "e\u0301": "a/b" },
};
const key = { alg: "hmac-sha256", secret: "s" } as const;

/** The signature of the body, but with the digest of this text. */
function signedOver(text: string) {
  const stamp = { t: "1", jti: "j", v1: "", bytes: Buffer.alloc(0) };
  const context = { ...contextOf(body, url, stamp), payload_sha256: sha256(text).toString("hex") };
  return { ...stamp, bytes: createHmac("sha256", key.secret).update(canonical(context)).digest() };
}

const canonicalText = canonical(digestedPart(body));

it.each([
  [canonicalText.replaceAll("<", "\\u003c"), "AHCP-SIG-004", 'with <, > and & escaped: …"comment":"a\\u003cb'],
  [
    canonicalText.replaceAll("\u2028", "\\u2028"),
    "AHCP-SIG-004",
    'with U+2028 and U+2029 escaped: …omment":"a<b\\u2028"',
  ],
  [`${canonicalText}\n`, "AHCP-SIG-004", "with a line feed at the end: …"],
  [canonicalText.replaceAll("/", "\\/"), "AHCP-SIG-004", "with slashes escaped: …"],
  [canonicalText.replace("e-7", "e-07"), "AHCP-SIG-005", "with 1e-07 instead of 1e-7: …"],
  [
    canonicalText.replace('"😀":2,"\ufb33":1', '"\ufb33":1,"😀":2'),
    "AHCP-SIG-004",
    "with members sorted by code points: …",
  ],
])("recognizes text that is not canonical: %s", (text, rule, why) => {
  const misspelling = misspelledTexts(body, url, signedOver(text), key);
  expect(misspelling?.rule).toBe(rule);
  expect(misspelling?.why).toContain(`the JSON is signed ${why}`);
  expect(misspelling?.why).toContain(", and the canonical text is …");
});

it("shows the canonical text and its digest if the spelling is unknown", () => {
  expect(misspelledTexts(body, url, signedOver("{}"), key)).toBeUndefined();
  expect(digestedText(body)).toBe(`payload_sha256 is ${sha256(canonicalText).toString("hex")}, of ${canonicalText}`);
});

it("reports that the signature covers the normalized URL", () => {
  const given = "https://agent.example/a/../cb";
  expect(findMistake(body, given, signedOver(canonicalText), key)).toEqual({
    rule: "AHCP-SIG-007",
    why: `signs a different spelling of the URL: ${url}`,
  });
});

it("reports a hub that escapes for HTML under AHCP-SIG-004, not under the rule for URLs", async () => {
  const { setting, close } = await hubEnvironment({ variant: "breaks-AHCP-SIG-004-html" });
  const scenarios = allScenarios.filter(({ name }) => name === "signatures-context");
  try {
    const results = await playScenarios({ protocol: protocolNamed("ahcp"), scenarios, setting, seed: 1 });
    expect(results.map(({ rule, outcome }) => [rule, outcome])).toEqual([
      ["AHCP-SIG-003", "conforms"],
      ["AHCP-SIG-004", "violates"],
      ["AHCP-SIG-005", "conforms"],
      ["AHCP-SIG-007", "conforms"],
    ]);
    expect(results[1]?.why).toContain("with <, > and & escaped");
  } finally {
    await close();
  }
});
