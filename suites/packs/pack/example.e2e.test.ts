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
const before = process.cwd();
let server: Server;
let url = "";
let out = "";

const whole = (value: Json | undefined, least: number): boolean => Number.isInteger(value) && Number(value) >= least;
const has = (value: Json, ...names: string[]): boolean =>
  isObject(value) && Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name));

/** Accepts six lines, one too many, and any total. */
function isOrder(order: Json): boolean {
  if (!isObject(order) || !has(order, "id", "lines", "total")) return false;
  const { id, lines, total } = order;
  if (typeof id !== "string" || !/^ORD-[0-9]{3}$/.test(id) || !Array.isArray(lines)) return false;
  const isLine = (line: Json): boolean =>
    isObject(line) && has(line, "price", "count") && whole(line.price, 0) && whole(line.count, 1);
  return lines.length >= 1 && lines.length <= 6 && lines.every(isLine) && whole(total, 0);
}

function isReceipt(receipt: Json): boolean {
  if (!isObject(receipt)) return false;
  const { order, paid, by = "card", ...more } = receipt;
  const isKnown = typeof order === "string" && /^ORD-[0-9]{3}$/.test(order);
  return isKnown && whole(paid, 0) && (by === "card" || by === "cash") && Object.keys(more).length === 0;
}

beforeAll(async () => {
  cpSync(join(home, "suites/packs/pack/example"), join(folder, "order"), { recursive: true });
  server = createServer(async (request, response) => {
    const text = Buffer.concat(await request.toArray()).toString();
    const judge = { "/orders": isOrder, "/receipts": isReceipt }[request.url ?? ""];
    let isFine = false;
    try {
      isFine = judge?.(JSON.parse(text)) === true;
    } catch {}
    response.writeHead(isFine ? 201 : 422).end();
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
  process.chdir(before);
});

async function touchstone(...words: string[]): Promise<number> {
  out = "";
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  vi.spyOn(process.stdout, "write").mockImplementation((text) => {
    out += text;
    return true;
  });
  const code = await cli(words);
  vi.restoreAllMocks();
  return code;
}

function stored(vectors: string): Record<string, string> {
  const files = readdirSync(vectors, { recursive: true, encoding: "utf8" }).filter((file) => file.endsWith(".json"));
  return Object.fromEntries(files.sort().map((file) => [file, readFileSync(join(vectors, file), "utf8")]));
}

const broken = "order/1/order/semantic/ORDER-SUM-001/one-more";
const bound = "order/1/order/invalid/lines/too-many-items";

describe("the example pack", () => {
  it("has the vectors made from its schemas and its rule's cases, byte for byte", async () => {
    const kept = stored("order/vectors");
    rmSync("order/vectors", { recursive: true });
    expect(await touchstone("generate", "./order", "--unguarded"), out).toBe(0);
    // A total below its minimum is never the sum of the lines.
    expect(out).toMatch(
      /order:\n19 of 20 assertions are isolated.*\n.*#\/properties\/total\/minimum: .* breaks ORDER-SUM-001 too/,
    );
    expect(out).toMatch(/receipt:\n9 of 9 assertions are isolated/);
    expect(await touchstone("check", "./order", "--unguarded"), out).toBe(0);
    expect(out).toMatch(/Sound: .*\n\d+ of the invalid ones break another rule as well .*explain ID/);
    expect(stored("order/vectors")).toEqual(kept);
  });

  it("finds both faults of a server, and nothing else", async () => {
    expect(await touchstone("run", "./order", "--http", url, "--report", "terminal", "--report", "json=r.json")).toBe(
      1,
    );
    expect(out).toMatch(/order\.schema\.json:\d+:\d+ #\/properties\/lines\/maxItems \d of \d vectors/);
    expect(out).toMatch(/ORDER-SUM-001 MUST[^\n]*2 of 13 vectors violated\nThe total is the sum of price times count/);
    expect(out).toMatch(/ replay order\/1\/\S+ --protocol \.\/order --http /);
    const report = JSON.parse(readFileSync("r.json", "utf8")) as Report;
    const wrong = report.runs.flatMap(({ results }) => results).filter(({ outcome }) => outcome === "violates");
    const causes = new Set(wrong.map(({ rule, site }) => rule ?? site));
    expect([...causes].sort()).toEqual(["ORDER-SUM-001", "schema:/order.schema.json#/properties/lines/maxItems"]);
    expect(wrong.map(({ id }) => id)).toEqual(expect.arrayContaining([broken, bound]));
  });

  it("explains, replays and validates", async () => {
    expect(await touchstone("explain", "ORDER-SUM-001")).toBe(0);
    expect(out).toMatch(/^ORDER-SUM-001 {2}MUST, Orders 1/);
    expect(await touchstone("explain", bound, "--protocol", "order/profile.json")).toBe(0);
    expect(out).toContain("maxItems: 5");
    expect(await touchstone("replay", broken, "--from", "r.json", "--protocol", "./order")).toBe(1);
    expect(out).toMatch(/^STILL FAILING/);
    writeFileSync("m.json", JSON.stringify({ id: "ORD-001", lines: [{ price: 1, count: 2 }], total: 3 }));
    expect(await touchstone("validate", "--protocol", "./order", "m.json")).toBe(1);
    expect(out).toContain("MUST ORDER-SUM-001  /total is 3, and the lines come to 2");
  });

  it("works with a baseline, in a run and from its report", async () => {
    const words = ["run", "./order", "--http", url, "--quiet", "--baseline", "known.json"];
    expect(await touchstone(...words, "--update-baseline", "--reason", "later")).toBe(0);
    expect(await touchstone(...words)).toBe(0);
    expect(await touchstone("baseline", "check", "known.json", "r.json")).toBe(0);
    expect(await touchstone("report", "render", "r.json", "--report", "terminal")).toBe(0);
    expect(out).toContain("The total is the sum of price times count");
  });

  it("kills a variant that does not know its rule", async () => {
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

  it("is run by a configuration, and by init", async () => {
    expect(await touchstone("init", "--protocol", "./order", "--http", url)).toBe(0);
    expect(out).toMatch(/\d of 8 vectors of order conform/);
    expect(await touchstone("run", "--quiet")).toBe(1);
    expect(await touchstone("explain", broken)).toBe(0);
  });

  it("gives the same results in Vitest", async () => {
    symlinkSync(join(home, "node_modules"), join(folder, "node_modules"), "junction");
    const source = `import { conformance } from ${JSON.stringify(builtPathOf("suites/api/vitest/index.ts"))};
      conformance("./order", { kind: "http", url: "${url}" });`;
    writeFileSync("conformance.test.mjs", source);
    const program = join(home, "node_modules/vitest/vitest.mjs");
    const words = [program, "run", "--root", folder, "--reporter=json", "--outputFile=v.json", "--maxWorkers=1"];
    const child = spawn(process.execPath, words, { cwd: folder, env: { ...process.env, VITEST: "" }, stdio: "ignore" });
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
  it("is accepted by path in place of a protocol name, and read once", async () => {
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

  it("is run beside its next version, which is data only", async () => {
    cpSync("order", "order-2", { recursive: true });
    const profile = JSON.parse(readFileSync("order-2/profile.json", "utf8"));
    writeFileSync("order-2/profile.json", JSON.stringify({ ...profile, version: "2" }));
    const file = "order-2/schemas/order.schema.json";
    writeFileSync(file, readFileSync(file, "utf8").replace('"maxItems": 5', '"maxItems": 6'));
    expect(await touchstone("run", "./order-2", "--reference")).toBe(2);
    expect(await touchstone("generate", "./order-2", "--unguarded")).toBe(0);
    const { runs } = await runSuite({ protocols: ["./order", "./order-2"], target: { kind: "http", url } });
    const accused = runs.map(({ version, results }) => [
      version,
      ...new Set(results.filter(({ outcome }) => outcome === "violates").map(({ rule, site }) => rule ?? site)),
    ]);
    expect(accused).toEqual([
      ["1", "schema:/order.schema.json#/properties/lines/maxItems", "ORDER-SUM-001"],
      ["2", "ORDER-SUM-001"],
    ]);
    expect(runs[1]?.results.every(({ id }) => id.startsWith("order/2/"))).toBe(true);
  });
});
