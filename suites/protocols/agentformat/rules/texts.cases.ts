import type { Cases, Reading } from "../../../../schemas/index.ts";
import { integerCases } from "./integers.cases.ts";
import { patternedCases } from "./patterned.cases.ts";
import { broken, described, kept, type Parts, saying, written } from "./written.ts";

const labelled = (...labels: string[]): Parts => ({
  metadata: [...described, "labels:", ...labels.map((line) => `  ${line}`)],
});
const tools = (line: string): Parts => ({
  more: ["action_space:", "  local_tools:", "    - alias: book", `      ${line}`],
});

const editions = (newer: Reading["verdict"], now: string, before: string): Reading[] => [
  { verdict: newer, by: ["YAML 1.2, core schema"], why: `it is ${now}` },
  { verdict: newer === "valid" ? "invalid" : "valid", by: ["YAML 1.1"], why: `it is ${before}` },
];

const yaml: Cases = {
  rule: "AGF-DOC-005",
  document: "agent",
  yaml: true,
  valid: [
    kept("block-style", "is block style without quotes", { more: ["memory:", "  required: false"] }, ""),
    kept("three-numbers", "is text, as no number has two points", saying("version: 1.0.0"), "/metadata/version", true),
    kept("leading-colon", "is text that begins with a colon", labelled("role: :admin"), "/metadata/labels/role", true),
    kept("comma-in-digits", "is text, digits with a comma", saying("name: 1,000"), "/metadata/name", true),
    {
      ...kept("quoted-number", "is text, as it is in quotes", saying('version: "1.0"'), "/metadata/version"),
      level: "SHOULD",
    },
    kept(
      "single-quotes",
      "are text, as they are in quotes",
      labelled("region: 'no'", "since: '2026-01-15'", "tier: '7'"),
      "/metadata/labels",
    ),
    kept(
      "quoted-names",
      "has names that mean something without quotes",
      labelled('"on": "x"', '"2024": "y"', '"null": "z"'),
      "/metadata/labels",
    ),
    kept(
      "comments",
      "has comments, and a mark at its start",
      { version: "# an agent\n---\nschema_version: 1.0.0 # of the format" },
      "",
    ),
    kept(
      "alias",
      "has a value by way of an anchor",
      { metadata: [...described, "labels: {team: &team trips}", "annotations: {owner: *team}"] },
      "/metadata/annotations/owner",
    ),
    kept(
      "same-name-elsewhere",
      "has one name in two mappings",
      { metadata: [...described, "labels: {team: trips}", "annotations: {team: trips}"] },
      "/metadata",
      true,
    ),
    kept(
      "folded",
      "is text over several lines",
      saying("description: >-\n    Plans short trips,\n    and long ones."),
      "/metadata/description",
    ),
    kept("boolean", "is a boolean without quotes", tools("approval: true"), "/action_space/local_tools/0/approval"),
  ],
  invalid: [
    broken(
      "metadata-twice",
      "has metadata twice",
      { more: ["metadata: {id: b, name: B, version: 1.0.0, description: B}"] },
      "",
      true,
    ),
    broken(
      "label-twice",
      "has one label twice, with one value",
      labelled("team: trips", "team: trips"),
      "/metadata/labels",
    ),
    broken(
      "name-twice-otherwise-written",
      "has one name with quotes and without",
      { metadata: [...described, '"id": other'] },
      "/metadata",
    ),
    broken(
      "name-twice-in-flow",
      "has one name twice in flow style",
      { metadata: [...described, "labels: {a: x, b: y, a: z}"] },
      "/metadata/labels",
    ),
    broken("number-for-version", "is a number without quotes", saying("version: 1.0"), "/metadata/version", true),
    broken("leading-zeros", "is a number without quotes, written with zeros", saying("name: 007"), "/metadata/name"),
    broken("number-for-label", "is a number without quotes", labelled("tier: 7"), "/metadata/labels/tier"),
    broken("boolean-for-label", "is a boolean without quotes", labelled("reviewed: true"), "/metadata/labels/reviewed"),
    broken("null-for-label", "is null without quotes", labelled("team: ~"), "/metadata/labels/team"),
    broken("nothing-for-label", "is null, as nothing is there", labelled("team:"), "/metadata/labels/team"),
    broken("null-for-name", "is null without quotes", saying("name: null"), "/metadata/name"),
    broken(
      "number-as-tool",
      "is a number without quotes",
      { more: ["action_space:", "  mcp_servers:", "    - alias: maps", "      allowed_tools: [route, 42]"] },
      "/action_space/mcp_servers/0/allowed_tools/1",
    ),
    broken("list-as-name", "has a list for a name", { metadata: [...described, "? [a, b]", ": c"] }, "/metadata"),
    broken("tab", "is indented by a tab", { metadata: [...described, "labels:", "\tteam: trips"] }, ""),
    broken("no-anchor", "has an alias of nothing", labelled("team: *nobody"), "/metadata/labels/team"),
    broken("open-quote", "has a quote that never ends", saying('name: "Trip Desk'), ""),
  ],
  disputed: [
    {
      name: "plain-no",
      says: "is no without quotes",
      text: written(labelled("region: no")),
      at: "/metadata/labels/region",
      readings: editions("valid", "text", "the boolean false, and labels are text"),
    },
    {
      name: "plain-yes",
      says: "is yes without quotes",
      text: written(tools("approval: yes")),
      at: "/action_space/local_tools/0/approval",
      readings: editions("invalid", "text, and an approval is not", "the boolean true"),
    },
    {
      name: "plain-date",
      says: "is a date without quotes",
      text: written(labelled("since: 2026-01-15")),
      at: "/metadata/labels/since",
      readings: editions("valid", "text", "a time stamp, and labels are text"),
    },
    {
      name: "plain-exponent",
      says: "is digits and an exponent without quotes",
      text: written(labelled("build: 1e3")),
      at: "/metadata/labels/build",
      readings: editions(
        "invalid",
        "the number 1000, and labels are text",
        "text, for a number has a point before its exponent",
      ),
    },
    {
      name: "plain-sexagesimal",
      says: "is a time of day without quotes",
      text: written(labelled("opens: 12:30")),
      at: "/metadata/labels/opens",
      readings: editions("valid", "text", "the number 750, counted by sixties, and labels are text"),
    },
    {
      name: "on-as-name",
      says: "has the name on without quotes",
      text: written(labelled("on: x")),
      at: "/metadata/labels",
      readings: editions("valid", "text", "the boolean true, and names are text"),
    },
    {
      name: "number-as-name",
      says: "has a number for a name, without quotes",
      text: written(labelled("2024: x")),
      at: "/metadata/labels",
      readings: [
        { verdict: "valid", by: ["JSON"], why: "names of members are text whatever they look like" },
        { verdict: "invalid", by: ["YAML 1.2, core schema"], why: "it is a number, and no object has such a name" },
      ],
    },
    {
      name: "merge",
      says: "takes a part of its members from an anchor",
      text: written({
        version: "x-base: &base {id: trip-desk, name: Trip Desk, version: 1.0.0}\nschema_version: 1.0.0",
        metadata: ["<<: *base", "description: Plans short trips."],
      }),
      at: "/metadata",
      readings: editions(
        "invalid",
        "a member named << like any other",
        "the mapping of the anchor, merged into this one",
      ),
    },
  ],
};

export const textCases: readonly Cases[] = [patternedCases, yaml, ...integerCases];
