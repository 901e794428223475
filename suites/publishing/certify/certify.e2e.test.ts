import { generateKeyPairSync } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { home, type Report } from "../../../schemas/index.ts";
import { neverAsked } from "../../base/text/skips.ts";
import { cli } from "../../cli/cli.ts";
import { type Bundle, bundleText } from "./bundle.ts";
import { type Forged, forgeCertificate, forgeReport } from "./forged.fixture.ts";
import { privateKey } from "./key.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const before = process.cwd();
const bundle = "shop-1.0.touchstone.json";
let out = "";

/** Runs a command, keeps its output, and returns its exit code. */
async function run(...args: string[]): Promise<number> {
  out = "";
  return cli(args);
}

const certify = (report: string, ...more: string[]): Promise<number> =>
  run("certify", report, "--name", "shop", "--release", "1.0", "--key", "k.pem", "--protocol", "./order", ...more);
const verify = (...more: string[]): Promise<number> =>
  run("verify", bundle, "--key", "k.pub.pem", "--protocol", "./order", ...more);

const spied = (): void => {
  process.chdir(folder);
  const say = (text: unknown): boolean => {
    out += String(text);
    return true;
  };
  vi.spyOn(process.stdout, "write").mockImplementation(say);
  vi.spyOn(process.stderr, "write").mockImplementation(say);
};

beforeAll(async () => {
  cpSync(join(home, "suites/packs/pack/example"), join(folder, "order"), { recursive: true });
  rmSync(join(folder, "order/certification.json"), { force: true });
  writeFileSync(join(folder, "accepts.mjs"), "export default () => true;\n");
  spied();
  expect(await run("freeze", "./order")).toBe(0);
  expect(
    await run("run", "./order", "--reference", "--timeout", "60000", "--quiet", "--report", "json=right.json"),
  ).toBe(0);
  expect(await run("certify", "--new-key", "k.pem")).toBe(0);
  expect(await certify("right.json", "--profile", "core", "--profile", "semantic")).toBe(0);
  vi.restoreAllMocks();
});
afterAll(() => {
  process.chdir(before);
  rmSync(folder, { recursive: true });
});
beforeEach(spied);
afterEach(() => {
  vi.restoreAllMocks();
  process.chdir(before);
});

describe("a certificate", () => {
  it("is valid, and names unchecked results and the limits of a signature", async () => {
    expect(await verify()).toBe(0);
    expect(out).toMatch(/^The certificate is valid\. It says PASSED of .*, run /m);
    expect(out).toContain("PASSED  order 1 core@1: ");
    expect(out).toMatch(/not checked: order 1 text@1, \d+ results; live@1, 2 results \(not asked for\)/);
    expect(out).toContain("not that the tests were run");
  });

  it("is signed with a key that only its owner may read", () => {
    expect(statSync(join(folder, "k.pem")).mode & 0o077).toBe(0);
  });

  it("agrees with the implementation that it is about, and not with another one", async () => {
    expect(await verify("--reference", "--sample", "50")).toBe(0);
    expect(out).toMatch(/^The implementation agrees with its certificate\.$/m);
    expect(out).toContain("50 of 50 vectors that were run again are as the certificate says");
    expect(await verify("--module", "accepts.mjs", "--sample", "50")).toBe(1);
    expect(out).toMatch(
      /^The implementation does not agree with its certificate\.\n[\s\S]*\nThe certificate is valid\. /m,
    );
    expect(out).toContain("violates, the certificate says conforms");
    expect(out).toMatch(/order\/1\/order\/invalid\/challenge\/\d+\/drawn-\d+ violates/);
    expect(await verify("--command", "exit 3")).toBe(3);
  });

  it("cannot be made if a vector is violated, skipped or was not run", async () => {
    expect(await run("run", "./order", "--module", "accepts.mjs", "--quiet", "--report", "json=wrong.json")).toBe(1);
    expect(await certify("wrong.json", "--out", "wrong.touchstone.json")).toBe(1);
    expect(out).toContain("violates: order/1/order/invalid/");
    expect(await certify("wrong.json", "--profile", "text", "--out", "wrong.touchstone.json")).toBe(1);
    expect(out).toContain("skipped: order/1/order/raw/");
    expect(await certify("right.json", "--profile", "live", "--out", "wrong.touchstone.json")).toBe(1);
    expect(out).toContain("was not run: order/1/scenarios/twice/ORDER-ONCE-001");
    expect(existsSync(join(folder, "wrong.touchstone.json"))).toBe(false);
  });

  it("says at once how much of a profile a run over HTTP can never have", async () => {
    const report = JSON.parse(readFileSync(join(folder, "right.json"), "utf8")) as Report;
    const [ran] = report.runs;
    const result = ran?.results.find(({ id }) => id.startsWith("order/1/order/invalid/"));
    Object.assign(result ?? {}, {
      outcome: "skipped",
      ...neverAsked("it is what the implementation sends", "emitted"),
    });
    for (const { counts } of [report, ran as Report["runs"][number]]) {
      counts.conforms -= 1;
      counts.skipped += 1;
    }
    writeFileSync(join(folder, "sent.json"), JSON.stringify(report));
    expect(await certify("sent.json", "--out", "sent.touchstone.json")).toBe(1);
    expect(out).toMatch(
      /0 results fail, 1 were skipped, 0 are lacking\n {2}a run over HTTP can never have 1 of its results.*--module/,
    );
    expect(out).not.toContain("skipped: order/");
  });

  it("can be made for the documents that a server receives over HTTP", async () => {
    expect(await run("freeze", "./order", "--check")).toBe(0);
    expect(out).not.toContain("core-http");
    cpSync(join(folder, "order"), join(folder, "sent"), { recursive: true });
    const [order, receipt] = [
      { file: "schemas/order.schema.json", endpoint: "/orders" },
      { file: "schemas/receipt.schema.json", role: "emitted" },
    ];
    writeFileSync(
      join(folder, "sent/profile.json"),
      JSON.stringify({ protocol: "order", documents: [order, receipt] }),
    );
    expect(await run("freeze", "./sent")).toBe(0);
    expect(out).toMatch(/core-http@1 +\d+ +0 +new/);
    const report = JSON.parse(readFileSync(join(folder, "right.json"), "utf8")) as Report;
    const [ran] = report.runs;
    const emitted = (ran?.results ?? []).filter(({ document }) => document === "receipt");
    const conforming = emitted.filter(({ outcome }) => outcome === "conforms").length;
    for (const { counts } of [report, ran as Report["runs"][number]]) {
      counts.conforms -= conforming;
      counts.disputed -= emitted.length - conforming;
      counts.skipped += emitted.length;
    }
    const cause = neverAsked("it is what the implementation sends", "emitted");
    for (const result of emitted) Object.assign(result, { outcome: "skipped", ...cause });
    writeFileSync(join(folder, "sent-run.json"), JSON.stringify(report));
    const ofSent = ["--protocol", "./sent", "--out", "sent-run.touchstone.json", "--profile"];
    expect(await certify("sent-run.json", ...ofSent, "core")).toBe(1);
    expect(out).toMatch(/a run over HTTP can never have \d+ of its results.*such as core-http/);
    expect(await certify("sent-run.json", ...ofSent, "core-http")).toBe(0);
    expect(out).toContain("PASSED  order 1 core-http@1");
  });

  it("cannot be made for a partial run, or with a baseline that hides failures", async () => {
    const only = ["--only", "order/1/order/valid", "--report", "json=part.json"];
    expect(await run("run", "./order", "--reference", "--quiet", ...only)).toBe(0);
    expect(await certify("part.json")).toBe(2);
    expect(out).toContain("only order/1/order/valid was run");
    const list = [
      "--baseline",
      "known.json",
      "--update-baseline",
      "--reason",
      "later",
      "--report",
      "json=known-report.json",
    ];
    expect(await run("run", "./order", "--module", "accepts.mjs", "--quiet", ...list)).toBe(0);
    expect(await certify("known-report.json", "--baseline", "known.json")).toBe(1);
  });

  it("contains no secret of the run", async () => {
    const text = readFileSync(join(folder, "right.json"), "utf8");
    const report = JSON.parse(text) as Report;
    expect(report.options?.target.kind).toBe("reference");
    expect(readFileSync(join(folder, bundle), "utf8")).not.toContain("PRIVATE");
  });
});

describe("a site of certificates and reports", () => {
  const render = (...more: string[]): Promise<number> =>
    run("report", "render", "--site", "site", "--protocol", "./order", ...more);
  const page = (path: string): string => readFileSync(join(folder, "site", path), "utf8");

  it("calls valid certificates of a trusted key certified, and offers the exact file for download", async () => {
    expect(await render(bundle, "other@2.0=right.json"), out).toBe(0);
    expect(page("index.html")).not.toContain("certified: core@1");
    expect(await render(bundle, "other@2.0=right.json", "--key", "k.pub.pem"), out).toBe(0);
    expect(page("index.html")).toContain("certified: core@1, semantic@1");
    expect(page("other/2.0/index.html")).toContain("Nobody has signed this report");
    const text = page("shop/1.0/index.html");
    const [, file = ""] = /href="(report-[0-9a-f]+\.touchstone\.json)"/.exec(text) ?? [];
    expect(page(`shop/1.0/${file}`)).toBe(readFileSync(join(folder, bundle), "utf8"));
    expect(text).toContain("Not checked: live@1, 2 results (not asked for)");
  });

  it("never shows an invalid certificate, nor accepts another name for a valid one", async () => {
    const { signPayload: enveloped } = await import("./envelope.ts");
    const bundleMade = JSON.parse(readFileSync(join(folder, bundle), "utf8")) as Bundle;
    const statement = Buffer.from(bundleMade.envelope.payload, "base64").toString("utf8");
    const signed = (other: string): void =>
      writeFileSync(
        join(folder, "forged.json"),
        bundleText({ ...bundleMade, envelope: enveloped(other, privateKey(join(folder, "k.pem"), {})) }),
      );
    signed(statement.replace('"conforms":1', '"conforms":2'));
    expect([await render("forged.json"), out]).toEqual([
      2,
      expect.stringContaining("the certificate is not valid: score of"),
    ]);
    signed(statement.replace('"release":"1.0"', '"release":{}'));
    expect([await render("forged.json"), out]).toEqual([2, expect.stringContaining("lacks its name, its release")]);
    expect([await render(`mine@9=${bundle}`), out]).toEqual([
      2,
      expect.stringContaining("contains its own name and release"),
    ]);
    writeFileSync(join(folder, "cut.json"), readFileSync(join(folder, bundle), "utf8").slice(0, 5000));
    expect([await render("cut.json"), out]).toEqual([2, expect.stringContaining("cut.json")]);
    expect([await render("right.json", "--report", "json"), out]).toEqual([
      2,
      expect.stringContaining("call report render twice"),
    ]);
  });
});

describe("a change of a certificate", () => {
  const text = (): string => readFileSync(join(folder, bundle), "utf8");
  const verifyChanged = async (changed: string): Promise<string> => {
    const file = join(folder, "changed.json");
    writeFileSync(file, changed);
    const code = await run("verify", file, "--key", "k.pub.pem", "--protocol", "./order");
    expect(code, changed.slice(0, 100)).toBeGreaterThan(0);
    return out;
  };

  it("is detected at any byte", async () => {
    const whole = text();
    const step = Math.ceil(whole.length / 150);
    for (let at = 0; at < whole.length; at += step) {
      const other = whole[at] === "A" ? "B" : "A";
      await verifyChanged(`${whole.slice(0, at)}${other}${whole.slice(at + 1)}`);
    }
  });

  it("is detected in bytes that do not affect the unpacked content", async () => {
    const bundled = JSON.parse(text()) as Bundle;
    const [first] = bundled.materials;
    const bytes = Buffer.from(first?.data ?? "", "base64");
    // The time in the header of gzip.
    bytes[4] = (bytes[4] ?? 0) ^ 1;
    const materials = bundled.materials.map((material, index) =>
      index === 0 ? { ...material, data: bytes.toString("base64") } : material,
    );
    expect(await verifyChanged(bundleText({ ...bundled, materials }))).toContain("compressed differently");
  });

  it("is detected even where it makes no difference to JSON or base64, and if the file is cut short", async () => {
    const whole = text();
    expect(await verifyChanged(whole.replace("{\n", "{ \n"))).toContain("the file was changed after it was written");
    expect(await verifyChanged(`${whole}\n`)).toContain("the file was changed after it was written");
    expect(await verifyChanged(whole.replace("envelope", "\\u0065nvelope"))).toContain(
      "the file was changed after it was written",
    );
    expect(await verifyChanged(whole.slice(0, whole.length / 2))).toContain("not valid JSON");
    expect(await verifyChanged("")).toContain("not valid JSON");
    expect(await verifyChanged("[]")).toContain("not a bundle");
  });

  it("is detected if the file is packed again", async () => {
    const bundleMade = JSON.parse(text()) as Bundle;
    const [first, ...otherMaterials] = bundleMade.materials as [Bundle["materials"][number], ...Bundle["materials"]];
    const { packMaterial: packed, unpackMaterial: unpacked } = await import("./bundle.ts");
    const report = unpacked(first).toString("utf8").replaceAll('"disputed"', '"conforms"');
    expect(
      await verifyChanged(bundleText({ ...bundleMade, materials: [packed(first.name, report), ...otherMaterials] })),
    ).toContain("report.json: its SHA-256 is");
    expect(await verifyChanged(bundleText({ ...bundleMade, materials: [first] }))).toContain("it is not in the bundle");
    const more = { ...otherMaterials[0], name: "more.json" } as Bundle["materials"][number];
    expect(await verifyChanged(bundleText({ ...bundleMade, materials: [...bundleMade.materials, more] }))).toContain(
      "does not mention it",
    );
  });

  it("is detected if the signed statement contradicts the report", async () => {
    const { signPayload: enveloped } = await import("./envelope.ts");
    const key = privateKey(join(folder, "k.pem"), {});
    const bundleMade = JSON.parse(text()) as Bundle;
    const statement = Buffer.from(bundleMade.envelope.payload, "base64").toString("utf8");
    const signed = (other: string): string => bundleText({ ...bundleMade, envelope: enveloped(other, key) });
    expect(await verifyChanged(signed(statement.replace('"conforms":1', '"conforms":2')))).toContain(
      "computed again: it is PASSED",
    );
    expect(await verifyChanged(signed(statement.replace('"PASSED"', '"WARNED"')))).toContain(
      "result as a whole: it is PASSED",
    );
    expect(await verifyChanged(signed("{}"))).toContain("not an in-toto statement");
  });
});

describe("a signer's invention", () => {
  const bundleMade: [string, (forged: Forged) => void, RegExp][] = [
    [
      "one vector twice, of which the last one conforms",
      (all) =>
        forgeReport(all, (report) => {
          const [run] = report.runs as [Report["runs"][number]];
          const [first] = run.results as [Report["runs"][number]["results"][number]];
          run.results.unshift({ ...first, outcome: "conforms" });
          run.counts.conforms += 1;
          report.counts.conforms += 1;
        }),
      /results of the report, each once: .* is there twice/,
    ],
    [
      "two runs of one protocol",
      (all) =>
        forgeReport(all, (report) => {
          report.runs.push(structuredClone(report.runs[0] as Report["runs"][number]));
          for (const name of Object.keys(report.counts) as (keyof Report["counts"])[]) report.counts[name] *= 2;
        }),
      /there are two runs of order\/1/,
    ],
    [
      "a run of a part",
      (all) => forgeReport(all, (report) => report.runs[0]?.filter.only.push("order/1/order")),
      /whole run: only order\/1\/order was run/,
    ],
    [
      "a member of the report twice",
      ({ files }) => files.set("report.json", (files.get("report.json") as string).replace("{", '{"exitCode":1,')),
      /each member once: it is not as certify writes it/,
    ],
    ["totals", ({ statement }) => void statement.predicate.passedTests.push("order 1 live@1"), /passedTests: they are/],
    [
      "a test that failed",
      ({ statement }) => void statement.predicate.failedTests.push("a"),
      /failedTests: they are none/,
    ],
    [
      "another subject",
      ({ statement }) => void Object.assign(statement.subject[0] as object, { digest: { sha256: "00" } }),
      /subject: it is another report/,
    ],
    [
      "two subjects",
      ({ statement }) => void statement.subject.push({ name: "b", digest: { sha256: "00" } }),
      /subject: there are 2/,
    ],
    [
      "materials in another order",
      ({ statement }) => void statement.predicate.configuration.reverse(),
      /materials and vector sets, in their order: they differ/,
    ],
    [
      "files in another order",
      ({ files }) => {
        const all = [...files].reverse();
        files.clear();
        for (const [name, text] of all) files.set(name, text);
      },
      /files of the bundle and their order: they are profiles/,
    ],
    [
      "claims",
      ({ statement }) =>
        void Object.assign(statement.predicate.touchstone.implementation, { claims: { order: ["all"] } }),
      /claims, tool and time: they differ/,
    ],
    [
      "another time",
      ({ statement }) => void Object.assign(statement.predicate.touchstone, { started: "2030-01-01T00:00:00Z" }),
      /claims, tool and time/,
    ],
    [
      "more than there is",
      ({ statement }) => void Object.assign(statement.predicate, { seal: "gold" }),
      /statement as a whole: it has other members/,
    ],
    [
      "a score twice",
      ({ statement: { predicate } }) =>
        void predicate.touchstone.scores.push(structuredClone(predicate.touchstone.scores[0] as never)),
      /it is there twice/,
    ],
    [
      "no score",
      ({ statement: { predicate } }) => void predicate.touchstone.scores.splice(0),
      /a score of each run: there is none of order 1/,
    ],
    [
      "that nothing was left out",
      ({ statement: { predicate } }) => void predicate.touchstone.notChecked.splice(0),
      /unchecked results: the statement's list differs/,
    ],
    [
      "a list of its own",
      ({ files, statement }) => {
        const [name = "", text = ""] = [...files].find(([each]) => each.startsWith("profiles/")) ?? [];
        files.set(name, text.replace(/"title":"[^"]*"/, '"title":"Gold"'));
        void statement;
      },
      /list of order core@1: it differs from that list/,
    ],
    [
      "another way to call it",
      ({ files }) => files.set("configuration.json", "{}\n"),
      /configuration\.json: it belongs to another run/,
    ],
    [
      "vectors that are not here",
      (all) => {
        const digest = `sha256-${Buffer.alloc(32).toString("base64")}`;
        forgeReport(all, (report) => Object.assign(report.runs[0]?.set as object, { digest }));
        const set = all.statement.predicate.configuration.find(({ name }) => name.startsWith("vectors ")) as {
          digest: object;
        };
        Object.assign(set.digest, { sha256: "0".repeat(64) });
      },
      /vectors of order 1: not compared, they are sha256-AAAA/,
    ],
  ];

  it.each(bundleMade)("makes the certificate invalid: %s", async (_, change, why) => {
    const key = privateKey(join(folder, "k.pem"), {});
    writeFileSync(
      join(folder, "made.json"),
      forgeCertificate(JSON.parse(readFileSync(join(folder, bundle), "utf8")), key, change),
    );
    expect(await run("verify", "made.json", "--key", "k.pub.pem", "--protocol", "./order"), out).toBe(1);
    expect(out).toMatch(why);
    expect(out).toMatch(/^The certificate is not valid:\n/);
  });

  it("is not certified either", async () => {
    const report = JSON.parse(readFileSync(join(folder, "right.json"), "utf8")) as Report;
    const [ran] = report.runs as [Report["runs"][number]];
    ran.results.push({ ...(ran.results[0] as (typeof ran.results)[number]), outcome: "conforms" });
    for (const { counts } of [report, ran]) counts.conforms += 1;
    writeFileSync(join(folder, "twice.json"), JSON.stringify(report));
    expect(await certify("twice.json")).toBe(2);
    expect(out).toContain("is there twice");
  });

  it("names the source of each comparison, and lists as valid only checks that had one", async () => {
    expect(await verify()).toBe(0);
    expect(out).toMatch(/^(\d+) of \1 checks pass:$/m);
    expect(out).toMatch(/^ {2}list of order core@1: compared with the list that is published here$/m);
    expect(out).toMatch(/^ {2}vectors of order 1: compared with the set that is here, sha256-/m);
    expect(out).not.toContain("nothing");
    expect(await run("verify", bundle, "--key", "k.pub.pem")).toBe(1);
    expect(out).toMatch(
      /list of order core@1: not compared, there is no order 1 here: give the folder of its pack with --protocol/,
    );
    writeFileSync(join(folder, "hub.bin"), "the hub");
    expect(await certify("right.json", "--artifact", "hub.bin", "--out", "of-file.json")).toBe(0);
    const verifyFile = (...more: string[]): Promise<number> =>
      run("verify", "of-file.json", "--key", "k.pub.pem", "--protocol", "./order", ...more);
    expect(await verifyFile()).toBe(0);
    expect(out).toMatch(
      /subject: not compared, it is the file hub\.bin: give it with --artifact\n(\d+) of (?!\1 )\d+ checks pass/,
    );
    expect(await verifyFile("--artifact", "hub.bin")).toBe(0);
    expect(out).toContain("subject: compared with the artifact");
    expect(await verifyFile("--artifact", "right.json")).toBe(1);
    expect(out).toContain("subject: the certificate is about another file");
  });
});

describe("keys", () => {
  it("must exist, be of the right kind, and belong to the signer", async () => {
    expect(await run("certify", "--new-key", "other.pem")).toBe(0);
    expect(await run("verify", bundle, "--key", "other.pub.pem")).toBe(1);
    expect(out).toContain("it is signed by the key");
    expect(await run("certify", "--new-key", "other.pem")).toBe(2);
    expect(out).toContain("the file exists already");
    const { privateKey } = generateKeyPairSync("ec", {
      namedCurve: "P-256",
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    writeFileSync(join(folder, "ec.pem"), privateKey);
    expect(await run("certify", "right.json", "--name", "a", "--release", "1", "--key", "ec.pem")).toBe(2);
    expect(out).toContain("expected an Ed25519 key, got a key of the type ec");
    expect(await run("certify", "right.json", "--name", "a", "--release", "1", "--key", "right.json")).toBe(2);
    expect(await run("certify", "right.json", "--name", "a", "--release", "1")).toBe(2);
    expect(out).toContain("there is no key to sign with");
  });
});
