import type { Cases, InvalidCase, Json, JsonObject, ValidCase } from "../../../../schemas/index.ts";
import { replace } from "./deliveries.ts";
import { dp001, dp004, tellingComment, tellingNumbers, tellingTexts } from "./fixtures.ts";
import { recipes } from "./recipes.ts";
import { payloadDigest } from "./signature.ts";

const at = "/payload_sha256";

type Payload = { response: JsonObject | null; state: JsonObject | null };

const original: Payload = {
  response: dp001.response.response as JsonObject,
  state: dp001.response.state as JsonObject,
};
const { edited: _, ...unedited } = original.response as JsonObject;
const letters: Payload = {
  response: {
    value: tellingTexts,
    actor: "human:zo\u00eb",
    resolved_at: "2026-06-04T15:48:30Z",
    comment: tellingComment,
  },
  state: null,
};
const numbersText = `{"response":null,"state":{"n":${tellingNumbers}}}`;
const numbers = JSON.parse(numbersText) as Payload;

function valid(name: string, says: string, payload: Payload, text?: string): ValidCase {
  return { name, says, at, data: { payload: text ?? payload, payload_sha256: payloadDigest(payload) } };
}

/** The digest made by a wrong recipe instead. */
function made(recipe: string, from: string, { response, state }: Payload): InvalidCase {
  const found = recipes.find(({ name }) => name === recipe);
  if (found === undefined) throw new Error(`there is no recipe ${recipe}`);
  const change = [replace(at, found.digest(response, state))];
  return { name: `${recipe}-${from}`, from, says: `was made ${found.says}`, change };
}

function changed(name: string, says: string, from: string, path: string, value: Json): InvalidCase {
  return { name, says, from, at, change: [replace(path, value)] };
}

const answer = (members: JsonObject): Payload => ({ ...original, response: { ...original.response, ...members } });
const nothing: Payload = { response: null, state: null };

export const digestCases: Cases[] = [
  {
    rule: "AHCP-SIG-004",
    document: "digest",
    valid: [
      valid("dp-001", "is the digest of the protocol's own example", original),
      valid("dp-003", "is the digest of the example with another answer", answer({ value: "ship" })),
      valid("other-actor", "is the digest of the example by another person", answer({ actor: "human:mallory" })),
      valid("edited", "is the digest of the example, edited", answer({ edited: true })),
      valid("edited-removed", "is the digest of the example without edited", { ...original, response: unedited }),
      valid("no-state", "is the digest of the example without state", { ...original, state: null }),
      valid("no-response", "is the digest of the example without response", { ...original, response: null }),
      {
        ...valid("empty-state", "is the digest of the example with an empty state", { ...original, state: {} }),
        edge: true,
      },
      { ...valid("nothing", "is the digest of neither response nor state", nothing), edge: true },
    ],
    invalid: [
      changed("tampered", "is the digest of another answer", "dp-001", "/payload/response/value", "ship"),
      changed(
        "edited-afterwards",
        "is the digest of an answer that was not edited",
        "dp-001",
        "/payload/response/edited",
        true,
      ),
      made("absent-left-out", "no-state", { ...original, state: null }),
      made("unwrapped-response", "dp-001", original),
      made("without-state", "dp-001", original),
      made("empty-state-as-none", "empty-state", { ...original, state: {} }),
      made("members-as-they-came", "dp-001", original),
      made("absent-left-out", "nothing", nothing),
      changed("null-for-empty", "is the digest of an empty state", "empty-state", "/payload/state", null),
    ],
  },
  {
    rule: "AHCP-SIG-005",
    document: "digest",
    valid: [
      valid("letters", "is the digest of telling texts and member names", letters),
      { ...valid("numbers", "is the digest of telling numbers, as they are spelt", numbers, numbersText), edge: true },
    ],
    invalid: [
      ...["escaped-letters", "escaped-markup", "escaped-separators", "escaped-slash"].map((recipe) =>
        made(recipe, "letters", letters),
      ),
      ...["composed", "decomposed", "code-point-order"].map((recipe) => made(recipe, "letters", letters)),
      ...["padded-exponent", "unsigned-exponent", "capital-exponent", "fractions"].map((recipe) =>
        made(recipe, "numbers", numbers),
      ),
    ],
  },
  {
    rule: "AHCP-SIG-019",
    document: "digest",
    valid: [
      valid("dp-004", "is the digest of the protocol's own example of numbers", dp004),
      {
        ...valid("dp-004-respelt", "is the digest of the same numbers, spelt otherwise", dp004, respelt()),
        edge: true,
      },
    ],
    invalid: [
      ...["padded-exponent", "unsigned-exponent", "capital-exponent", "fractions"].map((recipe) =>
        made(recipe, "dp-004", dp004),
      ),
      made("members-as-they-came", "dp-004", dp004),
      changed("one-digit-changed", "differs in its last digit", "dp-004", at, lastDigitChanged()),
    ],
  },
];

function respelt(): string {
  return JSON.stringify(dp004, null, 2)
    .replace("1e-7", "0.00000010")
    .replace("1e+21", "1000000000000000000000.0")
    .replace(": 42", ": 4.2E1");
}

function lastDigitChanged(): string {
  const right = payloadDigest(dp004);
  return `${right.slice(0, -1)}${right.endsWith("0") ? "1" : "0"}`;
}
