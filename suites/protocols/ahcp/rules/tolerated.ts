import type { Cases, DisputedCase, Json, JsonObject, RuleFamily } from "../../../../schemas/index.ts";
import { asking, notify, select, task } from "./messages.ts";
import { openCheckers } from "./open.ts";

/** The schema accepts it, and a hub may still refuse it. */
function either(name: string, says: string, path: string, value: Json, valid: string, invalid: string): DisputedCase {
  return {
    ...{ name, says, change: [{ op: "add", path, value }] },
    readings: [
      { verdict: "valid", by: ["schema"], why: valid },
      { verdict: "invalid", by: ["position"], why: invalid },
    ],
  };
}

const calledBack: JsonObject = asking(select, {
  callback: {
    mode: "push",
    url: "https://oven.bakery.example/ahcp/resume",
    auth: { scheme: "hmac", secret_ref: "vault://bakery" },
  },
});
const url = "/request/callback/url";

const entry = (name: string, says: string, value: string): DisputedCase =>
  either(
    name,
    says,
    "/request/allowed_resolvers/0",
    value,
    "the pattern asks for a kind, a colon, and anything on the same line",
    "no such actor can resolve a message, and what an id looks like is not said",
  );

const version = (name: string, says: string, value: string): DisputedCase =>
  either(
    name,
    says,
    "/ahcp_version",
    value,
    "the pattern allows leading zeros",
    "a number of a version has none, and a later version of the protocol says so",
  );

const key = (name: string, says: string, value: string): DisputedCase =>
  either(
    name,
    says,
    "/idempotency_key",
    value,
    "any text is a key",
    "a text like this is hardly meant as a key, and a hub may want one that it can store",
  );

const host = (name: string, says: string, value: string): DisputedCase =>
  either(
    name,
    says,
    url,
    `https://${value}/ahcp/resume`,
    "a hub may take the message and not deliver there",
    "a hub may refuse such an address at once",
  );

const cases: Cases[] = [
  {
    rule: "AHCP-VER-001",
    document: "message",
    valid: [{ name: "own-version", says: "is 0.3", at: "/ahcp_version", data: notify }],
    invalid: [],
    disputed: [
      version("leading-zero", "has a zero before its minor", "0.03"),
      version("zeros", "has two zeros", "0.00"),
    ],
  },
  {
    rule: "AHCP-ENV-003",
    document: "message",
    valid: [{ name: "date-time", says: "is a time", at: "/created_at", data: notify }],
    invalid: [],
    disputed: [
      either(
        "leap-second",
        "is a second that was inserted",
        "/created_at",
        "2016-12-31T23:59:60Z",
        "RFC 3339 has such seconds",
        "the clocks of many hubs have none",
      ),
    ],
  },
  {
    rule: "AHCP-ENV-015",
    document: "message",
    valid: [{ name: "key", says: "is a key", at: "/idempotency_key", data: task }],
    invalid: [],
    disputed: [
      key("empty", "is empty", ""),
      key("space", "is a space", " "),
      key("tab-and-line-feed", "is a tab and a line feed", "\t\n"),
      key("long", "has 5000 letters", "k".repeat(5000)),
    ],
  },
  {
    rule: "AHCP-ASK-019",
    document: "message",
    valid: [{ name: "person", says: "is a person", at: "/request/allowed_resolvers/0", data: select }],
    invalid: [],
    disputed: [
      entry("blank-id", "has a space for an id", "human: "),
      entry("second-colon", "has an id with a colon", "human:bea:2"),
      entry("system", "is a system", "system:expiry"),
    ],
  },
  {
    rule: "AHCP-CBK-003",
    document: "message",
    valid: [{ name: "https", says: "is an address with TLS", at: url, data: calledBack }],
    invalid: [],
    disputed: [
      either(
        "http",
        "is an address without TLS",
        url,
        "http://oven.bakery.example/ahcp/resume",
        "any absolute URI is a URL here",
        "everything in this protocol goes over TLS",
      ),
    ],
  },
  {
    rule: "AHCP-SSR-002",
    document: "message",
    valid: [{ name: "public-host", says: "is an address with a public name", at: url, data: calledBack }],
    invalid: [],
    disputed: [
      host("loopback", "is the hub itself", "127.0.0.1"),
      host("loopback-as-number", "is the hub itself, as one number", "2130706433"),
      host("loopback-in-hex", "is the hub itself, in hexadecimal", "0x7f000001"),
      host("loopback-v6", "is the hub itself, by IPv6", "[::1]"),
      host("mapped-metadata", "is a metadata service, mapped into IPv6", "[::ffff:a9fe:a9fe]"),
      host("metadata", "is a metadata service", "169.254.169.254"),
      host("private", "is the last address of a private range", "172.31.255.255"),
      host("shared", "is of the range that providers share", "100.64.0.1"),
      host("unique-local", "is unique to a site", "[fd00::1]"),
      host("localhost", "is the hub itself, by name", "localhost"),
      host("after-userinfo", "is the hub itself, behind what looks like a host", "oven.bakery.example@127.0.0.1"),
    ],
  },
];

/** What the schema accepts and a hub may refuse all the same: nothing to decide, but to know of. */
export const tolerated: RuleFamily = { name: "tolerated", checkers: openCheckers, cases };
