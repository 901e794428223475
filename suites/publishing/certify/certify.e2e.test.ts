import { generateKeyPairSync } from "node:crypto";
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { home, type Report } from "../../../schemas/index.ts";
import { skipNeverAsked } from "../../base/text/skips.ts";
import { cli } from "../../cli/cli.ts";
import { type Bundle, formatBundle } from "./bundle.ts";
import { type ForgedContent, forgeCertificate, forgeReport } from "./forged.fixture.ts";
import { readPrivateKey } from "./key.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
const previousDirectory = process.cwd();
const bundleFile = "shop-1.0.touchstone.json";
let output = "";

/** Runs a command, collects its output, and returns its exit code. */
async function run(...args: string[]): Promise<number> {
  output = "";
  return cli(args);
}

const certify = (report: string, ...options: string[]): Promise<number> =>
  run("certify", report, "--name", "shop", "--release", "1.0", "--key", "k.pem", "--protocol", "./order", ...options);
const verify = (...options: string[]): Promise<number> =>
  run("verify", bundleFile, "--key", "k.pub.pem", "--protocol", "./order", ...options);

const captureOutput = (): void => {
  process.chdir(folder);
  const append = (readBundleText: unknown): boolean => {
    output += String(readBundleText);
    return true;
  };
  vi.spyOn(process.stdout, "write").mockImplementation(append);
  vi.spyOn(process.stderr, "write").mockImplementation(append);
};

beforeAll(async () => {
  cpSync(join(home, "suites/packs/pack/example"), join(folder, "order"), { recursive: true });
  rmSync(join(folder, "order/certification.json"), { force: true });
  writeFileSync(join(folder, "accepts.mjs"), "export default () => true;\n");
  captureOutput();
  expect(await run("freeze", "./order")).toBe(0);
  expect(
    await run("run", "./order", "--reference", "--timeout", "60000", "--quiet", "--report", "json=right.json"),
  ).toBe(0);
  expect(await run("certify", "--new-key", "k.pem")).toBe(0);
  expect(await certify("right.json", "--profile", "core", "--profile", "semantic")).toBe(0);
  vi.restoreAllMocks();
});
afterAll(() => {
  process.chdir(previousDirectory);
  rmSync(folder, { recursive: true });
});
beforeEach(captureOutput);
afterEach(() => {
  vi.restoreAllMocks();
  process.chdir(previousDirectory);
});

describe("a certificate", () => {
  it("is valid, and lists the unchecked results and the limits of a signature", async () => {
    expect(await verify()).toBe(0);
    expect(output).toMatch(/^The certificate is valid\. It says PASSED of .*, run /m);
    expect(output).toContain("PASSED  order 1 core@1: ");
    expect(output).toMatch(/not checked: order 1 text@1, \d+ results; live@1, 2 results \(not asked for\)/);
    expect(output).toContain("not that the tests were run");
  });

  it("is signed with a key file that only its owner can read", () => {
    expect(statSync(join(folder, "k.pem")).mode & 0o077).toBe(0);
  });

  it("matches the certified implementation, and no other one, when vectors are run again", async () => {
    expect(await verify("--reference", "--sample", "50")).toBe(0);
    expect(output).toMatch(/^The implementation agrees with its certificate\.$/m);
    expect(output).toContain("50 of 50 vectors that were run again are as the certificate says");
    expect(await verify("--module", "accepts.mjs", "--sample", "50")).toBe(1);
    expect(output).toMatch(
      /^The implementation does not agree with its certificate\.\n[\s\S]*\nThe certificate is valid\. /m,
    );
    expect(output).toContain("violates, the certificate says conforms");
    expect(output).toMatch(/order\/1\/order\/invalid\/challenge\/\d+\/drawn-\d+ violates/);
    expect(await verify("--command", "exit 3")).toBe(3);
  });

  it("is not created if a vector fails, was skipped or was not run", async () => {
    expect(await run("run", "./order", "--module", "accepts.mjs", "--quiet", "--report", "json=wrong.json")).toBe(1);
    expect(await certify("wrong.json", "--out", "wrong.touchstone.json")).toBe(1);
    expect(output).toContain("violates: order/1/order/invalid/");
    expect(await certify("wrong.json", "--profile", "text", "--out", "wrong.touchstone.json")).toBe(1);
    expect(output).toContain("skipped: order/1/order/raw/");
    expect(await certify("right.json", "--profile", "live", "--out", "wrong.touchstone.json")).toBe(1);
    expect(output).toContain("was not run: order/1/scenarios/twice/ORDER-ONCE-001");
    expect(existsSync(join(folder, "wrong.touchstone.json"))).toBe(false);
  });

  it("is refused with the number of results that a run over HTTP can never have", async () => {
    const report = JSON.parse(readFileSync(join(folder, "right.json"), "utf8")) as Report;
    const [firstRun] = report.runs;
    const result = firstRun?.results.find(({ id }) => id.startsWith("order/1/order/invalid/"));
    Object.assign(result ?? {}, {
      outcome: "skipped",
      ...skipNeverAsked("it is what the implementation sends", "emitted"),
    });
    for (const { counts } of [report, firstRun as Report["runs"][number]]) {
      counts.conforms -= 1;
      counts.skipped += 1;
    }
    writeFileSync(join(folder, "sent.json"), JSON.stringify(report));
    expect(await certify("sent.json", "--out", "sent.touchstone.json")).toBe(1);
    expect(output).toMatch(
      /0 results fail, 1 were skipped, 0 are missing\n {2}a run over HTTP can never have 1 of its results.*--module/,
    );
    expect(output).not.toContain("skipped: order/");
  });

  it("can cover only the documents that a server receives over HTTP", async () => {
    expect(await run("freeze", "./order", "--check")).toBe(0);
    expect(output).not.toContain("core-http");
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
    expect(output).toMatch(/core-http@1 +\d+ +0 +new/);
    const report = JSON.parse(readFileSync(join(folder, "right.json"), "utf8")) as Report;
    const [firstRun] = report.runs;
    const emitted = (firstRun?.results ?? []).filter(({ document }) => document === "receipt");
    const conforming = emitted.filter(({ outcome }) => outcome === "conforms").length;
    for (const { counts } of [report, firstRun as Report["runs"][number]]) {
      counts.conforms -= conforming;
      counts.disputed -= emitted.length - conforming;
      counts.skipped += emitted.length;
    }
    const cause = skipNeverAsked("it is what the implementation sends", "emitted");
    for (const result of emitted) Object.assign(result, { outcome: "skipped", ...cause });
    writeFileSync(join(folder, "sent-run.json"), JSON.stringify(report));
    const sentOptions = ["--protocol", "./sent", "--out", "sent-run.touchstone.json", "--profile"];
    expect(await certify("sent-run.json", ...sentOptions, "core")).toBe(1);
    expect(output).toMatch(/a run over HTTP can never have \d+ of its results.*such as core-http/);
    expect(await certify("sent-run.json", ...sentOptions, "core-http")).toBe(0);
    expect(output).toContain("PASSED  order 1 core-http@1");
  });

  it("is not created for a partial run, or with a baseline that hides failures", async () => {
    const only = ["--only", "order/1/order/valid", "--report", "json=part.json"];
    expect(await run("run", "./order", "--reference", "--quiet", ...only)).toBe(0);
    expect(await certify("part.json")).toBe(2);
    expect(output).toContain("only order/1/order/valid was run");
    const baselineOptions = [
      "--baseline",
      "known.json",
      "--update-baseline",
      "--reason",
      "later",
      "--report",
      "json=known-report.json",
    ];
    expect(await run("run", "./order", "--module", "accepts.mjs", "--quiet", ...baselineOptions)).toBe(0);
    expect(await certify("known-report.json", "--baseline", "known.json")).toBe(1);
  });

  it("does not contain the private key", async () => {
    const text = readFileSync(join(folder, "right.json"), "utf8");
    const report = JSON.parse(text) as Report;
    expect(report.options?.target.kind).toBe("reference");
    expect(readFileSync(join(folder, bundleFile), "utf8")).not.toContain("PRIVATE");
  });
});

describe("a site of certificates and reports", () => {
  const render = (...options: string[]): Promise<number> =>
    run("report", "render", "--site", "site", "--protocol", "./order", ...options);
  const page = (path: string): string => readFileSync(join(folder, "site", path), "utf8");

  it("shows certified profiles only with a trusted key, and offers the exact bundle for download", async () => {
    expect(await render(bundleFile, "other@2.0=right.json"), output).toBe(0);
    expect(page("index.html")).not.toContain("certified: core@1");
    expect(await render(bundleFile, "other@2.0=right.json", "--key", "k.pub.pem"), output).toBe(0);
    expect(page("index.html")).toContain("certified: core@1, semantic@1");
    expect(page("other/2.0/index.html")).toContain("Nobody has signed this report");
    const text = page("shop/1.0/index.html");
    const [, file = ""] = /href="(report-[0-9a-f]+\.touchstone\.json)"/.exec(text) ?? [];
    expect(page(`shop/1.0/${file}`)).toBe(readFileSync(join(folder, bundleFile), "utf8"));
    expect(text).toContain("Not checked: live@1, 2 results (not asked for)");
  });

  it("rejects an invalid certificate, and another name for a valid one", async () => {
    const { signPayload: enveloped } = await import("./envelope.ts");
    const original = JSON.parse(readFileSync(join(folder, bundleFile), "utf8")) as Bundle;
    const statement = Buffer.from(original.envelope.payload, "base64").toString("utf8");
    const writeForged = (statementText: string): void =>
      writeFileSync(
        join(folder, "forged.json"),
        formatBundle({ ...original, envelope: enveloped(statementText, readPrivateKey(join(folder, "k.pem"), {})) }),
      );
    writeForged(statement.replace('"conforms":1', '"conforms":2'));
    expect([await render("forged.json"), output]).toEqual([
      2,
      expect.stringContaining("the certificate is not valid: score of"),
    ]);
    writeForged(statement.replace('"release":"1.0"', '"release":{}'));
    expect([await render("forged.json"), output]).toEqual([2, expect.stringContaining("lacks its name, its release")]);
    expect([await render(`mine@9=${bundleFile}`), output]).toEqual([
      2,
      expect.stringContaining("contains its own name and release"),
    ]);
    writeFileSync(join(folder, "cut.json"), readFileSync(join(folder, bundleFile), "utf8").slice(0, 5000));
    expect([await render("cut.json"), output]).toEqual([2, expect.stringContaining("cut.json")]);
    expect([await render("right.json", "--report", "json"), output]).toEqual([
      2,
      expect.stringContaining("call report render twice"),
    ]);
  });
});

describe("a change to a certificate", () => {
  const text = (): string => readFileSync(join(folder, bundleFile), "utf8");
  const verifyChanged = async (changed: string): Promise<string> => {
    const file = join(folder, "changed.json");
    writeFileSync(file, changed);
    const code = await run("verify", file, "--key", "k.pub.pem", "--protocol", "./order");
    expect(code, changed.slice(0, 100)).toBeGreaterThan(0);
    return output;
  };

  it("is detected at any position", async () => {
    const original = text();
    const step = Math.ceil(original.length / 150);
    for (let index = 0; index < original.length; index += step) {
      const replacement = original[index] === "A" ? "B" : "A";
      await verifyChanged(`${original.slice(0, index)}${replacement}${original.slice(index + 1)}`);
    }
  });

  it("is detected in a gzip header, which does not affect the unpacked content", async () => {
    const original = JSON.parse(text()) as Bundle;
    const [first] = original.materials;
    const bytes = Buffer.from(first?.data ?? "", "base64");
    // A byte of the modification time in the gzip header.
    bytes[4] = (bytes[4] ?? 0) ^ 1;
    const materials = original.materials.map((material, index) =>
      index === 0 ? { ...material, data: bytes.toString("base64") } : material,
    );
    expect(await verifyChanged(formatBundle({ ...original, materials }))).toContain("compressed differently");
  });

  it("is detected in whitespace and escapes of JSON, and if the file is cut short", async () => {
    const original = text();
    expect(await verifyChanged(original.replace("{\n", "{ \n"))).toContain("the file was changed after it was written");
    expect(await verifyChanged(`${original}\n`)).toContain("the file was changed after it was written");
    expect(await verifyChanged(original.replace("envelope", "\\u0065nvelope"))).toContain(
      "the file was changed after it was written",
    );
    expect(await verifyChanged(original.slice(0, original.length / 2))).toContain("not valid JSON");
    expect(await verifyChanged("")).toContain("not valid JSON");
    expect(await verifyChanged("[]")).toContain("not a bundle");
  });

  it("is detected if a material is replaced, removed or added", async () => {
    const original = JSON.parse(text()) as Bundle;
    const [first, ...otherMaterials] = original.materials as [Bundle["materials"][number], ...Bundle["materials"]];
    const { packMaterial: pack, unpackMaterial: unpack } = await import("./bundle.ts");
    const report = unpack(first).toString("utf8").replaceAll('"disputed"', '"conforms"');
    expect(
      await verifyChanged(formatBundle({ ...original, materials: [pack(first.name, report), ...otherMaterials] })),
    ).toContain("report.json: its SHA-256 is");
    expect(await verifyChanged(formatBundle({ ...original, materials: [first] }))).toContain("it is not in the bundle");
    const extraMaterial = { ...otherMaterials[0], name: "more.json" } as Bundle["materials"][number];
    expect(
      await verifyChanged(formatBundle({ ...original, materials: [...original.materials, extraMaterial] })),
    ).toContain("does not mention it");
  });

  it("is detected if the signed statement contradicts the report", async () => {
    const { signPayload: enveloped } = await import("./envelope.ts");
    const key = readPrivateKey(join(folder, "k.pem"), {});
    const original = JSON.parse(text()) as Bundle;
    const statement = Buffer.from(original.envelope.payload, "base64").toString("utf8");
    const signStatement = (statementText: string): string =>
      formatBundle({ ...original, envelope: enveloped(statementText, key) });
    expect(await verifyChanged(signStatement(statement.replace('"conforms":1', '"conforms":2')))).toContain(
      "computed again: it is PASSED",
    );
    expect(await verifyChanged(signStatement(statement.replace('"PASSED"', '"WARNED"')))).toContain(
      "result as a whole: it is PASSED",
    );
    expect(await verifyChanged(signStatement("{}"))).toContain("not an in-toto statement");
  });
});

describe("a certificate that a dishonest signer has forged", () => {
  const forgeries: [string, (forged: ForgedContent) => void, RegExp][] = [
    [
      "two results of one vector, the second conforming",
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
      "a partial run",
      (all) => forgeReport(all, (report) => report.runs[0]?.filter.only.push("order/1/order")),
      /whole run: only order\/1\/order was run/,
    ],
    [
      "a member of the report twice",
      ({ files }) => files.set("report.json", (files.get("report.json") as string).replace("{", '{"exitCode":1,')),
      /each member once: it is not as certify writes it/,
    ],
    [
      "an invented passed test",
      ({ statement }) => void statement.predicate.passedTests.push("order 1 live@1"),
      /passedTests: they are/,
    ],
    [
      "an invented failed test",
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
      "invented claims",
      ({ statement }) =>
        void Object.assign(statement.predicate.touchstone.implementation, { claims: { order: ["all"] } }),
      /claims, tool and time: they differ/,
    ],
    [
      "another start time",
      ({ statement }) => void Object.assign(statement.predicate.touchstone, { started: "2030-01-01T00:00:00Z" }),
      /claims, tool and time/,
    ],
    [
      "an extra member of the statement",
      ({ statement }) => void Object.assign(statement.predicate, { seal: "gold" }),
      /statement as a whole: it has other members/,
    ],
    [
      "a duplicate score",
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
      "an empty list of unchecked results",
      ({ statement: { predicate } }) => void predicate.touchstone.notChecked.splice(0),
      /unchecked results: the statement's list differs/,
    ],
    [
      "a changed certification profile",
      ({ files }) => {
        const [name = "", text = ""] = [...files].find(([each]) => each.startsWith("profiles/")) ?? [];
        files.set(name, text.replace(/"title":"[^"]*"/, '"title":"Gold"'));
      },
      /list of order core@1: it differs from that list/,
    ],
    [
      "another configuration",
      ({ files }) => files.set("configuration.json", "{}\n"),
      /configuration\.json: it belongs to another run/,
    ],
    [
      "an unknown vector set",
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

  it.each(forgeries)("is invalid if it has %s", async (_, change, expectedOutput) => {
    const key = readPrivateKey(join(folder, "k.pem"), {});
    writeFileSync(
      join(folder, "made.json"),
      forgeCertificate(JSON.parse(readFileSync(join(folder, bundleFile), "utf8")), key, change),
    );
    expect(await run("verify", "made.json", "--key", "k.pub.pem", "--protocol", "./order"), output).toBe(1);
    expect(output).toMatch(expectedOutput);
    expect(output).toMatch(/^The certificate is not valid:\n/);
  });

  it("cannot be created from a report with a duplicate result", async () => {
    const report = JSON.parse(readFileSync(join(folder, "right.json"), "utf8")) as Report;
    const [firstRun] = report.runs as [Report["runs"][number]];
    firstRun.results.push({ ...(firstRun.results[0] as (typeof firstRun.results)[number]), outcome: "conforms" });
    for (const { counts } of [report, firstRun]) counts.conforms += 1;
    writeFileSync(join(folder, "twice.json"), JSON.stringify(report));
    expect(await certify("twice.json")).toBe(2);
    expect(output).toContain("is there twice");
  });

  it("is verified check by check, each with the source that it was compared with", async () => {
    expect(await verify()).toBe(0);
    expect(output).toMatch(/^(\d+) of \1 checks pass:$/m);
    expect(output).toMatch(/^ {2}list of order core@1: compared with the list that is published here$/m);
    expect(output).toMatch(/^ {2}vectors of order 1: compared with the set that is here, sha256-/m);
    expect(output).not.toContain("nothing");
    expect(await run("verify", bundleFile, "--key", "k.pub.pem")).toBe(1);
    expect(output).toMatch(
      /list of order core@1: not compared, there is no order 1 here: give the folder of its pack with --protocol/,
    );
    writeFileSync(join(folder, "hub.bin"), "the hub");
    expect(await certify("right.json", "--artifact", "hub.bin", "--out", "of-file.json")).toBe(0);
    const verifyFile = (...options: string[]): Promise<number> =>
      run("verify", "of-file.json", "--key", "k.pub.pem", "--protocol", "./order", ...options);
    expect(await verifyFile()).toBe(0);
    expect(output).toMatch(
      /subject: not compared, it is the file hub\.bin: give it with --artifact\n(\d+) of (?!\1 )\d+ checks pass/,
    );
    expect(await verifyFile("--artifact", "hub.bin")).toBe(0);
    expect(output).toContain("subject: compared with the artifact");
    expect(await verifyFile("--artifact", "right.json")).toBe(1);
    expect(output).toContain("subject: the certificate is about another file");
  });
});

describe("keys", () => {
  it("are rejected if they are missing, of another type, or not the signer's", async () => {
    expect(await run("certify", "--new-key", "other.pem")).toBe(0);
    expect(await run("verify", bundleFile, "--key", "other.pub.pem")).toBe(1);
    expect(output).toContain("it is signed by the key");
    expect(await run("certify", "--new-key", "other.pem")).toBe(2);
    expect(output).toContain("the file exists already");
    const { privateKey } = generateKeyPairSync("ec", {
      namedCurve: "P-256",
      privateKeyEncoding: { type: "pkcs8", format: "pem" },
      publicKeyEncoding: { type: "spki", format: "pem" },
    });
    writeFileSync(join(folder, "ec.pem"), privateKey);
    expect(await run("certify", "right.json", "--name", "a", "--release", "1", "--key", "ec.pem")).toBe(2);
    expect(output).toContain("expected an Ed25519 key, got a key of the type ec");
    expect(await run("certify", "right.json", "--name", "a", "--release", "1", "--key", "right.json")).toBe(2);
    expect(await run("certify", "right.json", "--name", "a", "--release", "1")).toBe(2);
    expect(output).toContain("there is no key to sign with");
  });
});
