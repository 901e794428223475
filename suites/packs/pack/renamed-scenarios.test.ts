import { expect, it } from "vitest";
import type { Extension, Protocol, Rule, Scenario, ScenarioContext } from "../../../schemas/index.ts";
import { messageSpellings, renameScenarios } from "./renamed-scenarios.ts";

const extension = {
  parent: { name: "old" },
  rename: {
    ids: { "OLD-": "NEW-" },
    members: { old_version: "new_version" },
    headers: { "Old-Signature": "New-Signature" },
    paths: { "/.well-known/old": "/.well-known/new" },
  },
} as unknown as Extension;

const rules = [
  { id: "NEW-A-1", status: { covered: "scenarios" } },
  { id: "NEW-A-2", status: { planned: "later" } },
] as unknown as Rule[];
const pack = { name: "new", extends: extension, rules } as unknown as Protocol;

function scenarioWith(rules: string[], play: Scenario["play"]): Scenario {
  return { name: "one", says: "OLD-A-1 holds", rules, needs: [], withinMs: 1, play };
}

it("renames members in texts and values, and leaves other texts unchanged", () => {
  const { toPack, toParent } = messageSpellings(extension);
  const text = '{"old_version" : "old_version", "a": ["old_version"]}';
  expect(toPack.text(text)).toBe('{"new_version" : "old_version", "a": ["old_version"]}');
  expect(toParent.text(toPack.text(text))).toBe(text);
  expect(toPack.text('{"new_version":1,"old_version":2}')).toBe('{"old_version":1,"new_version":2}');
  expect(toPack.headers({ "old-signature": "x", accept: "y" })).toEqual({ "new-signature": "x", accept: "y" });
});

it("swaps two values of a member, in texts and at any depth of values", () => {
  const { toPack, toParent } = messageSpellings(extension, { member: "old_version", values: ["1", "2"] });
  expect(toPack.value({ old_version: "1", in: { old_version: "2", other: "1" } })).toEqual({
    new_version: "2",
    in: { new_version: "1", other: "1" },
  });
  expect(toPack.text('{"old_version":"1","other":"1"}')).toBe('{"new_version":"2","other":"1"}');
  expect(toParent.text('{"new_version":"2"}')).toBe('{"old_version":"1"}');
});

it("plays covered rules under the names of the pack, and leaves out scenarios of other rules", async () => {
  const sentRequests: unknown[] = [];
  const expectations: unknown[] = [];
  const reply = { status: 200, headers: { "new-signature": "s" }, text: "", json: { new_version: "1", track: 1 } };
  const context = {
    agents: {},
    send: async (request: unknown) => {
      sentRequests.push(request);
      return reply;
    },
    expect: (...args: unknown[]) => void expectations.push(args),
  } as unknown as ScenarioContext;
  const bothRules = scenarioWith(["OLD-A-1", "OLD-A-2"], async ({ send, expect: judge }) => {
    const body = { old_version: "1" };
    const answer = await send({ method: "POST", path: "/.well-known/old", body, headers: { "Old-Signature": "t" } });
    judge("OLD-A-2", false, "is planned");
    judge("OLD-A-1", false, "OLD-A-1 in the header Old-Signature", "SHOULD");
    judge("OLD-A-1", answer.headers["old-signature"] === "s", JSON.stringify(answer.json), answer);
  });
  const [scenario, ...others] = renameScenarios([bothRules, scenarioWith(["OLD-A-2"], async () => {})], pack, {
    hides: ["track"],
    lifts: ["OLD-A-1"],
  });
  expect(others).toEqual([]);
  expect(scenario).toMatchObject({ says: "NEW-A-1 holds", rules: ["NEW-A-1"] });
  await scenario?.play(context);
  expect(sentRequests).toEqual([
    { method: "POST", path: "/.well-known/new", body: { new_version: "1" }, headers: { "new-signature": "t" } },
  ]);
  expect(expectations).toEqual([["NEW-A-1", true, '{"new_version":"1"}', reply]]);
});

it("does not convert an exchange until it is read", async () => {
  let conversionCount = 0;
  const reply = {
    status: 200,
    headers: {},
    text: "",
    json: { new_version: "1" },
    at: 0,
    get exchange() {
      conversionCount += 1;
      return { request: { method: "GET", url: "http://127.0.0.1/", headers: {}, body: "" } };
    },
  };
  const context = { agents: {}, send: async () => reply, expect: () => {} } as unknown as ScenarioContext;
  const seen: unknown[] = [];
  const readingScenario = scenarioWith(["OLD-A-1"], async ({ send }) => {
    const { status, json, at } = await send({ method: "GET", path: "/" });
    seen.push(status, json, at, conversionCount);
    seen.push((await send({ method: "GET", path: "/" })).exchange.request.method, conversionCount);
  });
  const [scenario] = renameScenarios([readingScenario], pack);
  await scenario?.play(context);
  expect(seen).toEqual([200, { old_version: "1" }, 0, 0, "GET", 1]);
});
