import type { Cases, JsonObject, ValidCase } from "../../../../schemas/index.ts";
import { added, done, removed, replaced, said, unsigned } from "./messages.ts";

/** What the rules on parts are tried with: a part by itself, and parts in all the places where they are found. */
export function partCases(): Cases[] {
  return [
    variants(),
    inTasks(),
    inRequests(),
    base64(),
    longTexts(),
    decodedSize(),
    addresses(),
    mediaTypes(),
    dataSize(),
  ];
}

function kept(name: string, says: string, data: JsonObject, edge?: true): ValidCase {
  return { name, says, data, ...(edge === undefined ? {} : { edge }) };
}

function variants(): Cases {
  return {
    rule: "SNAP-PART-001",
    document: "part",
    valid: [
      kept("text", "has text", { text: "Open until six." }),
      kept("empty-text", "has a text that is empty", { text: "" }, true),
      kept("empty-raw", "has bytes, none of them", { raw: "", mediaType: "image/png" }, true),
      kept("empty-data", "has data without members", { data: {} }, true),
      kept("url", "has an address", { url: "https://bridge.example/plan.svg", mediaType: "image/svg+xml" }),
    ],
    invalid: [
      removed("nothing", "has no member at all", "/text"),
      { ...removed("media-type-alone", "says only what type its content is of", "/url", "url"), edge: true },
      added("text-and-url", "has a text and an address", "/url", "https://bridge.example/plan.svg"),
      added("empty-text-and-data", "has an empty text beside its data", "/text", "", "empty-data"),
      added("empty-text-beside", "has an empty text beside empty bytes", "/text", "", "empty-raw"),
      added("empty-data-beside", "has empty data beside an address", "/data", {}, "url"),
      {
        name: "all-four",
        says: "has all four",
        change: [
          { op: "add", path: "/raw", value: "AA==" },
          { op: "add", path: "/url", value: "https://bridge.example/plan.svg" },
          { op: "add", path: "/data", value: {} },
          { op: "add", path: "/mediaType", value: "image/svg+xml" },
        ],
      },
    ],
  };
}

/** A task with parts in its second artifact and in its second turn. */
const told: JsonObject = {
  ...done,
  artifacts: [
    { artifactId: "plan-1", parts: [{ text: "Span by span." }] },
    { artifactId: "plan-2", parts: [{ data: { spans: 3 } }, { text: "" }] },
  ],
  history: [said, { messageId: "turn-2", role: "agent", parts: [{ text: "Until six." }] }],
};

function inTasks(): Cases {
  return {
    rule: "SNAP-PART-001",
    document: "task",
    valid: [kept("parts", "has parts with one content each", told), kept("without-parts", "has no parts", done, true)],
    invalid: [
      removed("last-of-artifact", "has no content", "/artifacts/1/parts/1/text"),
      removed("last-turn", "has no content", "/history/1/parts/0/text"),
      added("first-of-artifact", "is a text beside data", "/artifacts/1/parts/0/text", "three"),
    ],
  };
}

function inRequests(): Cases {
  const message = { ...said, parts: [{ text: "Is the bridge open?" }, { text: "The northern one." }] };
  return {
    rule: "SNAP-PART-001",
    document: "message-send.request",
    valid: [
      kept("parts", "has parts with one content each", { message }),
      kept("one-part", "has one part", { message: said }, true),
    ],
    invalid: [
      removed("last", "has no content", "/message/parts/1/text"),
      added("first", "is data beside a text", "/message/parts/0/data", { bridge: "north" }),
    ],
  };
}

function base64(): Cases {
  const bytes = (raw: string): JsonObject => ({ raw, mediaType: "image/png" });
  return {
    rule: "SNAP-PART-004",
    document: "part",
    valid: [
      kept("two-marks", "is one byte with two padding marks", bytes("AA=="), true),
      kept("one-mark", "is two bytes with one padding mark", bytes("AAA="), true),
      kept("whole", "is three bytes without padding", bytes("+/9a"), true),
      kept("empty", "is no byte at all", bytes(""), true),
      { ...kept("picture", "is the beginning of a picture", bytes("iVBORw0KGgo=")), at: "/raw" },
    ],
    invalid: [
      replaced("stars", "is of characters outside of the alphabet", "/raw", "***"),
      { ...replaced("unpadded", "lacks its padding", "/raw", "AA"), edge: true },
      replaced("half-padded", "lacks half of its padding", "/raw", "AA="),
      replaced("three-marks", "has three padding marks, after one character", "/raw", "A==="),
      replaced("padded-too-far", "has a padding mark too many", "/raw", "AAA==", "one-mark"),
      replaced("url-alphabet", "is in the alphabet for URLs", "/raw", "-_9a", "whole"),
      replaced("line-feed", "is broken into lines", "/raw", "iVBO\nRw0KGgo=", "picture"),
      replaced("trailing-line-feed", "ends in a line feed", "/raw", "AA==\n"),
      replaced("space", "begins with a space", "/raw", " AA=="),
      replaced("padding-inside", "has padding before its end", "/raw", "AA==AA=="),
      replaced("data-url", "is a data URL", "/raw", "data:image/png;base64,AA=="),
      replaced("hexadecimal", "is in hexadecimal, of odd length", "/raw", "89504"),
      replaced("padding-alone", "is padding and nothing else", "/raw", "===="),
    ],
    disputed: [
      {
        ...replaced("loose-bits", "has bits set that belong to no byte", "/raw", "AB=="),
        readings: [
          { verdict: "valid", by: ["RFC 4648, 3.5"], why: "a decoder may ignore such bits" },
          { verdict: "invalid", by: ["RFC 4648, 3.5"], why: "a decoder may refuse them" },
        ],
      },
    ],
  };
}

/** A part with a text so often repeated, as a record. */
function large(start: JsonObject, at: string, text: string, times: number): JsonObject {
  return { document: "part", start, fill: { at, text, times } };
}

const repeated = "/fill/times";

function longTexts(): Cases {
  const most = 10_485_760;
  const start = { text: "x" };
  return {
    rule: "SNAP-PART-003",
    document: "large",
    valid: [
      {
        name: "longest",
        says: "makes the longest text",
        at: repeated,
        edge: true,
        data: large(start, "/text", "x", most),
      },
      {
        name: "pairs",
        says: "makes fewer characters than a text may have, of two UTF-16 units and four bytes each",
        at: repeated,
        data: large(start, "/text", "\u{1f309}", 6e6),
      },
    ],
    invalid: [
      { ...replaced("one-more", "makes a character more than a text may have", repeated, most + 1), edge: true },
    ],
  };
}

function decodedSize(): Cases {
  const start = { raw: "AAAA", mediaType: "application/octet-stream" };
  return {
    rule: "SNAP-PART-004",
    document: "large",
    valid: [
      { name: "nine-megabytes", says: "makes 9 MB of bytes", at: repeated, data: large(start, "/raw", "AAAA", 3e6) },
    ],
    invalid: [replaced("past-ten-megabytes", "makes more than 10 MB of bytes", repeated, 3_499_999)],
  };
}

function dataSize(): Cases {
  const start = { data: { note: "x" } };
  const frame = Buffer.byteLength('{"note":""}');
  return {
    rule: "SNAP-PART-008",
    document: "large",
    valid: [
      { name: "small", says: "makes data of a few bytes", at: repeated, data: large(start, "/data/note", "x", 10) },
      {
        name: "a-million-bytes",
        says: "makes data of a million bytes",
        at: repeated,
        edge: true,
        data: large(start, "/data/note", "x", 1e6 - frame),
      },
      {
        name: "a-million-bytes-in-pairs",
        says: "makes data of a million bytes, two for each character",
        at: repeated,
        data: large(start, "/data/note", "\u00e9", (1e6 - frame - 1) / 2),
      },
      {
        name: "a-million-angles",
        says: "makes data of a million bytes, nearly all of a sign that only HTML escapes",
        at: repeated,
        data: large(start, "/data/note", "<", 1e6 - frame),
      },
    ],
    invalid: [
      { ...replaced("past-a-megabyte", "makes data of 1048577 bytes", repeated, 1_048_577 - frame), edge: true },
      replaced("two-megabytes", "makes data of two megabytes", repeated, 2_097_152),
      replaced("in-pairs", "makes 600000 characters of two bytes each", repeated, 600_000, "a-million-bytes-in-pairs"),
    ],
    disputed: [
      {
        ...replaced("between", "makes data of 1030000 bytes", repeated, 1_030_000 - frame),
        readings: [
          { verdict: "valid", by: ["position"], why: "a megabyte may be 1048576 bytes" },
          { verdict: "invalid", by: ["position"], why: "a megabyte may be 1000000 bytes" },
        ],
      },
    ],
  };
}

/** In an envelope, whose schema looks at no payload, so that only this rule speaks of the address. */
function addresses(): Cases {
  const at = "/payload/task/artifacts/0/parts/0/url";
  const message = (url: string): JsonObject =>
    unsigned("tasks/get", { task: { ...done, artifacts: [{ artifactId: "plan-1", parts: [{ url }] }] } });
  const valid = (name: string, says: string, url: string, edge?: true): ValidCase => ({
    ...kept(name, says, message(url), edge),
    at,
  });
  return {
    rule: "SNAP-PART-005",
    document: "envelope",
    valid: [
      valid("https", "is an https URL", "https://bridge.example/plan.svg"),
      valid("host-alone", "is a scheme and a host", "https://x"),
      valid("upper-case-scheme", "has an upper-case scheme", "HTTPS://bridge.example/plan.svg", true),
      valid("data", "is a data URL, which has no host", "data:text/plain,open", true),
      valid("urn", "is a URN, which has no host", "urn:isbn:9780000000000", true),
    ],
    invalid: [
      replaced("words", "is no URL", at, "not a url"),
      replaced("path", "is a path", at, "/plan.svg"),
      replaced("relative-path", "is a path that begins nowhere", at, "plan.svg"),
      replaced("without-scheme", "begins with the host", at, "//bridge.example/plan.svg"),
      { ...replaced("empty", "is empty", at, ""), edge: true },
      replaced("digit-first", "has a scheme that begins with a digit", at, "7zip://bridge.example"),
      replaced("space-inside", "has a space in its path", at, "https://bridge.example/the plan.svg"),
    ],
  };
}

function mediaTypes(): Cases {
  const typed = { raw: "iVBORw0KGgo=", mediaType: "image/png" };
  return {
    rule: "SNAP-PART-007",
    document: "part",
    valid: [
      kept("typed", "has bytes and says of what type", typed),
      kept("untyped-text", "has a text without type", { text: "Open." }, true),
      kept("empty-bytes", "has bytes, none of them, and says of what type", { raw: "", mediaType: "image/png" }),
    ],
    invalid: [
      removed("untyped", "has bytes without saying of what type", "/mediaType"),
      {
        ...removed("untyped-empty", "has no bytes, and does not say of what type", "/mediaType", "empty-bytes"),
        edge: true,
      },
    ],
  };
}
