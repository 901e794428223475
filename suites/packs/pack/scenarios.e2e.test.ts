import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { home, type JsonObject, type Report } from "../../../schemas/index.ts";
import { touchstone } from "../../cli/process.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const pack = join(folder, "order");
cpSync(join(home, "suites/packs/pack/example"), pack, { recursive: true });
// The older form of a pack, which still works.
for (const name of ["rules", "fixtures.yaml"]) rmSync(join(pack, name), { recursive: true });
cpSync(join(home, "suites/packs/pack/older"), pack, { recursive: true });
const servers: Server[] = [];
afterAll(() => {
  for (const server of servers) server.close();
  rmSync(folder, { recursive: true });
});

/** Starts a server that keeps orders by their ids, with a fault; returns its URL. */
async function startShop(fault: "none" | "rounds" | "replaces" | "breaks-down" | "checks"): Promise<string> {
  const ordersById = new Map<string, JsonObject>();
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const respond = (status: number, body?: JsonObject): void =>
      void response.writeHead(status, { "content-type": "application/json" }).end(body && JSON.stringify(body));
    if (request.method === "GET") {
      const order = ordersById.get((request.url ?? "").slice("/orders/".length));
      if (fault === "breaks-down") respond(500);
      else if (order === undefined) respond(404);
      else respond(200, fault === "rounds" ? { ...order, total: 10 * Math.round(Number(order.total) / 30) } : order);
      return;
    }
    const order = JSON.parse(text) as JsonObject;
    if (fault === "checks" && !/^ORD-[0-9]{3}$/.test(`${order.id}`)) return respond(422);
    const isKnown = ordersById.has(`${order.id}`);
    if (!isKnown || fault === "replaces") ordersById.set(`${order.id}`, order);
    respond(isKnown && fault !== "replaces" ? 409 : 201);
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function playAgainst(url: string): Promise<Record<string, string>> {
  const { out, err } = await touchstone("play", pack, "--http", url, "--report", "json", "--seed", "1");
  expect(err).toMatch(/^(?:\S+, results of scenarios: .*\n)*(?:took \S+ s\n)?$/);
  const results = (JSON.parse(out) as Report).runs.flatMap((run) => run.results);
  return Object.fromEntries(results.map(({ id, outcome, why }) => [id, `${outcome}${why ? `: ${why}` : ""}`]));
}

const readBackId = "order/1/scenarios/read-back/ORDER-READ-001";
const uniqueOrderId = "order/1/scenarios/twice/ORDER-ONCE-001";

describe("scenarios of a pack, in YAML and in JavaScript", () => {
  it("conform for a correct server", async () => {
    expect(await playAgainst(await startShop("none"))).toEqual({
      [readBackId]: "conforms",
      [uniqueOrderId]: "conforms",
    });
  });

  it("report each fault under its own rule", async () => {
    expect(await playAgainst(await startShop("rounds"))).toMatchObject({
      [readBackId]: 'violates: "/total" is 170, not 500',
    });
    expect(await playAgainst(await startShop("replaces"))).toEqual({
      [readBackId]: "conforms",
      [uniqueOrderId]: "violates: the second is answered HTTP 201",
    });
  });

  it("end in an error if the server fails", async () => {
    expect((await playAgainst(await startShop("breaks-down")))[readBackId]).toMatch(/^errored: the server failed/);
  });

  it("can be replayed and explained", async () => {
    const url = await startShop("replaces");
    const { code, out } = await touchstone("replay", uniqueOrderId, "--protocol", pack, "--http", url);
    expect([code, out.split("\n")[0]]).toEqual([1, `FAILS  ${uniqueOrderId}`]);
    expect((await touchstone("explain", uniqueOrderId, "--protocol", pack)).out).toContain(
      "It shows that an id is taken once.",
    );
  });

  it("do not blame a server for refusing their own invalid message, and use tokens of letters and digits", async () => {
    const file = join(pack, "scenarios.yaml");
    const scenarioText = readFileSync(file, "utf8");
    const withInvalidOrder = scenarioText
      .replaceAll("ORD-101", "{{token}}")
      .replace("expect: [{ status: [201] }]", "expect: [{ rule: ORDER-READ-001, status: [201] }]")
      .replace("equal: { /id: {{token}}, /total: 500 }", 'matches: { /id: "^[a-z][a-z0-9]{11}$" }')
      .replace("valid: order, ", "")
      .replaceAll("id: {{token}}", 'id: "{{token}}"')
      .replaceAll("path: /orders/{{token}}", 'path: "/orders/{{token}}"');
    writeFileSync(file, withInvalidOrder);
    const [refusing, accepting] = [
      (await playAgainst(await startShop("checks")))[readBackId],
      (await playAgainst(await startShop("none")))[readBackId],
    ];
    writeFileSync(file, scenarioText);
    expect(refusing).toMatch(/^errored: the scenario does not send a valid order: "\/id" .*; the answer was/);
    expect(accepting).toBe("conforms");
  });

  const validScenarios = readFileSync(join(pack, "scenarios.yaml"), "utf8");
  it.each<[mistake: string, from: string, to: string, message: RegExp]>([
    [
      "an unknown rule",
      "ORDER-READ-001",
      "ORDER-REED-001",
      /scenarios\.yaml:10:21.*no rule ORDER-REED-001[\s\S]*did you mean "ORDER-READ-001"/,
    ],
    [
      "an unknown document",
      "valid: order",
      "valid: ordre",
      /scenarios\.yaml:10:\d+.*no document ordre[\s\S]*did you mean "order"/,
    ],
    ["an unknown member", "status: [201]", "stauts: [201]", /scenarios\.yaml:7:\d+[\s\S]*did you mean "status"/],
    ["no rule in any expectation", "rule: ORDER-READ-001, ", "", /no expectation names a rule/],
    [
      "a step of two kinds",
      "- send: { method: GET, path: /orders/ORD-101 }",
      "- send: { path: /o }\n        pass: 5",
      /scenarios\.yaml:8:9 [^:]*: it matches more than one/,
    ],
    ["a malformed pointer", "lines: /lines", "lines: lines", /scenarios\.yaml:11/],
    ["broken YAML", "scenarios:", "scenarios: [", /scenarios\.yaml:\d+/],
  ])("are refused with %s", async (_, from, to, message) => {
    writeFileSync(join(pack, "scenarios.yaml"), validScenarios.replaceAll(from, to));
    const { code, err } = await touchstone("play", pack, "--http", "http://127.0.0.1:1");
    expect(err).toMatch(message);
    expect(code).toBe(2);
    writeFileSync(join(pack, "scenarios.yaml"), validScenarios);
  });
});
