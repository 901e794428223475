import { describe, expect, it } from "vitest";
import { findings } from "../../../../generators/index.ts";
import { type Json, protocolNamed } from "../../../../schemas/index.ts";
import { ruled } from "../../../packs/pack/load.ts";
import { eventNames } from "./event.ts";
import { membersOf } from "./member.ts";
import { type Members, makeAcceptance, makeEvent, makeExtensionEvent, makeRequest, tidewatch } from "./messages.ts";

const protocol = await ruled(protocolNamed("aaep"));
const brokenRules = (document: string, data: Json) =>
  findings(protocol, document, data).map(({ rule, level }) => `${rule.slice(5)} ${level}`);
const core = "https://aaep-protocol.org/context/v1";

/** Deviations of published implementations and examples, with our own values. */
describe("the rules on known deviations", () => {
  it.each<[string, string, Json, string[]]>([
    [
      "an event without hints, like all examples",
      "agent.session.started",
      makeEvent("agent.session.started", { localization_hints: undefined }),
      ["I18N-001 SHOULD"],
    ],
    [
      "an error with a tool's error_message",
      "agent.session.errored",
      makeEvent("agent.session.errored", { error_message: "no route" }),
      ["ENV-033 MUST"],
    ],
    [
      "a summary on every chunk",
      "agent.output.streaming",
      makeEvent("agent.output.streaming", { summary_normal: "Berth E14 is free." }),
      ["ENV-033 SHOULD"],
    ],
    [
      "an alert of an extension under the core's prefix",
      "envelope",
      makeExtensionEvent({ "@context": [core, "https://clinic.example/context/v1"], type: "aaep:agent.medical.alert" }),
      ["EXT-002 MUST"],
    ],
    [
      "amounts beside the text, as one chapter shows them",
      "agent.session.completed",
      makeEvent("agent.session.completed", {
        amount_raw: 42,
        currency: "EUR",
        fx_rate: 1.1,
        fx_rate_source: "harbour",
      }),
      ["ENV-033 SHOULD", "ENV-033 SHOULD", "ENV-033 SHOULD", "ENV-033 SHOULD"],
    ],
    [
      "an error with the default urgency",
      "agent.session.errored",
      makeEvent("agent.session.errored", { urgency: undefined }),
      ["LIFE-011 MUST"],
    ],
    [
      "an irreversible action that silence permits",
      "agent.awaiting.confirmation",
      makeEvent("agent.awaiting.confirmation", {
        risk_level: "high",
        reversibility: "irreversible",
        default_decision: "accept",
        timeout_seconds: 300,
      }),
      ["CONF-008 MUST"],
    ],
    [
      "a choice without choices",
      "agent.awaiting.clarification",
      makeEvent("agent.awaiting.clarification", {
        accepted_response_kinds: ["multiple_choice"],
        options: ["town", "north"],
      }),
      ["ENV-033 MUST", "CLAR-003 MUST"],
    ],
    [
      "a timestamp with one digit",
      "envelope",
      makeExtensionEvent({ timestamp: "2026-05-24T15:22:11.3Z" }),
      ["ENV-015 MUST"],
    ],
    ["a far version", "envelope", makeExtensionEvent({ aaep_version: "99.0.0" }), ["ENV-032 MUST"]],
    [
      "a subscriber of level 2 that does not support replies",
      "subscription.request",
      makeRequest({ supported_conformance_levels: [1, 2] }),
      ["HS-014 MUST"],
    ],
    [
      "five a second requested, ten granted, and one language too many",
      "handshake",
      {
        request: makeRequest({ max_events_per_second: 5, languages: ["en-US"] }),
        accepted: makeAcceptance({ max_events_per_second: 10, languages: ["en-US", "fr-FR"] }),
      },
      ["HS-005 MUST", "HS-006 MUST"],
    ],
  ])("are broken by %s", (_, document, data, expectedFindings) => {
    expect(brokenRules(document, data)).toEqual(expectedFindings);
  });
});

/** Valid messages that other checkers have rejected. */
describe("the rules on messages that other checkers reject", () => {
  const confirmation = (members: Members) => makeEvent("agent.awaiting.confirmation", members);
  it.each<[string, string, Json]>([
    [
      "irreversible, though reversible with effort, like the official example",
      "agent.awaiting.confirmation",
      confirmation({
        risk_level: "high",
        irreversible: true,
        reversibility: "reversible_with_effort",
        timeout_seconds: 300,
      }),
    ],
    [
      "a task list",
      "agent.tool.invoked",
      makeEvent("agent.tool.invoked", { args_summary: "task-list, risk-level, Desk-side" }),
    ],
    [
      "a password to be reset",
      "agent.session.completed",
      makeEvent("agent.session.completed", { output_summary: "Reset your password." }),
    ],
    [
      "a question in French too",
      "agent.awaiting.clarification",
      makeEvent("agent.awaiting.clarification", { question_fr: "Quel nom ?" }),
    ],
    [
      "nothing requested, the defaults granted",
      "handshake",
      {
        request: makeRequest(),
        accepted: makeAcceptance({ languages: ["en-US"], coalesce_boundaries: ["sentence", "completion"] }),
      },
    ],
    [
      "en requested, en-US granted",
      "handshake",
      { request: makeRequest({ languages: ["en"] }), accepted: makeAcceptance({ languages: ["en-US"] }) },
    ],
    [
      "an extension's event",
      "envelope",
      makeExtensionEvent({ extensions: { tidewatch: {} }, gauge: 4, localization_hints: undefined }),
    ],
    [
      "an extension's context on the core's host",
      "envelope",
      makeExtensionEvent({ "@context": [core, "https://aaep-protocol.org/ext/tide/v1"] }),
    ],
  ])("are followed by %s", (_, document, data) => {
    expect(brokenRules(document, data)).toEqual([]);
  });
});

it("finds no fault in the samples of the profile", () => {
  for (const { name, samples = [] } of protocol.profile.documents)
    for (const sample of samples) expect([name, brokenRules(name, sample)]).toEqual([name, []]);
});

it("knows the thirteen members of the envelope, and those of the payload of each event", () => {
  const memberSets = eventNames.map((name) => membersOf(name));
  const [firstSet, ...otherSets] = memberSets as [ReadonlySet<string>, ...ReadonlySet<string>[]];
  expect([...firstSet].filter((member) => otherSets.every((set) => set.has(member)))).toHaveLength(13);
  expect(membersOf("agent.output.streaming").has("summary_normal")).toBe(false);
  expect(membersOf("agent.progress.updated").has("summary_detailed")).toBe(true);
});

it.each([
  ["1.0.0", "MUST"],
  ["1.0.1", "MUST"],
  ["1.1.0", "SHOULD"],
  ["1.20.3", "SHOULD"],
  ["2.1.0", "MUST"],
  [undefined, "MUST"],
])("counts an unknown member of an event of version %s as %s", (version, level) => {
  const unusualEvent = makeEvent("agent.state.changed", { aaep_version: version, custom_field: 1 });
  expect(brokenRules("agent.state.changed", unusualEvent)).toContain(`ENV-033 ${level}`);
});

it("judges extension events only by the rules for all events", () => {
  const unusualEvent = makeExtensionEvent({
    reason: "password=curlew10",
    description: "x",
    custom_field: 1,
    "@context": [core, tidewatch],
  });
  expect(brokenRules("envelope", unusualEvent)).toEqual([]);
  expect(brokenRules("envelope", { ...unusualEvent, summary_normal: "password=curlew10" })).toEqual(["SEC-001 MUST"]);
});

it("has a check for each rule that one message or one exchange can break", () => {
  const checkedRules = protocol.families.flatMap((family) => family.checkers.map(({ rule }) => rule));
  const semanticRules = protocol.rules
    .filter(({ check, status }) => check === "semantic" && !("planned" in status))
    .map(({ id }) => id);
  expect(semanticRules.filter((id) => !checkedRules.includes(id))).toEqual([]);
  expect(semanticRules).toHaveLength(58);
});
