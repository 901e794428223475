import { expect, it } from "vitest";
import type { Extension, Protocol, Rule, Scenario, ScenarioContext } from "../../../schemas/index.ts";
import { inNames, spellingsOf } from "./renamed-scenarios.ts";

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

function told(rules: string[], play: Scenario["play"]): Scenario {
  return { name: "one", says: "OLD-A-1 holds", rules, needs: [], withinMs: 1, play };
}

it("renames members in texts and values, and keeps the parties' words", () => {
  const { out, back } = spellingsOf(extension);
  const text = '{"old_version" : "old_version", "a": ["old_version"]}';
  expect(out.text(text)).toBe('{"new_version" : "old_version", "a": ["old_version"]}');
  expect(back.text(out.text(text))).toBe(text);
  expect(out.text('{"new_version":1,"old_version":2}')).toBe('{"old_version":1,"new_version":2}');
  expect(out.headers({ "old-signature": "x", accept: "y" })).toEqual({ "new-signature": "x", accept: "y" });
});

it("exchanges two values of a member, in texts and in values at any depth", () => {
  const { out, back } = spellingsOf(extension, { member: "old_version", values: ["1", "2"] });
  expect(out.value({ old_version: "1", in: { old_version: "2", other: "1" } })).toEqual({
    new_version: "2",
    in: { new_version: "1", other: "1" },
  });
  expect(out.text('{"old_version":"1","other":"1"}')).toBe('{"new_version":"2","other":"1"}');
  expect(back.text('{"new_version":"2"}')).toBe('{"old_version":"1"}');
});

it("plays covered rules in the names of the pack, and leaves out scenarios of other rules", async () => {
  const sent: unknown[] = [];
  const found: unknown[] = [];
  const reply = { status: 200, headers: { "new-signature": "s" }, text: "", json: { new_version: "1", track: 1 } };
  const context = {
    agents: {},
    send: async (asked: unknown) => {
      sent.push(asked);
      return reply;
    },
    expect: (...all: unknown[]) => void found.push(all),
  } as unknown as ScenarioContext;
  const both = told(["OLD-A-1", "OLD-A-2"], async ({ send, expect: judge }) => {
    const body = { old_version: "1" };
    const answer = await send({ method: "POST", path: "/.well-known/old", body, headers: { "Old-Signature": "t" } });
    judge("OLD-A-2", false, "is planned");
    judge("OLD-A-1", false, "OLD-A-1 in the header Old-Signature", "SHOULD");
    judge("OLD-A-1", answer.headers["old-signature"] === "s", JSON.stringify(answer.json), answer);
  });
  const [scenario, ...others] = inNames([both, told(["OLD-A-2"], async () => {})], pack, {
    hides: ["track"],
    lifts: ["OLD-A-1"],
  });
  expect(others).toEqual([]);
  expect(scenario).toMatchObject({ says: "NEW-A-1 holds", rules: ["NEW-A-1"] });
  await scenario?.play(context);
  expect(sent).toEqual([
    { method: "POST", path: "/.well-known/new", body: { new_version: "1" }, headers: { "new-signature": "t" } },
  ]);
  expect(found).toEqual([["NEW-A-1", true, '{"new_version":"1"}', reply]]);
});

it("writes out no exchange that nothing shows", async () => {
  let written = 0;
  const reply = {
    status: 200,
    headers: {},
    text: "",
    json: { new_version: "1" },
    at: 0,
    get exchange() {
      written += 1;
      return { request: { method: "GET", url: "http://127.0.0.1/", headers: {}, body: "" } };
    },
  };
  const context = { agents: {}, send: async () => reply, expect: () => {} } as unknown as ScenarioContext;
  const seen: unknown[] = [];
  const reading = told(["OLD-A-1"], async ({ send }) => {
    const { status, json, at } = await send({ method: "GET", path: "/" });
    seen.push(status, json, at, written);
    seen.push((await send({ method: "GET", path: "/" })).exchange.request.method, written);
  });
  const [scenario] = inNames([reading], pack);
  await scenario?.play(context);
  expect(seen).toEqual([200, { old_version: "1" }, 0, 0, "GET", 1]);
});
