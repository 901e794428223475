import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { type Environment, protocolNamed, type Result, type Setting } from "../../../../schemas/index.ts";
import { partOf } from "../../../../schemas/part.fixture.ts";
import { breakdowns } from "../../../running/fuzz/target.fixture.ts";
import { startBreaking } from "../../../running/scenarios/breaking.fixture.ts";
import { expectedOf } from "../../../running/scenarios/result.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

/** Short scenarios of every kind. */
const playedNames =
  /^(?:request-answered|consent-awaited|reply-invalid|reply-first-wins|clarification-typed|timeout-rejects|gone-by-closing|chunks-joined|terms-changed|terms-kept|manifest-published)$/;
const withinMs = 3000;
const protocol = protocolNamed("aaep");
const shortScenarios = scenarios
  .filter(({ name }) => playedNames.test(name))
  .map((scenario) => ({ ...scenario, withinMs }));

/** Opens a new producer for each test, so that the tests can wait in parallel. */
const openProducer = (): Promise<Environment> => live.open({ side: "producer" });

/** Expects that the breakdown of a party causes errors but no violations, and that every result is reported. */
async function expectOnlyErrors(setting: Setting, isBroken: () => boolean): Promise<void> {
  const brokenAtResult = new Map<string, boolean>();
  const onResult = ({ id }: Result): void => void brokenAtResult.set(id, isBroken());
  const results = await playScenarios({ protocol, scenarios: shortScenarios, setting, seed: 1, onResult });
  expect(results.map(({ id }) => id)).toEqual(expectedOf(protocol, shortScenarios).map(({ id }) => id));
  const failures = results.filter(({ outcome }) => outcome === "violates" || outcome === "warns");
  expect(failures.map(({ id, why }) => `${id}: ${why}`)).toEqual([]);
  const errors = results.filter(({ outcome }) => outcome === "errored" || outcome === "timed-out");
  expect(errors.length).toBeGreaterThan(0);
  for (const { id, outcome, stage } of errors)
    expect([id, outcome, stage, brokenAtResult.get(id)]).toEqual([id, outcome, expect.stringMatching(/\w/), true]);
}

const responses = [...Object.entries(breakdowns), ["is gone", undefined] as const];
const requests = partOf(
  responses.flatMap(([breakdown, respond], index) =>
    [1, 2 + index].map((requestCount) => ({ breakdown, requestCount, respond })),
  ),
  ({ breakdown, requestCount }) => `${breakdown} ${requestCount}`,
);

describe("a producer", () => {
  it.concurrent.each(requests.cases)(
    `that $breakdown after $requestCount requests causes only errors (${requests.said})`,
    async ({ requestCount, respond }) => {
      const producer = await openProducer();
      const proxy = await startBreaking(`${producer.setting.url}`, requestCount, respond);
      try {
        await expectOnlyErrors(
          { ...producer.setting, url: proxy.url, timeScale: 0.3 },
          () => proxy.count() > requestCount,
        );
      } finally {
        proxy.close();
        await producer.close();
      }
    },
  );

  const streams = partOf(
    (["ends", "breaks", "falls silent", "floods"] as const).flatMap((fault) =>
      [0, 3].map((eventCount) => ({ fault, eventCount })),
    ),
    ({ fault, eventCount }) => `${fault} ${eventCount}`,
  );
  it.concurrent.each(streams.cases)(
    `with a stream that $fault after $eventCount events causes only errors (${streams.said})`,
    async ({ fault, eventCount }) => {
      const producer = await openProducer();
      const { url, close } = await startStreamProxy(`${producer.setting.url}`, fault, eventCount);
      try {
        await expectOnlyErrors({ ...producer.setting, url, timeScale: 0.3 }, () => true);
      } finally {
        await close();
        await producer.close();
      }
    },
  );
});

/** Starts a proxy that breaks each stream in this way after some events, and forwards everything else. */
async function startStreamProxy(
  origin: string,
  fault: "ends" | "breaks" | "falls silent" | "floods",
  eventCount: number,
): Promise<{ url: string; close(): Promise<void> }> {
  const breakStream = (response: ServerResponse): void => {
    if (fault === "ends") response.end();
    if (fault === "breaks") response.destroy();
    if (fault !== "floods") return;
    const floodStream = (): void => {
      while (!response.destroyed && response.write(`data: "${"x".repeat(65_536)}"\n\n`));
    };
    response.on("drain", floodStream);
    floodStream();
  };
  const forward = (incoming: IncomingMessage, response: ServerResponse): void => {
    const { method, headers, url } = incoming;
    const outgoing = request(new URL(url ?? "/", origin), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (!/event-stream/.test(answer.headers["content-type"] ?? "")) return void answer.pipe(response);
      response.flushHeaders();
      let events = 0;
      let isBroken = false;
      const breakWhenDue = (): void => {
        if (isBroken || events < eventCount) return;
        isBroken = true;
        breakStream(response);
      };
      breakWhenDue();
      answer.on("data", (bytes: Buffer) => {
        events += bytes.toString("utf8").split("data: ").length - 1;
        if (!isBroken && events < eventCount) response.write(bytes);
        breakWhenDue();
      });
      response.on("close", () => answer.destroy());
    });
    outgoing.on("error", () => response.destroy());
    incoming.pipe(outgoing);
  };
  const server = createServer(forward);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
