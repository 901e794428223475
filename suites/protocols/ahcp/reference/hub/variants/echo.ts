import { isObject, type Json, type JsonObject } from "../../../../../../schemas/index.ts";
import { edit, remove, shortestNumber, withoutLastLineEnd } from "../../../../../packs/reference/changes.ts";
import { right } from "../policy.ts";
import type { Entry } from "../store.ts";
import { cutBytes, cutTo32Bits, mapped, shown, withoutNull, withTexts } from "./change.ts";
import { bodies, breaks, type HubVariant, inner, without } from "./variant.ts";

/** Shows the text at a pointer after a change of it. */
function text(pointer: string, change: (text: string) => string): HubVariant["policy"] {
  return shown(edit(pointer, (value) => (typeof value === "string" ? change(value) : value)));
}

/** An object with other names for its members; the last of some that come to one name stays. */
function renamed(change: (name: string) => string): (value: Json) => Json {
  return (value) =>
    isObject(value)
      ? Object.fromEntries(Object.entries(value).map(([name, each]) => [change(name), each] as const))
      : value;
}

const underscored = renamed((name) => name.replaceAll("-", "_"));

/** Equal parts once. */
const once = (parts: Json): Json =>
  Array.isArray(parts)
    ? [...new Set(parts.map((part) => JSON.stringify(part)))].map((part) => JSON.parse(part) as Json)
    : parts;

/** One of the labels that differ in case alone. */
const folded = (labels: Json): Json =>
  isObject(labels)
    ? Object.fromEntries(
        new Map(Object.entries(labels).map(([name, value]) => [name.toLowerCase(), [name, value] as const])).values(),
      )
    : labels;

const present = (value: Json): Json =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([, each]) => each !== null)) : value;

/** The agent of the last repetition of a message. */
const lastRun = new WeakMap<Entry, JsonObject>();

/** Hubs that break a rule on the message that a read returns. */
export const echoVariants: readonly HubVariant[] = [
  ...breaks("AHCP-GET-003", {
    "label-case": [
      "shows the names of labels in lower case",
      shown(
        edit(
          "/agent/labels",
          renamed((name) => name.toLowerCase()),
        ),
      ),
    ],
    "label-dash": ["shows the names of labels with underscores for dashes", shown(edit("/agent", mapped(underscored)))],
    "tag-case": ["shows tags in lower case", text("/tags/*", (tag) => tag.toLowerCase())],
    "equal-parts": ["shows Parts that are equal once", shown(edit("/context", once))],
    "long-body": ["shows 4096 characters of a body", text("/body", (body) => body.slice(0, 4096))],
    "callback-url": ["shows the URL of a callback tidied", text("/request/callback/url", (url) => new URL(url).href)],
    ended: [
      "does not show the body and the parts of an ended message",
      bodies("read", (body) => (body.response === undefined ? body : without(body, "body", "context"))),
    ],
    sensitive: [
      "does not show the body of a sensitive message",
      shown((message, entry) => (entry.message.sensitive === true ? without(message, "body") : message)),
    ],
    "title-bytes": ["keeps 255 bytes of a title", shown(edit("/title", cutBytes(255)))],
    "null-character": ["keeps bodies without U+0000", shown(edit("/body", withoutNull))],
    "trimmed-body": ["keeps bodies without the white space around them", text("/body", (body) => body.trim())],
    "": ["loses the tags", shown(remove("/tags"))],
    large: [
      "shows an empty state for one of more than 4 KiB",
      shown(edit("/state", (state) => (JSON.stringify(state).length > 4096 ? {} : state))),
    ],
    labels: ["loses the labels of the agent", shown(remove("/agent/labels"))],
    verification: ["loses how a task is verified", shown(remove("/action/verification"))],
    "other-run": [
      "shows the run that has repeated a message last",
      {
        isSame(message, entry) {
          const isSame = right.isSame(message, entry);
          if (isSame) lastRun.set(entry, inner(message, "agent"));
          return isSame;
        },
        ...shown((message, entry) => ({ ...message, agent: lastRun.get(entry) ?? inner(message, "agent") })),
      },
    ],
    integers: ["shows a state with its integers cut to 32 bits", shown(edit("/state", mapped(cutTo32Bits)))],
    nulls: ["drops null members in the parts of a message", shown(edit("/context", mapped(present)))],
    "labels-case": ["keeps one of two labels that differ in case alone", shown(edit("/agent/labels", folded))],
    "data-numbers": ["keeps the numbers of a data Part as texts", shown(edit("/context/*/data", withTexts))],
    "last-line": ["keeps a body without the end of its last line", shown(edit("/body", withoutLastLineEnd))],
    zero: ['loses members whose text is "0"', shown(edit("/*", (value) => (value === "0" ? undefined : value)))],
    numeric: [
      "keeps a client_ref that is written like a number as that is written shortest",
      shown(edit("/client_ref", shortestNumber)),
    ],
  }),
];
