import { describe, expect, it } from "vitest";
import { count, protocolNamed, type Report, type Run } from "../../../../schemas/index.ts";
import { describeConclusion } from "../../../reports/wording/phrases.ts";
import { exitCode } from "../../../results/exit.ts";
import { breakdowns } from "../../../running/fuzz/target.fixture.ts";
import { withScenarios } from "../../../running/run/scenarios.ts";
import { startBreaking } from "../../../running/scenarios/breaking.fixture.ts";
import { type Environment, expectedOf } from "../../../running/scenarios/index.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios as ahcp } from "./index.ts";

/** Short scenarios of every kind, by name. */
const names =
  /^(?:versions-other-major|envelope-good|idempotency-(?:status|race)|cancel-unknown|reading-unknown|access-nobody|expiry-default|outcomes-notify|discovery-document)$/;
/** The time limit of each scenario. */
const withinMs = 2000;
/** The server breaks down after at most this many requests. */
const maxRequests = 24;
const seed = Number(process.env.TOUCHSTONE_SEED ?? 1);

const protocol = protocolNamed("ahcp");
const shortScenarios = ahcp.filter(({ name }) => names.test(name));
/** Each case has its own hub, so that the cases run in parallel. */
const openHub = (): Promise<Environment> =>
  hubEnvironment({ limits: { requestsPerMinute: 10_000, inboxDepth: 10_000 } });

const breakdownCases = [...Object.entries(breakdowns), ["is gone", undefined] as const];
const cases = breakdownCases.flatMap(([description, respond], index) =>
  [0, 1 + ((seed * 7919 + index * 31) % maxRequests)].map((after) => ({ description, after, respond })),
);

describe("a server", () => {
  it.concurrent.each(cases)(
    "that $description after $after requests is reported as an error from then on",
    async ({ after, respond }) => {
      const hub = await openHub();
      const proxy = await startBreaking(`${hub.setting.url}`, after, respond);
      const expectedErrors = expectedOf(
        protocol,
        shortScenarios.map((scenario) => ({ ...scenario, withinMs })),
      );
      const brokenByName = new Map<string, boolean>();
      try {
        const { run, complete } = await withScenarios(async () => ({ run: emptyRun, complete: true }), {
          protocol,
          expected: expectedErrors,
          seed: seed * 1000 + cases.findIndex((breakdownCase) => breakdownCase.after === after),
          signal: undefined,
          environments: {
            sides: "usual",
            open: async () => ({ setting: { ...hub.setting, url: proxy.url }, close: async () => {} }),
          },
          onResult: ({ id }) => brokenByName.set(id, proxy.count() > after),
        });
        // If the server is gone, the run ends after three failed scenarios in a row.
        const isGone = respond === undefined;
        const expectedIds = expectedErrors.map(({ id }) => id);
        expect(run.results.map(({ id }) => id)).toEqual(
          isGone ? expectedIds.slice(0, run.results.length) : expectedIds,
        );
        expect(run.failure?.message ?? "").toMatch(
          isGone ? /^the target went away during [a-z-]+: no connection/ : /^$/,
        );
        for (const { id, outcome, stage = "", why } of run.results)
          expect([id, why, stage, outcome]).toEqual([
            id,
            why,
            ...(brokenByName.get(id) === true
              ? [
                  expect.stringMatching(/^(?:connect|answer|read|play)$/),
                  expect.stringMatching(/^(?:errored|timed-out)$/),
                ]
              : ["", "conforms"]),
          ]);
        expect([...brokenByName.values()].at(-1)).toBe(true);
        const report: Pick<Report, "runs" | "complete"> = { runs: [run], complete };
        expect(exitCode(report)).toBe(isGone || run.counts.conforms === 0 ? 3 : 1);
        if (isGone && run.counts.violates === 0)
          expect(describeConclusion(report as Report)).toMatch(
            /^Not shown to conform: the target went away during [a-z-]+\.$/,
          );
        expect(JSON.stringify(report).length).toBeLessThan(500_000);
      } finally {
        proxy.close();
        await hub.close();
      }
    },
  );
});

/** A finished run without vectors. */
const emptyRun: Run = {
  protocol: protocol.name,
  version: protocol.version,
  target: { kind: "http", name: "broken" },
  set: { digest: "", count: 0 },
  filter: { only: [], skip: [] },
  counts: count([]),
  results: [],
};
