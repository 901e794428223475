import { describe, expect, it } from "vitest";
import { builtInPacks, protocolNamed } from "../../../schemas/index.ts";
import { partOf } from "../../../schemas/part.fixture.ts";
import { startHub } from "../../protocols/ahcp/reference/hub/start.ts";
import { targetFrom } from "../../targets/index.ts";
import { fuzzSuite } from "./index.ts";

async function runFuzz(name: string, variant: string | undefined, runs: number, document?: string) {
  const target = { kind: "reference", ...(variant === undefined ? {} : { variant }) } as const;
  const options = { protocols: [protocolNamed(name)], target, document, runs, seed: 1, command: "" };
  return (await fuzzSuite({ ...options, maxFailures: 2, timeoutMs: 10_000 })).report;
}

const part = partOf(
  builtInPacks.map(({ name }) => name),
  (name) => name,
  2,
);

describe("the reference", () => {
  it.each(part.cases)(`of %s is not reported as violating (${part.said})`, { timeout: 300_000 }, async (name) => {
    const report = await runFuzz(name, undefined, 40);
    const { conforms, disputed, violates, errored } = report.counts;
    expect([report.exitCode, violates, errored, conforms > disputed / 2]).toEqual([0, 0, 0, true]);
  });

  it.each([
    ["utf16-length", "message", 200, "valid", /title must NOT have more than 200/],
    ["no-formats", "submit-ack", 60, "invalid", /although it is invalid/],
    ["open-objects", "submit-ack", 60, "invalid", /although it is invalid/],
    ["loose-patterns", "message", 1200, "invalid", /although it is invalid/],
  ])("with the variant %s is detected", { timeout: 300_000 }, async (variant, document, runs, verdict, why) => {
    const report = await runFuzz("ahcp", variant, runs, document);
    const failing = report.runs[0]?.results.filter(({ outcome }) => outcome === "violates") ?? [];
    expect([report.exitCode, failing[0]?.verdict]).toEqual([1, verdict]);
    expect(failing[0]?.why).toMatch(why);
  });

  it.each(["development", "production"] as const)(
    "as a live hub in %s is not reported as violating",
    async (profile) => {
      // The hub refuses every message from an agent other than that of the credential.
      const credentials = { a: { agent: "one", token: "token-of-one" } };
      const hub = await startHub({ profile, credentials, limits: { requestsPerMinute: 10_000, inboxDepth: 10_000 } });
      try {
        const protocols = [protocolNamed("ahcp")];
        const target = () => targetFrom({ kind: "http", url: hub.url }, { credential: credentials.a });
        const options = { protocols, target, document: "message", runs: 200, seed: 5, command: "" };
        const { report } = await fuzzSuite({ ...options, maxFailures: 2, timeoutMs: 10_000 });
        expect([report.exitCode, report.counts.violates, report.counts.conforms > 150]).toEqual([0, 0, true]);
      } finally {
        await hub.close();
      }
    },
  );
});
