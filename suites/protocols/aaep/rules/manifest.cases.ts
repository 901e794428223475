import { add, remove, set } from "../../../../generators/index.ts";
import type { Cases, InvalidCase, Json } from "../../../../schemas/index.ts";
import { coreContext } from "./event.ts";
import { acceptance, tidewatch } from "./messages.ts";
import { harbourManifest, jws, key, signatures } from "./signed.ts";

const document = "presented-manifest";
const place = "/accepted/signed_manifest";
const sealed = jws({ alg: "ES256" }, harbourManifest, signatures.manifest);
const ferry = { ...harbourManifest, agent_id: "ferry-desk" };
const ferrySealed = jws({ alg: "ES256" }, ferry, signatures.otherAgent);
const signed = (more: Record<string, Json> = {}) => ({
  accepted: acceptance({}, { signed_manifest: sealed }),
  key,
  ...more,
});
const replaced = (name: string, says: string, text: string, edge?: true): InvalidCase => ({
  name,
  says,
  change: add(place, text),
  ...(edge === undefined ? {} : { edge }),
});
const without = (name: string): InvalidCase => ({
  name: `no-${name.replace("@", "").replaceAll("_", "-")}`,
  at: "",
  says: `has no ${name}`,
  change: remove(`/${name}`),
});

const { key: _key, ...withoutKey } = signed();

export const cases: readonly Cases[] = [
  {
    rule: "AAEP-MAN-002",
    document: "producer-manifest",
    valid: [
      { name: "least", says: "has all that is asked for", data: harbourManifest },
      {
        name: "more",
        says: "has what else there is to say",
        data: {
          ...harbourManifest,
          "@context": [coreContext, tidewatch],
          agent_name: "Harbour Desk",
          extensions_supported: [tidewatch],
          default_verbosity: "normal",
          max_concurrent_subscriptions: 16,
          contact: "desk@harbour.example",
        },
        edge: true,
      },
    ],
    invalid: [
      ...Object.keys(harbourManifest)
        .filter((name) => name !== "agent_version")
        .map(without),
      { name: "type-without-prefix", says: "lacks the prefix of the core", change: add("/type", "producer.manifest") },
      { name: "type-of-an-event", says: "is the type of an event", change: add("/type", "aaep:agent.session.started") },
      { name: "nameless", says: "is empty", change: add("/agent_id", ""), edge: true },
      {
        name: "extension-context-first",
        from: "more",
        says: "is not the core one",
        change: set("/@context/0", tidewatch),
      },
      {
        name: "no-transport",
        at: "/transports_supported",
        says: "is empty",
        change: add("/transports_supported", []),
        edge: true,
      },
    ],
  },
  {
    rule: "AAEP-MAN-003",
    document,
    valid: [
      { name: "signed", at: place, says: "is what the key signed", data: signed() },
      {
        name: "signed-as-published",
        at: place,
        says: "is what the key signed and what is published, in another order",
        data: signed({ manifest: Object.fromEntries(Object.entries(harbourManifest).reverse()) }),
        edge: true,
      },
      {
        name: "signed-and-no-key",
        at: place,
        says: "is signed with a key that is not there",
        data: withoutKey,
        edge: true,
      },
      {
        name: "unsigned",
        at: "/manifest",
        says: "need not be signed",
        data: { accepted: acceptance(), manifest: harbourManifest, key },
      },
    ],
    invalid: [
      {
        name: "unsecured-and-no-key",
        from: "signed-and-no-key",
        at: place,
        says: "says that it is not signed, which nobody needs a key to see",
        change: set(place, jws({ alg: "none" }, harbourManifest, "AA")),
      },
      replaced("unsecured", "says that it is not signed", jws({ alg: "none" }, harbourManifest, "AA")),
      replaced(
        "unsecured-with-signature",
        "says that it is not signed, and has a signature that fits another header",
        jws({ alg: "none" }, harbourManifest, signatures.manifest),
      ),
      replaced(
        "unsecured-in-capitals",
        "says in capitals that it is not signed",
        jws({ alg: "NONE" }, harbourManifest, "AA"),
        true,
      ),
      replaced("no-algorithm", "names no algorithm", jws({ typ: "JWT" }, harbourManifest, signatures.manifest)),
      replaced(
        "payload-changed",
        "was changed after it was signed",
        jws({ alg: "ES256" }, { ...harbourManifest, conformance_levels_supported: [1] }, signatures.manifest),
      ),
      replaced(
        "header-changed",
        "has a header that was not signed",
        jws({ alg: "ES256", kid: "1" }, harbourManifest, signatures.manifest),
      ),
      replaced("other-key", "was signed with another key", jws({ alg: "ES256" }, harbourManifest, signatures.otherKey)),
      replaced(
        "public-key-as-secret",
        "is an HMAC with the public key as secret",
        jws({ alg: "HS256" }, harbourManifest, signatures.hmac),
      ),
      replaced(
        "signature-in-der",
        "has its signature in DER",
        jws({ alg: "ES256" }, harbourManifest, signatures.manifestInDer),
      ),
      replaced("signature-cut", "has its signature cut by one byte", sealed.slice(0, -2)),
      replaced("no-json", "has a payload that is no JSON", sealed.replace(/\.[^.]*\./, ".bm90aGluZw.")),
      {
        name: "other-than-published",
        from: "signed-as-published",
        at: place,
        says: "is not the manifest that is published",
        change: add("/manifest/languages_supported", ["en-GB"]),
      },
    ],
  },
  {
    rule: "AAEP-MAN-004",
    document,
    valid: [
      {
        name: "same-agent",
        at: place,
        says: "is about the agent that accepted",
        data: { ...signed(), accepted: acceptance({ languages: ["en-GB"] }, { signed_manifest: sealed }) },
      },
      {
        name: "same-agent-unsigned",
        at: "/manifest/agent_id",
        says: "is the agent that accepted",
        data: {
          accepted: acceptance({}, { producer: { agent_id: "ferry-desk", agent_version: "9" } }),
          manifest: ferry,
        },
        edge: true,
      },
    ],
    invalid: [
      { name: "other-agent", says: "is about another agent", change: add(place, ferrySealed) },
      {
        name: "agent-renamed",
        at: place,
        says: "is about another agent",
        change: add("/accepted/producer/agent_id", "ferry-desk"),
      },
      {
        name: "other-agent-unsigned",
        from: "same-agent-unsigned",
        says: "is another agent",
        change: add("/manifest/agent_id", "harbour-desk"),
      },
      {
        name: "other-case",
        from: "same-agent-unsigned",
        says: "is the agent in other letters",
        change: add("/manifest/agent_id", "Ferry-Desk"),
        edge: true,
      },
    ],
  },
];
