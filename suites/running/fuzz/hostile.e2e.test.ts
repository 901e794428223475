import { describe, expect, it } from "vitest";
import { protocolNamed } from "../../../schemas/index.ts";
import { fuzzSuite } from "./index.ts";
import { breakdowns, brokenServer } from "./target.fixture.ts";

const protocols = [protocolNamed("ahcp")];

describe.each(Object.entries(breakdowns))("a server that %s", (breakdown, respond) => {
  it.concurrent("is never reported as violating a rule, and never passes", async () => {
    const server = await brokenServer(respond);
    try {
      const target = { kind: "http", url: server.url } as const;
      const base = { protocols, target, seed: 1, maxFailures: 3, timeoutMs: 200, command: "" };
      const messages = await fuzzSuite({ ...base, document: "message", runs: 100 });
      expect([1, 3]).toContain(messages.report.exitCode);
      expect(messages.report.counts).toMatchObject({ violates: 0, conforms: 0 });
      // A walk would wait ten seconds for an answer. Tests of scenarios cover this case.
      if (breakdown === "hangs") return;
      const hooks = { resolve: () => ({ applied: true }) };
      const open = async () => ({ setting: { url: server.url, hooks }, close: async () => {} });
      const environments = { sides: "usual", open } as const;
      const walks = await fuzzSuite({ ...base, runs: 0, walks: { environments, walks: 5 } });
      expect([1, 3]).toContain(walks.report.exitCode);
      expect(walks.report.counts).toMatchObject({ violates: 0, conforms: 0 });
    } finally {
      server.close();
    }
  });
});
