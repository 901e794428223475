import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { type Environment, type Hook, protocolNamed, type Setting } from "../../../../schemas/index.ts";
import { partOf } from "../../../../schemas/part.fixture.ts";
import { breakdowns } from "../../../running/fuzz/target.fixture.ts";
import { startBreaking } from "../../../running/scenarios/breaking.fixture.ts";
import { expectedOf, playScenarios } from "../../../running/scenarios/index.ts";
import { ofSide } from "../../../running/scenarios/sides.ts";
import { takeSockets } from "../../../running/scenarios/way/websocket-server.ts";
import { live } from "../reference/live.ts";
import { scenarios } from "./index.ts";

const protocol = protocolNamed("snap");
const seed = Number(process.env.TOUCHSTONE_SEED ?? 1);

/** Short scenarios of every kind. */
const shortNames =
  /^(?:card-served|checks-(?:extension|unsigned|effect)|freshness-repeated|answers-method|streams-(?:items|refused))$/;
/** The time limit of a scenario. A party that hangs always uses all of it; others get more, because the machine may be busy. */
const withinMs = 4000;
const patientMs = 30_000;
const maxRequests = 20;
const shortScenarios = ofSide(protocol, scenarios, "agent")
  .filter(({ name }) => shortNames.test(name))
  .map((scenario) => ({ ...scenario, withinMs }));

/** Opens a new agent for each test, so that the tests can wait in parallel. */
const openAgent = (): Promise<Environment> => live.open({ side: "agent" });

const failures = [...Object.entries(breakdowns), ["is gone", undefined] as const];
const { cases, said: partText } = partOf(
  failures.flatMap(([description, respond], index) =>
    [0, 1 + ((seed * 7919 + index * 31) % maxRequests)].map((after) => ({ what: description, after, respond })),
  ),
  ({ what: description, after }) => `${description} ${after}`,
);

describe("an agent", () => {
  it.concurrent.each(cases)(
    `that $what after $after requests is reported as errored from then on (${partText})`,
    async ({ what: description, after, respond }) => {
      const agent = await openAgent();
      const proxy = await startBreaking(`${agent.setting.url}`, after, respond);
      const brokenByName = new Map<string, boolean>();
      try {
        const { websocket: _, ...options } = agent.setting.options ?? {};
        const setting: Setting = { ...agent.setting, options, url: proxy.url };
        const results = await playScenarios({
          protocol,
          setting,
          seed,
          scenarios:
            description === "hangs"
              ? shortScenarios
              : shortScenarios.map((scenario) => ({ ...scenario, withinMs: patientMs })),
          onResult: ({ id }) => brokenByName.set(id, proxy.count() > after),
        });
        expect(results.map(({ id }) => id)).toEqual(expectedOf(protocol, shortScenarios).map(({ id }) => id));
        for (const { id, outcome, stage = "", why } of results)
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
      } finally {
        proxy.close();
        await agent.close();
      }
    },
  );
});

const socketScenarios = ofSide(protocol, scenarios, "agent")
  .filter(({ name }) => /^sockets-(?:frames|refused|memory)$/.test(name))
  .map((scenario) => ({ ...scenario, withinMs }));

/** What a broken WebSocket does instead of answering, by description. */
const reactions: Record<string, (text: string, connection: Parameters<Parameters<typeof takeSockets>[1]>[0]) => void> =
  {
    "says nothing": () => {},
    closes: (_text, connection) => connection.close(),
    "sends no JSON": (_text, connection) => connection.send("oh"),
    "sends events without end": (_text, connection) => {
      const sendMore = (): void => {
        for (let count = 0; count < 500; count++) connection.send('{"type":"event"}');
        timer = setTimeout(sendMore, 1);
      };
      let timer = setTimeout(sendMore, 1);
      connection.onClose(() => clearTimeout(timer));
    },
  };

describe("a WebSocket", () => {
  const { cases, said: partText } = partOf(Object.keys(reactions), (description) => description, 2);
  it.concurrent.each(cases)(`that %s is reported in every scenario (${partText})`, async (description) => {
    const agent = await openAgent();
    const server = createServer();
    const dropConnections = takeSockets(server, (connection) =>
      connection.onText((text) => reactions[description]?.(text, connection)),
    );
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    const options = { ...agent.setting.options, websocket: `ws://127.0.0.1:${port}` };
    try {
      const results = await playScenarios({
        protocol,
        scenarios: socketScenarios,
        setting: { ...agent.setting, options },
        seed,
      });
      expect(results.map(({ id }) => id)).toEqual(expectedOf(protocol, socketScenarios).map(({ id }) => id));
      expect(results.filter(({ outcome }) => outcome === "conforms")).toEqual([]);
    } finally {
      dropConnections();
      server.close();
      await agent.close();
    }
  });
});

const requesterScenarios = ofSide(protocol, scenarios, "requester").map((scenario) => ({ ...scenario, withinMs: 300 }));
const allHooks = (hook: Hook): Record<string, Hook> =>
  Object.fromEntries(["send", "stream", "discover", "find", "mail"].map((name) => [name, hook]));

describe("a requester", () => {
  const hooks: [description: string, hook: Hook][] = [
    ["hangs", () => new Promise(() => {})],
    [
      "breaks down",
      () => {
        throw new Error("oh");
      },
    ],
    ["answers with nothing", () => ({})],
    ["answers with something else", () => ({ response: 7, messages: "x", card: [], cards: {}, error: null })],
    ["cannot", () => ({ skipped: "not built for it" })],
  ];

  it.concurrent.each(hooks)("that %s never conforms without evidence", async (description, hook) => {
    const results = await playScenarios({
      protocol,
      scenarios: requesterScenarios,
      setting: { side: "requester", hooks: allHooks(hook) },
      seed,
    });
    expect(results.map(({ id }) => id)).toEqual(expectedOf(protocol, requesterScenarios).map(({ id }) => id));
    const allowedOutcomes = new Set(
      description === "cannot" ? ["skipped"] : ["errored", "timed-out", "skipped", "violates", "warns"],
    );
    expect(
      results.filter(({ outcome }) => !allowedOutcomes.has(outcome)).map(({ id, outcome }) => `${id} ${outcome}`),
    ).toEqual([]);
  });
});
