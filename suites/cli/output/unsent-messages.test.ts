import { expect, it } from "vitest";
import { protocolNamed, type TargetConfig } from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { casesOf } from "../../running/run/case.ts";
import { unsentLines } from "./unsent-messages.ts";

const server: TargetConfig = { kind: "http", url: "http://127.0.0.1:1" };

function reported(name: string, document: string | undefined, target: TargetConfig): string {
  const protocol = protocolNamed(name);
  const cases = casesOf(protocol, loadVectors(protocol)).filter(
    (runCase) => document === undefined || runCase.document.name === document,
  );
  return unsentLines([{ protocol, cases }], target, "touchstone");
}

it("says how to test the messages of a protocol if most of them are never sent to a server", () => {
  expect(reported("aaep", undefined, server)).toMatch(
    /^\d{5} of \d{5} vectors of aaep .* a producer are tested by touchstone play aaep --http http:\/\/127\.0\.0\.1:1\n$/,
  );
  const own = "agent.session.started";
  expect(reported("aaep", own, server)).toMatch(/^(\d+) of \1 vectors/);
  expect(reported("aaep", own, { ...server, endpoints: { [own]: "/events" } })).toBe("");
});

it("is empty for a protocol whose messages are sent to a server, and for any other target", () => {
  expect(reported("aaep", "subscription.request", server)).toBe("");
  expect(reported("ahcp", undefined, server)).toBe("");
  expect(reported("aaep", undefined, { kind: "reference" })).toBe("");
});
