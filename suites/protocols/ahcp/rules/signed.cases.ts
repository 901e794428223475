import type { Cases, InvalidCase, JsonObject } from "../../../../schemas/index.ts";
import { callbackUrl, edKey, pushed, signing, stamp } from "./deliveries.ts";
import { dp001, dp004, tellingComment, tellingTexts } from "./fixtures.ts";
import { recipes } from "./recipes.ts";
import { answered, by, completed, response } from "./responses.ts";
import { type SigningKey, signedContext } from "./signature.ts";

const plain = answered("rye");
const context = signedContext(plain, callbackUrl, stamp);

/** The hub signs an object of its own, in some members other than the right one. */
function signs(name: string, says: string, signed: JsonObject, from?: string, key?: SigningKey): InvalidCase {
  return { name, says, at: "/signed", change: signing(signed, key), ...(from === undefined ? {} : { from }) };
}

function without(name: string, object: JsonObject = context): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([each]) => each !== name));
}

/** The hub makes the digest by a wrong recipe. */
function digests(recipe: string, from: string, envelope: JsonObject): InvalidCase {
  const made = recipes.find(({ name }) => name === recipe);
  if (made === undefined) throw new Error(`there is no recipe ${recipe}`);
  const { response: detail = null, state = null } = envelope;
  const signed = { ...signedContext(envelope, callbackUrl, stamp), payload_sha256: made.digest(detail, state) };
  return { name: recipe, from, says: `was made ${made.says}`, at: "/signed/payload_sha256", change: signing(signed) };
}

const stateless = plain;
const stateful = { ...plain, state: { sealed: "k1.cXV4", step: 2 } };
const emptyState = { ...completed, state: {} };
const numbers = response("answered", dp004.response, { state: dp004.state });
const texts = response("answered", by("human:zo\u00eb", { value: tellingTexts, comment: tellingComment }));
const inexact = response("answered", by("human:bea", { value: { ratio: 0.1 } }));

const withQuery = `${callbackUrl}/?run=18&from=hub%20one`;
const withPort = "https://oven.bakery.example:443/ahcp";

export const signedCases: Cases[] = [
  {
    rule: "AHCP-SIG-003",
    document: "delivery",
    valid: [
      {
        name: "ten-members",
        says: "is signed with ten members, all of them texts",
        at: "/signed",
        data: pushed(plain),
      },
      {
        name: "dp-001",
        says: "is the protocol's own example",
        edge: true,
        data: pushed(dp001.response, { key: dp001.key, stamp: dp001.stamp, url: dp001.url }),
      },
    ],
    invalid: [
      signs("no-digest", "has nine members, as in the version before", without("payload_sha256")),
      signs("time-as-number", "has the time as a number", { ...context, t: Number(stamp.t) }),
      signs("no-id", "has no id", without("id")),
      signs("no-callback", "has no callback URL", without("callback_url")),
      signs("no-time-of-resolution", "does not say when it was resolved", without("resolved_at")),
      signs("further-member", "has a member more", { ...context, agent: "oven-watch" }),
      ...[
        ["dp-001-nine-members", "has nine members", (all: JsonObject) => without("payload_sha256", all)],
        ["dp-001-time-as-number", "has the time as a number", (all: JsonObject) => ({ ...all, t: Number(all.t) })],
      ].map(([name, says, make]) => {
        const whole = signedContext(dp001.response, dp001.url, dp001.stamp);
        const signed = (make as (all: JsonObject) => JsonObject)(whole);
        return signs(name as string, says as string, signed, "dp-001", dp001.key);
      }),
    ],
  },
  {
    rule: "AHCP-SIG-004",
    document: "delivery",
    valid: [
      { name: "no-state", says: "has no state, which counts as null", at: "/body", data: pushed(stateless) },
      { name: "with-state", says: "has a state", at: "/body/state", data: pushed(stateful) },
      { name: "empty-state", says: "has an empty state", at: "/body/state", edge: true, data: pushed(emptyState) },
    ],
    invalid: [
      digests("absent-left-out", "no-state", stateless),
      digests("unwrapped-response", "no-state", stateless),
      digests("without-state", "with-state", stateful),
      digests("empty-state-as-none", "empty-state", emptyState),
      digests("members-as-they-came", "with-state", stateful),
      digests("with-spaces", "no-state", stateless),
      digests("capital-digits", "no-state", stateless),
      digests("in-base64", "no-state", stateless),
    ],
  },
  {
    rule: "AHCP-SIG-005",
    document: "delivery",
    valid: [
      { name: "numbers", says: "has numbers large, small and negative", at: "/body", data: pushed(numbers) },
      { name: "texts", says: "has texts beyond ASCII, and controls", at: "/body", edge: true, data: pushed(texts) },
      { name: "fraction", says: "has a number that no binary fraction is", at: "/body", data: pushed(inexact) },
    ],
    invalid: [
      digests("padded-exponent", "numbers", numbers),
      digests("unsigned-exponent", "numbers", numbers),
      digests("capital-exponent", "numbers", numbers),
      digests("fractions", "numbers", numbers),
      digests("single-precision", "fraction", inexact),
      digests("escaped-letters", "texts", texts),
      digests("escaped-markup", "texts", texts),
      digests("escaped-separators", "texts", texts),
      digests("escaped-slash", "texts", texts),
      digests("composed", "texts", texts),
      digests("decomposed", "texts", texts),
      digests("code-point-order", "texts", texts),
    ],
  },
  {
    rule: "AHCP-SIG-007",
    document: "delivery",
    valid: [
      { name: "plain-url", says: "signs the address as it is", at: "/signed/callback_url", data: pushed(plain) },
      {
        name: "with-query",
        says: "signs an address with a slash at the end, a query and an escape",
        at: "/signed/callback_url",
        edge: true,
        data: pushed(plain, { url: withQuery, key: edKey }),
      },
      {
        name: "with-port",
        says: "signs an address with the usual port",
        at: "/signed/callback_url",
        edge: true,
        data: pushed(plain, { url: withPort }),
      },
      {
        name: "other-version",
        says: "signs the version that the body states",
        at: "/signed/ahcp_version",
        data: pushed({ ...plain, ahcp_version: "0.9" }),
      },
    ],
    invalid: [
      signs("slash-added", "has a slash more at the end of the address", {
        ...context,
        callback_url: `${callbackUrl}/`,
      }),
      signs("capital-host", "has the host in capitals", {
        ...context,
        callback_url: callbackUrl.replace("oven.bakery", "OVEN.Bakery"),
      }),
      signs(
        "port-dropped",
        "lacks the port of the address",
        signedContext(plain, new URL(withPort).href, stamp),
        "with-port",
      ),
      signs(
        "escape-undone",
        "has a space for the escape in the address",
        signedContext(plain, withQuery.replace("%20", " "), stamp),
        "with-query",
        edKey,
      ),
      signs("other-id", "has the id of the outcome for the id of the message", { ...context, id: "res_c41d" }),
      signs("time-with-milliseconds", "spells the time of the outcome otherwise", {
        ...context,
        resolved_at: "2026-03-02T04:21:37.000Z",
      }),
      signs("own-version", "has another version than the body", { ...context, ahcp_version: "0.4" }),
      signs(
        "version-not-echoed",
        "has version 0.3, and the body another",
        { ...context, ahcp_version: "0.3" },
        "other-version",
      ),
    ],
  },
];
