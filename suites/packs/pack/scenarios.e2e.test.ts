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

/** A server that keeps orders by their ids; `fault` makes it keep them wrongly. */
async function orders(fault: "none" | "rounds" | "replaces" | "breaks-down" | "checks"): Promise<string> {
  const kept = new Map<string, JsonObject>();
  const server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const said = (status: number, body?: JsonObject): void =>
      void response.writeHead(status, { "content-type": "application/json" }).end(body && JSON.stringify(body));
    if (request.method === "GET") {
      const order = kept.get((request.url ?? "").slice("/orders/".length));
      if (fault === "breaks-down") said(500);
      else if (order === undefined) said(404);
      else said(200, fault === "rounds" ? { ...order, total: 10 * Math.round(Number(order.total) / 30) } : order);
      return;
    }
    const order = JSON.parse(text) as JsonObject;
    if (fault === "checks" && !/^ORD-[0-9]{3}$/.test(`${order.id}`)) return said(422);
    const isTaken = kept.has(`${order.id}`);
    if (!isTaken || fault === "replaces") kept.set(`${order.id}`, order);
    said(isTaken && fault !== "replaces" ? 409 : 201);
  }).listen(0, "127.0.0.1");
  servers.push(server);
  await new Promise((resolve) => server.once("listening", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function outcomes(url: string): Promise<Record<string, string>> {
  const { out, err } = await touchstone("play", pack, "--http", url, "--report", "json", "--seed", "1");
  expect(err).toMatch(/^(?:\S+, results of scenarios: .*\n)*(?:took \S+ s\n)?$/);
  const results = (JSON.parse(out) as Report).runs.flatMap((run) => run.results);
  return Object.fromEntries(results.map(({ id, outcome, why }) => [id, `${outcome}${why ? `: ${why}` : ""}`]));
}

const read = "order/1/scenarios/read-back/ORDER-READ-001";
const once = "order/1/scenarios/twice/ORDER-ONCE-001";

describe("scenarios of a pack, in YAML and in JavaScript", () => {
  it("conform if the rules are kept", async () => {
    expect(await outcomes(await orders("none"))).toEqual({ [read]: "conforms", [once]: "conforms" });
  });

  it("find each fault under its own rule", async () => {
    expect(await outcomes(await orders("rounds"))).toMatchObject({
      [read]: 'violates: "/total" is 170, not 500',
    });
    expect(await outcomes(await orders("replaces"))).toEqual({
      [read]: "conforms",
      [once]: "violates: the second is answered HTTP 201",
    });
  });

  it("judge nothing if a server breaks down", async () => {
    expect((await outcomes(await orders("breaks-down")))[read]).toMatch(/^errored: the server failed/);
  });

  it("are also played beside vectors, explained and replayed", async () => {
    const url = await orders("replaces");
    const { code, out } = await touchstone("replay", once, "--protocol", pack, "--http", url);
    expect([code, out.split("\n")[0]]).toEqual([1, `FAILS  ${once}`]);
    expect((await touchstone("explain", once, "--protocol", pack)).out).toContain("It shows that an id is taken once.");
  });

  it("never fail a server for refusing an invalid message of their own, and use only letters and digits in texts", async () => {
    const file = join(pack, "scenarios.yaml");
    const before = readFileSync(file, "utf8");
    const wrong = before
      .replaceAll("ORD-101", "{{token}}")
      .replace("expect: [{ status: [201] }]", "expect: [{ rule: ORDER-READ-001, status: [201] }]")
      .replace("equal: { /id: {{token}}, /total: 500 }", 'matches: { /id: "^[a-z][a-z0-9]{11}$" }')
      .replace("valid: order, ", "")
      .replaceAll("id: {{token}}", 'id: "{{token}}"')
      .replaceAll("path: /orders/{{token}}", 'path: "/orders/{{token}}"');
    writeFileSync(file, wrong);
    const [judged, taken] = [
      (await outcomes(await orders("checks")))[read],
      (await outcomes(await orders("none")))[read],
    ];
    writeFileSync(file, before);
    expect(judged).toMatch(/^errored: the scenario sends no right order: "\/id" .*; the answer was/);
    expect(taken).toBe("conforms");
  });

  const sound = readFileSync(join(pack, "scenarios.yaml"), "utf8");
  it.each<[what: string, from: string, to: string, told: RegExp]>([
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
    ["no rule at all", "rule: ORDER-READ-001, ", "", /no expectation names a rule/],
    [
      "a step of two kinds",
      "- send: { method: GET, path: /orders/ORD-101 }",
      "- send: { path: /o }\n        pass: 5",
      /scenarios\.yaml:8:9 [^:]*: it matches more than one/,
    ],
    ["a malformed pointer", "lines: /lines", "lines: lines", /scenarios\.yaml:11/],
    ["broken YAML", "scenarios:", "scenarios: [", /scenarios\.yaml:\d+/],
  ])("are refused with %s", async (_, from, to, told) => {
    writeFileSync(join(pack, "scenarios.yaml"), sound.replaceAll(from, to));
    const { code, err } = await touchstone("play", pack, "--http", "http://127.0.0.1:1");
    expect(err).toMatch(told);
    expect(code).toBe(2);
    writeFileSync(join(pack, "scenarios.yaml"), sound);
  });
});
