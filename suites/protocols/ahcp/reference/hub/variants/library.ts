import { createHmac } from "node:crypto";
import { canonical, isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { blockOf } from "../lifecycle.ts";
import { right } from "../policy.ts";
import { fault } from "../reply.ts";
import { contextSigned, signed } from "./signature.ts";
import { type HubVariant, inner, replies, without } from "./variant.ts";

const names = ["ahcp_version", "type", "created_at", "agent", "title", "id", "run_id", "runtime"];

/** Gives members that are written in another case the names that are defined, in place of what is there, or only where nothing is. */
function rename(object: Json | undefined, overrides: boolean): void {
  if (!isObject(object)) return;
  for (const name of Object.keys(object)) {
    const defined = names.find((each) => each === name.toLowerCase());
    if (defined === undefined || defined === name || Object.hasOwn(object, defined) !== overrides) continue;
    object[defined] = object[name] as Json;
    delete object[name];
  }
}

/** The last instant that 64 bits of nanoseconds since 1970 hold, in milliseconds. */
const lastNanosecond = 2 ** 63 / 1e6;

function cut(text: Json | undefined, bytes: number): string {
  return Buffer.from(String(text)).subarray(0, bytes).toString("utf8");
}

function withoutNull(value: Json): Json {
  return JSON.parse(JSON.stringify(value).replaceAll("\\u0000", ""));
}

function escapedForHtml(value: Json): string {
  return canonical(value).replace(/[<>&]/g, (sign) => `\\u00${sign.charCodeAt(0).toString(16)}`);
}

/** The Response without an answer that is found empty. */
function emptied(isEmpty: (value: Json) => boolean): HubVariant["policy"] {
  return {
    envelope(envelope) {
      const response = inner(envelope, "response");
      const { value = null } = response;
      const isLost = envelope.resolution === "answered" && isEmpty(value);
      return isLost ? { ...envelope, response: without(response, "value") } : envelope;
    },
  };
}

/** Finds a message under another id that fits it so. */
function finding(fits: (id: string, asked: string) => boolean): HubVariant["policy"] {
  return replies("refusal", (_, { asked, entry, seeking, hub }) => {
    if (asked === undefined || entry !== undefined || seeking !== "maySee") return undefined;
    const found = [...hub.store.entries.values()].find(({ id }) => fits(id, asked));
    if (found === undefined) return undefined;
    return { status: 200, body: { ...right.echo(found.message, found), id: found.id, status: found.status } };
  });
}

/** What a library, a language or a database does of itself to whoever does not look. */
export const libraryVariants: readonly HubVariant[] = [
  {
    rule: "AHCP-VER-004",
    name: "case",
    says: "takes a member in another case for the one that is defined, though that is there",
    policy: {
      early(value) {
        rename(value, true);
        if (isObject(value)) rename(value.agent, true);
        return undefined;
      },
    },
  },
  {
    rule: "AHCP-ENV-001",
    name: "case",
    says: "takes a member in another case for one that is missing",
    policy: { early: (value) => void rename(value, false) },
  },
  {
    rule: "AHCP-ENV-005",
    name: "case",
    says: "takes a member of the agent in another case for one that is missing",
    policy: { early: (value) => void (isObject(value) && rename(value.agent, false)) },
  },
  {
    rule: "AHCP-RSP-011",
    name: "empty-text",
    says: "loses an answer that is the empty text",
    policy: emptied((value) => value === ""),
  },
  {
    rule: "AHCP-RSP-011",
    name: "empty-object",
    says: "loses an answer that is an empty object",
    policy: emptied((value) => isObject(value) && Object.keys(value).length === 0),
  },
  {
    rule: "AHCP-EXP-005",
    name: "empty-text",
    says: "takes a default that is the empty text for none",
    policy: { fallback: (message) => right.fallback(message) || undefined },
  },
  {
    rule: "AHCP-EXP-003",
    name: "nanoseconds",
    says: "counts deadlines in 64 bits of nanoseconds, so that those after the year 2262 have passed",
    policy: {
      deadline(message, acceptedAt) {
        const deadline = right.deadline(message, acceptedAt);
        return deadline !== undefined && deadline > lastNanosecond ? acceptedAt : deadline;
      },
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "title-bytes",
    says: "keeps 255 bytes of a title",
    policy: {
      echo: (message, entry) => ({ ...right.echo(message, entry), title: cut(message.title, 255) }),
    },
  },
  {
    rule: "AHCP-GET-003",
    name: "null-character",
    says: "keeps bodies without U+0000",
    policy: {
      echo(message, entry) {
        const shown = right.echo(message, entry);
        return shown.body === undefined ? shown : { ...shown, body: withoutNull(shown.body) };
      },
    },
  },
  {
    rule: "AHCP-RSP-013",
    name: "null-character",
    says: "gives a state back without U+0000",
    policy: {
      envelope: (envelope) =>
        envelope.state === undefined ? envelope : { ...envelope, state: withoutNull(envelope.state) },
    },
  },
  {
    rule: "AHCP-RSP-014",
    name: "run-bytes",
    says: "names the first 64 bytes of a run_id",
    policy: {
      envelope(envelope) {
        const agent = inner(envelope, "agent");
        return { ...envelope, agent: { ...agent, run_id: cut(agent.run_id, 64) } };
      },
    },
  },
  {
    rule: "AHCP-GET-005",
    name: "case",
    says: "finds a message under its id in another case",
    policy: finding((id, asked) => id.toLowerCase() === asked.toLowerCase()),
  },
  {
    rule: "AHCP-GET-005",
    name: "last-line",
    says: "finds a message under its id and the end of a line",
    policy: finding((id, asked) => `${id}\n` === asked),
  },
  {
    rule: "AHCP-ASK-009",
    name: "secret",
    says: "takes a reference to a secret for any answer in a form",
    policy: {
      checksAnswer: (_, { value }) =>
        !isObject(value) || !Object.values(value).some((each) => isObject(each) && typeof each.secret_ref === "string"),
    },
  },
  {
    rule: "AHCP-SIG-004",
    name: "html",
    says: "escapes <, > and & in the JSON that it signs",
    policy: signed((headers, { ahcpSignature, body, url, stamp, key }) => {
      if (key.alg !== "hmac-sha256") return headers["ahcp-signature"];
      const { response = null, state = null } = body;
      const payload_sha256 = ahcpSignature.sha256(escapedForHtml({ response, state }));
      const text = escapedForHtml({ ...ahcpSignature.signedContext(body, url, stamp), payload_sha256 });
      return ahcpSignature.header(stamp, createHmac("sha256", key.secret).update(text).digest("base64url"));
    }),
  },
  {
    rule: "AHCP-SIG-007",
    name: "scheme",
    says: "signs the URL with its scheme in small letters",
    policy: contextSigned((context, { url }) => ({
      ...context,
      callback_url: url.replace(/^[a-z]+/i, (scheme) => scheme.toLowerCase()),
    })),
  },
  {
    rule: "AHCP-SIG-007",
    name: "fragment",
    says: "signs the URL without an empty fragment",
    policy: contextSigned((context, { url }) => ({ ...context, callback_url: url.replace(/#$/, "") })),
  },
  {
    rule: "AHCP-DLV-001",
    name: "fragment",
    says: "sends the fragment of the URL with its path",
    policy: { target: (url) => `${right.target(url)}${/#.*$/.exec(url)?.[0] ?? ""}` },
  },
  {
    rule: "AHCP-VER-003",
    name: "text",
    says: "compares versions as texts, so that 0.10 comes before 0.3",
    policy: { pushes: (version) => version >= "0.3" },
  },
  {
    rule: "AHCP-ENV-024",
    name: "pattern",
    says: "wants the whole text of a default to be what the pattern of its form describes",
    policy: { objects: (message) => (isAnchored(blockOf(message)) ? undefined : badDefault) },
  },
  {
    rule: "AHCP-IDM-001",
    name: "empty-key",
    says: "takes an empty key for none",
    policy: { keyOf: (message) => (message.idempotency_key === "" ? undefined : right.keyOf(message)) },
  },
  {
    rule: "AHCP-VER-005",
    name: "one",
    says: "refuses a push to version 0.2, and to no earlier one",
    policy: { pushes: (version) => version !== "0.2" },
  },
  {
    rule: "AHCP-AUT-002",
    name: "lines",
    says: "looks for the name of an agent among the lines of another",
    policy: { speaksFor: (principal, agent) => agent.split("\n").includes(principal) },
  },
  {
    rule: "AHCP-EXP-005",
    name: "false",
    says: "takes a default that is the text false for none",
    policy: {
      fallback(message) {
        const value = right.fallback(message);
        return value === "false" ? undefined : value;
      },
    },
  },
  {
    rule: "AHCP-GET-005",
    name: "wildcard",
    says: "takes an id for a pattern in which % stands for any text",
    policy: finding((id, asked) => asked.includes("%") && new RegExp(`^${asked.replaceAll("%", ".*")}$`).test(id)),
  },
  {
    rule: "AHCP-GET-005",
    name: "path",
    says: "finds a message under the last part of a path",
    policy: finding((id, asked) => asked.split("/").at(-1) === id),
  },
];

const badDefault = fault("invalid_field", "/request/default_on_expire does not fit the form");

function isAnchored({ schema = null, default_on_expire: answer = null }: JsonObject): boolean {
  if (!isObject(schema) || !isObject(answer)) return true;
  const properties = inner(schema, "properties");
  return Object.entries(answer).every(([name, value]) => {
    const { pattern } = inner(properties, name);
    return typeof pattern !== "string" || new RegExp(`^(?:${pattern})$`, "u").test(String(value));
  });
}
