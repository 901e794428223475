import type { ServerResponse } from "node:http";
import { expect, it } from "vitest";
import { protocolNamed } from "../../../../schemas/index.ts";
import { brokenServer } from "../../../running/fuzz/target.fixture.ts";
import { playScenarios } from "../../../running/scenarios/run.ts";
import type { HubPolicy } from "../reference/hub/hub.ts";
import { correctHubPolicy } from "../reference/hub/policy.ts";
import { fault } from "../reference/hub/reply.ts";
import { changeBodies, changeReplies } from "../reference/hub/variants/variant.ts";
import { hubEnvironment } from "../reference/live.ts";
import { scenarios as allScenarios } from "./index.ts";

const protocol = protocolNamed("ahcp");
const jsonHeaders = { "content-type": "application/json" };

it.each<[description: string, respond: (response: ServerResponse) => void]>([
  ["404 and an empty body", (response) => response.writeHead(404).end()],
  ["a redirect", (response) => response.writeHead(302, { location: "/login" }).end()],
  ["a page", (response) => response.writeHead(200, { "content-type": "text/html" }).end("<p>Hello</p>")],
  ["a page that claims to be JSON", (response) => response.writeHead(404, jsonHeaders).end("<h1>Not found</h1>")],
  ["an empty object", (response) => response.writeHead(200, jsonHeaders).end("{}")],
  [
    "a refusal",
    (response) => response.writeHead(400, jsonHeaders).end('{"error":{"code":"validation_error","message":"x"}}'),
  ],
])("reports errors, not violations, for a server that answers everything with %s", async (_, respond) => {
  const { setting, close } = await hubEnvironment();
  const server = await brokenServer(respond);
  const names = /^(?:documents|versions|envelope|idempotency|discovery|expiry-p|answers|signatures-)/;
  const scenarios = allScenarios.filter(
    ({ name, needs }) => names.test(name) && needs.every((need) => need === "resolve"),
  );
  try {
    const options = { protocol, scenarios, seed: 1, setting: { ...setting, url: server.url } };
    const results = await playScenarios(options);
    expect(results.length).toBeGreaterThan(40);
    expect(results.filter(({ outcome, stage }) => outcome !== "errored" || stage !== "submit")).toEqual([]);
    expect(results[0]?.why).toMatch(
      /^no message of any type is accepted: check the address; a plain notify is answered/,
    );
  } finally {
    server.close();
    await close();
  }
});

it("reports only AHCP-ENV-024 for a hub that refuses every message", async () => {
  const policy: Partial<HubPolicy> = { refuseContent: () => fault("invalid_field", "not today") };
  const { setting, close } = await hubEnvironment({ policy });
  const scenarios = allScenarios.filter(({ name }) => /^(?:envelope|idempotency-race|reading-again)/.test(name));
  try {
    const results = await playScenarios({ protocol, scenarios, setting, seed: 1 });
    const outcomesOf = (rule: string): string[] => [
      ...new Set(
        results
          .filter((result) => (result.rule === "AHCP-ENV-024") === (rule === "AHCP-ENV-024"))
          .map(({ outcome }) => outcome),
      ),
    ];
    expect([outcomesOf("AHCP-ENV-024"), outcomesOf("others")]).toEqual([["violates"], ["skipped"]]);
  } finally {
    await close();
  }
});

it("reports errors, not violations, about keys of asks if a hub accepts no ask", async () => {
  const policy: Partial<HubPolicy> = {
    refuseContent: ({ type }) => (type === "ask" ? fault("invalid_field", "no such resolver") : undefined),
  };
  const { setting, close } = await hubEnvironment({ policy });
  const scenarios = allScenarios.filter(({ name }) => /^idempotency-(?:race|refused)/.test(name));
  try {
    const results = await playScenarios({ protocol, scenarios, setting, seed: 1 });
    expect(results.map(({ outcome, stage }) => `${outcome} ${stage}`)).toEqual(Array(3).fill("errored submit"));
  } finally {
    await close();
  }
});

it.each<[description: string, policy: Partial<HubPolicy>, scenario: string, rule: string]>([
  [
    "acknowledges with a number as the id",
    changeBodies("submit", (body) => ({ ...body, id: 4711 })),
    "documents-acknowledged",
    "AHCP-ACK-002",
  ],
  [
    "shows a list of one message",
    changeReplies("read", (reply) => ({ ...reply, body: [reply.body ?? null] })),
    "documents-read",
    "AHCP-GET-001",
  ],
  [
    "treats all notifies without a key as repetitions of one",
    { keyOf: (message) => correctHubPolicy.keyOf(message) ?? "none" },
    "idempotency-notifies",
    "AHCP-IDM-010",
  ],
])("reports a hub that %s", async (_, policy, scenario, rule) => {
  const { setting, close } = await hubEnvironment({ policy });
  const scenarios = allScenarios.filter(({ name }) => name === scenario);
  try {
    const results = await playScenarios({ protocol, scenarios, setting, seed: 1 });
    expect(results.filter(({ outcome }) => outcome === "violates").map((result) => result.rule)).toEqual([rule]);
  } finally {
    await close();
  }
});
