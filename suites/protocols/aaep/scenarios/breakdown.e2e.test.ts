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

/** Short scenarios of every kind, and the milliseconds for each. */
const names =
  /^(?:request-answered|consent-awaited|reply-invalid|reply-first-wins|clarification-typed|timeout-rejects|gone-by-closing|chunks-joined|terms-changed|terms-kept|manifest-published)$/;
const withinMs = 3000;
const protocol = protocolNamed("aaep");
const played = scenarios.filter(({ name }) => names.test(name)).map((scenario) => ({ ...scenario, withinMs }));

/** Each scenario has its own producer, so that they wait in parallel. */
const opened = (): Promise<Environment> => live.open({ side: "producer" });

/** A party that breaks down is not accused of anything, and every result is reported. */
async function mustBeErrored(setting: Setting, isBroken: () => boolean): Promise<void> {
  const broken = new Map<string, boolean>();
  const onResult = ({ id }: Result): void => void broken.set(id, isBroken());
  const results = await playScenarios({ protocol, scenarios: played, setting, seed: 1, onResult });
  expect(results.map(({ id }) => id)).toEqual(expectedOf(protocol, played).map(({ id }) => id));
  const accused = results.filter(({ outcome }) => outcome === "violates" || outcome === "warns");
  expect(accused.map(({ id, why }) => `${id}: ${why}`)).toEqual([]);
  const errored = results.filter(({ outcome }) => outcome === "errored" || outcome === "timed-out");
  expect(errored.length).toBeGreaterThan(0);
  for (const { id, outcome, stage } of errored)
    expect([id, outcome, stage, broken.get(id)]).toEqual([id, outcome, expect.stringMatching(/\w/), true]);
}

const ways = [...Object.entries(breakdowns), ["is gone", undefined] as const];
const requests = partOf(
  ways.flatMap(([what, respond], index) => [1, 2 + index].map((after) => ({ what, after, respond }))),
  ({ what, after }) => `${what} ${after}`,
);

describe("a producer", () => {
  it.concurrent.each(requests.cases)(
    `that $what after $after requests is accused of nothing (${requests.said})`,
    async (each) => {
      const producer = await opened();
      const proxy = await startBreaking(`${producer.setting.url}`, each.after, each.respond);
      try {
        await mustBeErrored({ ...producer.setting, url: proxy.url, timeScale: 0.3 }, () => proxy.count() > each.after);
      } finally {
        proxy.close();
        await producer.close();
      }
    },
  );

  const streams = partOf(
    (["ends", "breaks", "falls silent", "floods"] as const).flatMap((what) => [0, 3].map((after) => ({ what, after }))),
    ({ what, after }) => `${what} ${after}`,
  );
  it.concurrent.each(streams.cases)(
    `whose stream $what after $after events is accused of nothing (${streams.said})`,
    async (each) => {
      const producer = await opened();
      const { url, close } = await streaming(`${producer.setting.url}`, each.what, each.after);
      try {
        await mustBeErrored({ ...producer.setting, url, timeScale: 0.3 }, () => true);
      } finally {
        await close();
        await producer.close();
      }
    },
  );
});

/** A proxy that breaks each stream of events in this way after some events; it passes everything else. */
async function streaming(
  origin: string,
  what: "ends" | "breaks" | "falls silent" | "floods",
  after: number,
): Promise<{ url: string; close(): Promise<void> }> {
  const spoil = (response: ServerResponse): void => {
    if (what === "ends") response.end();
    if (what === "breaks") response.destroy();
    if (what !== "floods") return;
    const more = (): void => {
      while (!response.destroyed && response.write(`data: "${"x".repeat(65_536)}"\n\n`));
    };
    response.on("drain", more);
    more();
  };
  const pass = (incoming: IncomingMessage, response: ServerResponse): void => {
    const { method, headers, url } = incoming;
    const outgoing = request(new URL(url ?? "/", origin), { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      if (!/event-stream/.test(answer.headers["content-type"] ?? "")) return void answer.pipe(response);
      response.flushHeaders();
      let events = 0;
      let isSpoilt = false;
      const look = (): void => {
        if (isSpoilt || events < after) return;
        isSpoilt = true;
        spoil(response);
      };
      look();
      answer.on("data", (bytes: Buffer) => {
        events += bytes.toString("utf8").split("data: ").length - 1;
        if (!isSpoilt && events < after) response.write(bytes);
        look();
      });
      response.on("close", () => answer.destroy());
    });
    outgoing.on("error", () => response.destroy());
    incoming.pipe(outgoing);
  };
  const server = createServer(pass);
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
