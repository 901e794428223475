import { expect, it } from "vitest";
import { protocolNamed, type TargetConfig } from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { casesOf } from "../../running/run/case.ts";
import { describeUnsent } from "./unsent-messages.ts";

const server: TargetConfig = { kind: "http", url: "http://127.0.0.1:1" };

function reportUnsent(name: string, document: string | undefined, target: TargetConfig): string {
  const protocol = protocolNamed(name);
  const cases = casesOf(protocol, loadVectors(protocol)).filter(
    (runCase) => document === undefined || runCase.document.name === document,
  );
  return describeUnsent([{ protocol, cases }], target, "touchstone");
}

it("advises how to test the messages of a protocol if most of them are never sent to a server", () => {
  expect(reportUnsent("aaep", undefined, server)).toMatch(
    /^\d{5} of \d{5} vectors of aaep .* a producer are tested by touchstone play aaep --http http:\/\/127\.0\.0\.1:1\n$/,
  );
  const startedType = "agent.session.started";
  expect(reportUnsent("aaep", startedType, server)).toMatch(/^(\d+) of \1 vectors/);
  expect(reportUnsent("aaep", startedType, { ...server, endpoints: { [startedType]: "/events" } })).toBe("");
});

it("prints nothing if the messages are sent to a server, or if the target is not a server", () => {
  expect(reportUnsent("aaep", "subscription.request", server)).toBe("");
  expect(reportUnsent("ahcp", undefined, server)).toBe("");
  expect(reportUnsent("aaep", undefined, { kind: "reference" })).toBe("");
});
