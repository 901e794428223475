import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import formatsPlugin from "ajv-formats";
import { describe, expect, it } from "vitest";
import { documentNamed, protocolNamed, protocolsNamed } from "./catalogue.ts";
import { coverageOfRule, waysOf } from "./coverage.ts";
import { TouchstoneError } from "./error.ts";
import type { Freedom, FreedomFile } from "./freedom.ts";
import { citationsIn, type Grounds, groundsOf, leadsNowhere } from "./grounds.ts";
import { home } from "./home.ts";
import type { Manifest } from "./manifest.ts";
import { ownSchemas } from "./own-schemas.ts";
import { completeProfile } from "./pack/profile.ts";
import { ruleFrom } from "./pack/rules.ts";
import { builtInPacks } from "./packs.ts";
import * as pointer from "./pointer.ts";
import type { Protocol } from "./protocol.ts";
import type { Rule } from "./rule.ts";
import type { VectorFile } from "./vector.ts";

const protocols = protocolsNamed("all");

it("allows a pack's code if the caller names the pack, but not if the name was read from a file", () => {
  const pack = join(home, "suites/packs/pack/example");
  expect([protocolsNamed(pack), protocolsNamed(pack, "configured")].map(([cited]) => cited?.code)).toEqual([
    "given",
    "configured",
  ]);
  expect(protocolsNamed(pack, "a file")[0]).not.toHaveProperty("code");
});

describe("the catalogue", () => {
  it("contains all files of the folders", () => {
    const folders = readdirSync(join(home, "schemas"), { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const otherFolders = ["LICENSES", "contracts", "pack", "touchstone"];
    const { drafts } = JSON.parse(readFileSync(join(home, "schemas/packs.json"), "utf8"));
    otherFolders.push(...drafts.map(({ name }: { name: string }) => name));
    expect(folders.map(({ name }) => name).sort()).toEqual(
      [...builtInPacks.map(({ name }) => name), ...otherFolders].sort(),
    );
  });

  it("gives each rule a different id", () => {
    const ids = protocols.flatMap(({ rules }) => rules.map(({ id }) => id));
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe.each(protocols)("$name", (protocol) => {
  const { name, version, folder, profile, rules, schemas } = protocol;

  it("contains its name and version in its files", () => {
    expect(profile).toMatchObject({ protocol: name, version });
    expect(JSON.parse(readFileSync(join(folder, "rules.json"), "utf8"))).toMatchObject({ protocol: name, version });
  });

  it("omits only parts that a user's pack may omit", () => {
    const ids = new Map(profile.documents.map(({ file, schema }) => [join(folder, file), schema]));
    const text = { value: null, locate: () => ({ line: 1, column: 1 }) };
    expect(completeProfile({ folder, file: "profile.json", text, profile }, ids)).toEqual(profile);
    expect(rules.map((rule) => ruleFrom(rule))).toEqual(rules);
  });

  it("has a document for each schema file, under the $id that the profile gives", () => {
    const files = readdirSync(folder, { recursive: true }).map((file) => String(file).replaceAll("\\", "/"));
    const inherited = inheritedFiles(protocol, files);
    expect(profile.documents.map(({ file }) => file).sort()).toEqual(
      [...files.filter((file) => file.endsWith(".schema.json")), ...inherited].sort(),
    );
    expect(profile.documents.map(({ schema }) => schema)).toEqual(schemas.map(({ $id }) => $id));
    for (const member of ["name", "schema", "file"] as const) {
      expect(new Set(profile.documents.map((document) => document[member])).size).toBe(profile.documents.length);
    }
  });

  it("selects each document by values that no other document has", () => {
    const values = profile.documents.flatMap(({ when }) => Object.values(when ?? {}).flat());
    expect(new Set(values).size).toBe(values.length);
  });

  it("has valid samples of every document that can be sent alone", () => {
    const ajv = ajvFor(protocol);
    for (const { name: document, schema, samples = [], standalone } of profile.documents) {
      expect(samples.length > 0, `${document} has samples`).toBe(standalone);
      for (const [index, sample] of samples.entries()) {
        expect([document, index, ajv.validate(schema, sample), ajv.errorsText()]).toEqual([
          document,
          index,
          true,
          "No errors",
        ]);
      }
    }
  });

  it("has carriers that are valid with a sample inside", () => {
    for (const { name: document, wrap, samples = [] } of profile.documents) {
      if (wrap === undefined) continue;
      expect(pointer.has(wrap.at, wrap.in), document).toBe(true);
      const { parent, last } = pointer.split(wrap.at);
      const carrier = structuredClone(wrap.in);
      (pointer.at(parent, carrier) as Record<string, unknown>)[last] = samples[0];
      const step = profile.steps?.find(({ schema }) => schema !== undefined);
      expect([document, ajvFor(protocol).validate(step?.schema ?? "", carrier)]).toEqual([document, true]);
    }
  });

  it("has only rules with sites that exist in its schemas", () => {
    const danglingSites = rules.flatMap(({ id, sites = [] }) =>
      sites.filter((site) => !resolves(protocol, site)).map((site) => `${id} ${site}`),
    );
    expect(danglingSites).toEqual([]);
  });

  it("has sites for each rule that the schema checks", () => {
    expect(rules.filter(({ check, sites = [] }) => check === "schema" && sites.length === 0)).toEqual([]);
  });

  it("has a status with a reason for each rule, consistent with how the rule is checked", () => {
    for (const { id, check, status } of rules) {
      const [[kind, explanation] = ["", ""], ...more] = Object.entries(status) as [string, string][];
      expect(more, id).toEqual([]);
      expect(explanation, id).toMatch(/\S/);
      if (kind === "covered")
        expect(explanation, id).toMatch(/^(vectors( of [A-Z0-9-]+(, [A-Z0-9-]+)*)?|valid vectors|scenarios)$/);
      if (kind === "untested") expect(["manual", "semantic"], `${id} is decided by ${check}`).toContain(check);
      if (check === "manual") expect(["untested", "covered"], `${id} is ${kind}`).toContain(kind);
    }
  });

  it("has a vector that can fail for each rule that it lists as covered by vectors", () => {
    const files = filesOf(name);
    const byVectors = rules.filter(({ status }) => "covered" in status && status.covered !== "scenarios");
    const uncovered = byVectors.filter((rule) => waysOf(coverageOfRule(profile, rule, files, [])).length === 0);
    expect(uncovered.map(({ id }) => id)).toEqual([]);
    const namedRules = byVectors.flatMap(
      ({ status }) => Object.values(status)[0]?.match(/[A-Z][A-Z0-9]*-[A-Z0-9-]+/g) ?? [],
    );
    const ids = new Set(rules.map(({ id }) => id));
    const vectors = files.flatMap(({ tests }) => tests);
    expect([...namedRules, ...vectors.flatMap(({ rule }) => rule ?? [])].filter((id) => !ids.has(id))).toEqual([]);
  });

  it("has only rules and freedoms that cite existing clauses and positions", () => {
    expect(findDanglingGrounds(rules, freedomFileOf(protocol), groundsOf(protocol))).toEqual([]);
  });

  it("does not list a rule as covered if no implementation can fail it", () => {
    // The author of the document can still fail.
    const unfailable = rules.filter(
      ({ verdict, author, status }) => verdict === "either" && author === undefined && "covered" in status,
    );
    expect(unfailable.map(({ id }) => id)).toEqual([]);
  });
});

describe("the checks above", () => {
  it("find a rule, a freedom and a settled position without a source, and a position that nothing cites", () => {
    const protocol = protocolNamed("ahcp");
    const [freedoms, grounds] = [freedomFileOf(protocol), groundsOf(protocol) as Grounds];
    const [firstRule] = protocol.rules as [Rule];
    const rule = (change: Partial<Rule>): Rule[] => [
      ...protocol.rules,
      { ...firstRule, id: "AHCP-NEW-001", ...change },
    ];
    const dangling = (rules: Rule[], file = freedoms, knownGrounds = grounds): string[] =>
      findDanglingGrounds(rules, file, knownGrounds);
    expect(dangling(rule({ clause: "8.7" }))).toEqual(["AHCP-NEW-001 cites 8.7"]);
    expect(dangling(rule({ clause: "4; A-24, RFC 8259, 6" }))).toEqual([]);
    expect(dangling(rule({ clause: "RFC 8259" }))).toEqual(["AHCP-NEW-001 cites RFC 8259"]);
    expect(dangling(rule({ positions: ["A-99"] }))).toEqual(["AHCP-NEW-001 cites A-99"]);
    expect(dangling(rule({ positions: [] }))).toEqual(["AHCP-NEW-001 names no position"]);
    expect(dangling(rule({ basis: "assertion" }))).toEqual(["AHCP-NEW-001 has a position for a basis of another kind"]);
    const freedom = {
      ...freedoms,
      freedoms: [...freedoms.freedoms, { ...(freedoms.freedoms[0] as Freedom), id: "new", clause: "A-99" }],
    };
    expect(dangling(protocol.rules, freedom)).toEqual(["new cites A-99"]);
    const settled = { ...freedoms, settled: [...freedoms.settled, { position: "A-99", why: "so" }] };
    expect(dangling(protocol.rules, settled)).toEqual(["settled cites A-99"]);
    const positions = [...grounds.positions, { id: "A-99", issue: "?", position: "!" }];
    expect(dangling(protocol.rules, freedoms, { ...grounds, positions })).toEqual(["nothing rests on A-99"]);
  });

  it("find a site that does not exist", () => {
    const protocol = protocolNamed("ahcp");
    const id = protocol.profile.documents[0]?.schema;
    expect(resolves(protocol, `${id}#/required/0`)).toBe(true);
    expect(resolves(protocol, `${id}#`)).toBe(true);
    expect(resolves(protocol, `${id}#/required/99`)).toBe(false);
    expect(resolves(protocol, `${id}x#`)).toBe(false);
    expect(resolves(protocol, `${id}`)).toBe(false);
  });

  it("find an invalid sample", () => {
    const protocol = protocolNamed("ahcp");
    const { schema, samples = [] } = documentNamed(protocol, "message");
    expect(ajvFor(protocol).validate(schema, { ...(samples[0] as object), type: "shout" })).toBe(false);
  });
});

describe("protocolsNamed", () => {
  it("finds protocols by name, by name and version, and by the name all", () => {
    expect(protocolsNamed("snap").map(({ name }) => name)).toEqual(["snap"]);
    expect(protocolsNamed("snap@0.1")[0]?.profile.title).toBe("Signed Network Agent Protocol");
    expect(protocolsNamed("all").map(({ name, version }) => ({ name, version }))).toEqual(builtInPacks);
  });

  it.each([
    ["ahpc", 'unknown protocol "ahpc"\n  did you mean "ahcp"? known protocols: ahcp, aaep,'],
    ["", 'unknown protocol ""'],
    ["package.yaml", 'the file "package.yaml" does not exist\n  did you mean "package.json"?'],
    [
      "./nowhere/openapi.yml",
      'the file "./nowhere/openapi.yml" does not exist\n  give the path of an OpenAPI document',
    ],
    [
      "package.json",
      '"package.json" is a file, and a pack is a folder\n  make one with "touchstone generate package.json --out',
    ],
    ["./package.json", '"./package.json" is a file, and a pack is a folder'],
    ["ahcp@0.2", 'there is no version "0.2" of ahcp\n  the version here is ahcp@0.3'],
    ["ahcp@", 'there is no version "" of ahcp'],
  ])('refuses "%s"', (name, message) => {
    expect(() => protocolsNamed(name)).toThrowError(expect.objectContaining({ kind: "usage" }));
    expect(() => protocolsNamed(name)).toThrow(message);
  });

  it("reads the files again each time, so that callers do not share data", () => {
    (protocolNamed("ahcp").profile as { title: string }).title = "mine";
    expect(protocolNamed("ahcp").profile.title).not.toBe("mine");
  });

  it("refuses a name of several protocols if one is required", () => {
    expect(() => protocolNamed("all")).toThrow(TouchstoneError);
    expect(protocolNamed("aaep").name).toBe("aaep");
  });
});

describe("documentNamed", () => {
  it("finds a document by name, and suggests a similar name for an unknown document", () => {
    const protocol = protocolNamed("ahcp");
    expect(documentNamed(protocol, "response").role).toBe("emitted");
    expect(() => documentNamed(protocol, "respnse")).toThrow(
      'ahcp has no document "respnse"\n  did you mean "response"?',
    );
  });
});

describe("ownSchemas", () => {
  it("keys each schema by its file name", () => {
    for (const [name, schema] of Object.entries(ownSchemas())) expect(schema.$id).toContain(`/${name}.schema.json`);
  });
});

/** Lists rules, freedoms and settled positions that cite a missing source, and positions that nothing cites. */
function findDanglingGrounds(
  rules: readonly Rule[],
  { freedoms, settled }: FreedomFile,
  grounds: Grounds | undefined,
): string[] {
  if (grounds === undefined) return ["there is no positions.json"];
  const usedPositions = new Set<string>();
  const danglingIn = (owner: string, text: string): string[] =>
    citationsIn(text, grounds).flatMap((citation) => {
      if (citation.kind === "position") usedPositions.add(citation.position.id);
      return leadsNowhere(citation) ? [`${owner} cites ${text}`] : [];
    });
  const isPosition = (id: string): boolean => grounds.positions.some((position) => position.id === id);
  const danglingInRules = rules.flatMap(({ id, clause, basis, positions = [], position }) => [
    ...danglingIn(id, clause),
    ...positions.flatMap((each) => (isPosition(each) ? danglingIn(id, each) : [`${id} cites ${each}`])),
    ...(basis === "position" && positions.length === 0 ? [`${id} names no position`] : []),
    ...(basis !== "position" && (positions.length > 0 || position !== undefined)
      ? [`${id} has a position for a basis of another kind`]
      : []),
  ]);
  return [
    ...danglingInRules,
    ...freedoms.flatMap(({ id, clause }) => danglingIn(id, clause)),
    ...settled.flatMap(({ position }) =>
      isPosition(position) ? danglingIn("settled", position) : [`settled cites ${position}`],
    ),
    ...grounds.positions.filter(({ id }) => !usedPositions.has(id)).map(({ id }) => `nothing rests on ${id}`),
  ];
}

/** The freedoms of a protocol and of the protocol that it extends. */
function freedomFileOf({ folder, extends: extension }: Protocol): FreedomFile {
  const ownFile = JSON.parse(readFileSync(join(folder, "freedoms.json"), "utf8")) as FreedomFile;
  if (extension === undefined) return ownFile;
  const { freedoms, settled } = freedomFileOf(extension.parent);
  return { ...ownFile, freedoms: [...ownFile.freedoms, ...freedoms], settled: [...ownFile.settled, ...settled] };
}

/** The schema files that a protocol inherits from its parent. */
function inheritedFiles({ extends: extension }: Protocol, ownFiles: readonly string[]): string[] {
  const documents = extension?.parent.profile.documents ?? [];
  return documents.flatMap(({ file }) => (ownFiles.includes(file) ? [] : [file]));
}

function ajvFor({ schemas }: Protocol): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true, ownProperties: true, schemas });
  formatsPlugin.default(ajv);
  return ajv;
}

function resolves({ schemas }: Protocol, site: string): boolean {
  const [id, place, ...more] = site.split("#");
  const schema = schemas.find(({ $id }) => $id === id);
  return schema !== undefined && place !== undefined && more.length === 0 && pointer.has(place, schema);
}

function filesOf(protocol: string): VectorFile[] {
  const folder = join(home, "vectors");
  expect(existsSync(join(folder, "MANIFEST.json")), "vectors/MANIFEST.json is there").toBe(true);
  const { files } = JSON.parse(readFileSync(join(folder, "MANIFEST.json"), "utf8")) as Manifest;
  return files
    .filter((file) => file.protocol === protocol)
    .map(({ path }) => JSON.parse(readFileSync(join(folder, path), "utf8")) as VectorFile);
}
