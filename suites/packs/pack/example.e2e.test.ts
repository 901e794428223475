import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { home, isObject, type Json, protocolNamed, type Report } from "../../../schemas/index.ts";
import { builtPathOf } from "../../base/process/built.fixture.ts";
import { cli } from "../../cli/cli.ts";
import { runSuite } from "../../running/run/suite.ts";
import { packOf, protocolsNamedBy, ruled } from "./load.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const workingDirectory = process.cwd();
let server: Server;
let url = "";
let out = "";

const isWholeNumber = (value: Json | undefined, minimum: number): boolean =>
  Number.isInteger(value) && Number(value) >= minimum;
const hasExactly = (value: Json, ...names: string[]): boolean =>
  isObject(value) && Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name));

/** The faulty server's check: it accepts six lines, one too many, and any total. */
function acceptsOrder(order: Json): boolean {
  if (!isObject(order) || !hasExactly(order, "id", "lines", "total")) return false;
  const { id, lines, total } = order;
  if (typeof id !== "string" || !/^ORD-[0-9]{3}$/.test(id) || !Array.isArray(lines)) return false;
  const isLine = (line: Json): boolean =>
    isObject(line) &&
    hasExactly(line, "price", "count") &&
    isWholeNumber(line.price, 0) &&
    isWholeNumber(line.count, 1);
  return lines.length >= 1 && lines.length <= 6 && lines.every(isLine) && isWholeNumber(total, 0);
}

function acceptsReceipt(receipt: Json): boolean {
  if (!isObject(receipt)) return false;
  const { order, paid, by = "card", ...otherMembers } = receipt;
  const isKnown = typeof order === "string" && /^ORD-[0-9]{3}$/.test(order);
  return (
    isKnown && isWholeNumber(paid, 0) && (by === "card" || by === "cash") && Object.keys(otherMembers).length === 0
  );
}

beforeAll(async () => {
  cpSync(join(home, "suites/packs/pack/example"), join(folder, "order"), { recursive: true });
  server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const accepts = { "/orders": acceptsOrder, "/receipts": acceptsReceipt }[request.url ?? ""];
    let isAccepted = false;
    try {
      isAccepted = accepts?.(JSON.parse(text)) === true;
    } catch {}
    response.writeHead(isAccepted ? 201 : 422).end();
  }).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true });
});
beforeEach(() => process.chdir(folder));
afterEach(() => {
  vi.restoreAllMocks();
  process.chdir(workingDirectory);
});

async function touchstone(...args: string[]): Promise<number> {
  out = "";
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += text;
    return true;
  });
  const code = await cli(args);
  vi.restoreAllMocks();
  return code;
}

function readStored(vectors: string): Record<string, string> {
  const files = readdirSync(vectors, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
  return Object.fromEntries(files.sort().map((file) => [file, readFileSync(join(vectors, file), "utf8")]));
}

const wrongSumId = "order/1/order/semantic/ORDER-SUM-001/one-more";
const tooManyLinesId = "order/1/order/invalid/lines/too-many-items";

describe("the example pack", () => {
  it("generates the vectors that it contains, byte for byte", async () => {
    const published = readStored("order/vectors");
    rmSync("order/vectors", { recursive: true });
    expect(await touchstone("generate", "./order", "--unguarded"), out).toBe(0);
    // A total below its minimum is never the sum of the lines.
    expect(out).toMatch(
      /order:\n19 of 20 assertions are isolated.*\n.*#\/properties\/total\/minimum: .* breaks ORDER-SUM-001 too/,
    );
    expect(out).toMatch(/receipt:\n9 of 9 assertions are isolated/);
    expect(await touchstone("check", "./order", "--unguarded"), out).toBe(0);
    expect(out).toMatch(/Sound: .*\n\d+ of the invalid ones break another rule as well .*explain ID/);
    expect(readStored("order/vectors")).toEqual(published);
  });

  it("finds both faults of the server, and nothing else", async () => {
    expect(await touchstone("run", "./order", "--http", url, "--report", "terminal", "--report", "json=r.json")).toBe(
      1,
    );
    expect(out).toMatch(/order\.schema\.json:\d+:\d+ #\/properties\/lines\/maxItems \d of \d vectors/);
    expect(out).toMatch(/ORDER-SUM-001 MUST[^\n]*2 of 13 vectors violated\nThe total is the sum of price times count/);
    expect(out).toMatch(/ replay order\/1\/\S+ --protocol \.\/order --http /);
    const report = JSON.parse(readFileSync("r.json", "utf8")) as Report;
    const violations = report.runs.flatMap(({ results }) => results).filter(({ outcome }) => outcome === "violates");
    const causes = new Set(violations.map(({ rule, site }) => rule ?? site));
    expect([...causes].sort()).toEqual(["ORDER-SUM-001", "schema:/order.schema.json#/properties/lines/maxItems"]);
    expect(violations.map(({ id }) => id)).toEqual(expect.arrayContaining([wrongSumId, tooManyLinesId]));
  });

  it("works with explain, replay and validate", async () => {
    expect(await touchstone("explain", "ORDER-SUM-001")).toBe(0);
    expect(out).toMatch(/^ORDER-SUM-001 {2}MUST, Orders 1/);
    expect(await touchstone("explain", tooManyLinesId, "--protocol", "order/profile.json")).toBe(0);
    expect(out).toContain("maxItems: 5");
    expect(await touchstone("replay", wrongSumId, "--from", "r.json", "--protocol", "./order")).toBe(1);
    expect(out).toMatch(/^STILL FAILING/);
    writeFileSync("m.json", JSON.stringify({ id: "ORD-001", lines: [{ price: 1, count: 2 }], total: 3 }));
    expect(await touchstone("validate", "--protocol", "./order", "m.json")).toBe(1);
    expect(out).toContain("MUST ORDER-SUM-001  /total is 3, and the lines come to 2");
  });

  it("works with a baseline, in a run and with a stored report", async () => {
    const args = ["run", "./order", "--http", url, "--quiet", "--baseline", "known.json"];
    expect(await touchstone(...args, "--update-baseline", "--reason", "later")).toBe(0);
    expect(await touchstone(...args)).toBe(0);
    expect(await touchstone("baseline", "check", "known.json", "r.json")).toBe(0);
    expect(await touchstone("report", "render", "r.json", "--report", "terminal")).toBe(0);
    expect(out).toContain("The total is the sum of price times count");
  });

  it("detects a variant without its rule", async () => {
    expect(await touchstone("selftest", "./order", "--json")).toBe(0);
    const rows = JSON.parse(out) as { variant: string; killedBy: string[]; falsePositives: string[] }[];
    expect(rows.find(({ variant }) => variant === "without-ORDER-SUM-001")).toMatchObject({ falsePositives: [] });
    expect(await touchstone("run", "./order", "--reference", "--quiet")).toBe(0);
    const lax = ["--reference", "--variant", "without-ORDER-SUM-001", "--quiet"];
    expect(await touchstone("run", "./order", ...lax)).toBe(1);
    expect(await touchstone("fuzz", "./order", ...lax, "--runs", "200", "--seed", "1", "--unguarded")).toBe(0);
    expect(await touchstone("challenge", "./order", "--reference", "--runs", "50", "--seed", "1", "--quiet")).toBe(0);
    expect(await touchstone("coverage", "./order", "--at-least", "100", "--unguarded")).toBe(0);
    expect(await touchstone("list", "variants", "--protocol", "./order")).toBe(0);
    expect(out).toContain("without-ORDER-SUM-001");
  });

  it("works with init and with the configuration that init writes", async () => {
    expect(await touchstone("init", "--protocol", "./order", "--http", url)).toBe(0);
    expect(out).toMatch(/\d of 8 vectors of order conform/);
    expect(await touchstone("run", "--quiet")).toBe(1);
    expect(await touchstone("explain", wrongSumId)).toBe(0);
  });

  it("gives the same results in Vitest", async () => {
    symlinkSync(join(home, "node_modules"), join(folder, "node_modules"), "junction");
    const source = `import { conformance } from ${JSON.stringify(builtPathOf("suites/api/vitest/index.ts"))};
      conformance("./order", { kind: "http", url: "${url}" });`;
    writeFileSync("conformance.test.mjs", source);
    const program = join(home, "node_modules/vitest/vitest.mjs");
    const args = [program, "run", "--root", folder, "--reporter=json", "--outputFile=v.json", "--maxWorkers=1"];
    const child = spawn(process.execPath, args, { cwd: folder, env: { ...process.env, VITEST: "" }, stdio: "ignore" });
    const [code] = await once(child, "close");
    const { testResults } = JSON.parse(readFileSync("v.json", "utf8"));
    const tests = testResults[0].assertionResults as { fullName: string; status: string }[];
    const failed = tests.filter(({ status }) => status === "failed").map(({ fullName }) => fullName);
    expect(code).toBe(1);
    expect(failed).toEqual(
      expect.arrayContaining([
        "order 1 order ORDER-SUM-001",
        "order 1 order order.schema.json#/properties/lines/maxItems",
      ]),
    );
    expect(failed.filter((name) => !/ORDER-SUM-001|lines\/maxItems/.test(name))).toEqual([]);
    expect(tests.length).toBeGreaterThan(20);
  });
});

describe("a pack in code", () => {
  it("is accepted by path instead of a protocol name, and read once", async () => {
    expect(protocolNamed("./order")).toBe(protocolNamed("order/profile.json"));
    const [protocol] = await protocolsNamedBy("./order");
    expect(protocol?.rules.map(({ id, check }) => [id, check])).toEqual([
      ["ORDER-SUM-001", "semantic"],
      ["ORDER-READ-001", "stateful"],
      ["ORDER-ONCE-001", "stateful"],
    ]);
    expect((await ruled(protocolNamed("./order"))).families).toHaveLength(1);
    expect(Object.keys(await packOf(protocolNamed("./order")))).toEqual(["scenarios"]);
    const report = await runSuite({ protocols: "./order", target: { kind: "reference" } });
    expect(report).toMatchObject({ exitCode: 0, options: { protocol: "./order" } });
  });

  it("runs together with its next version, which consists of data only", async () => {
    cpSync("order", "order-2", { recursive: true });
    const profile = JSON.parse(readFileSync("order-2/profile.json", "utf8"));
    writeFileSync("order-2/profile.json", JSON.stringify({ ...profile, version: "2" }));
    const file = "order-2/schemas/order.schema.json";
    writeFileSync(file, readFileSync(file, "utf8").replace('"maxItems": 5', '"maxItems": 6'));
    expect(await touchstone("run", "./order-2", "--reference")).toBe(2);
    expect(await touchstone("generate", "./order-2", "--unguarded")).toBe(0);
    const { runs } = await runSuite({ protocols: ["./order", "./order-2"], target: { kind: "http", url } });
    const violatedRules = runs.map(({ version, results }) => [
      version,
      ...new Set(results.filter(({ outcome }) => outcome === "violates").map(({ rule, site }) => rule ?? site)),
    ]);
    expect(violatedRules).toEqual([
      ["1", "schema:/order.schema.json#/properties/lines/maxItems", "ORDER-SUM-001"],
      ["2", "ORDER-SUM-001"],
    ]);
    expect(runs[1]?.results.every(({ id }) => id.startsWith("order/2/"))).toBe(true);
  });
});
