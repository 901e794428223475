import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { applyPatch } from "rfc6902";
import { beforeAll, describe, expect, it } from "vitest";
import { home } from "../home.ts";
import type { Json } from "../json.ts";
import type { Manifest } from "../manifest.ts";
import { ownSchemas } from "../own-schemas.ts";
import { builtInPacks } from "../packs.ts";
import type { Change } from "../vector.ts";
import { comparison, setComparison } from "./comparison.fixture.ts";
import * as samples from "./samples.fixture.ts";
import { type Judges, judgesOf } from "./validators.fixture.ts";

const judges: Record<string, Judges> = {};
beforeAll(async () => {
  for (const format of Object.keys(ownSchemas())) judges[format] = await judgesOf(format);
});

/** The common verdict of both validators, or a text if they differ. */
function verdict(format: string, value: unknown): boolean | string {
  const { ajv, hyperjump } = judges[format] as Judges;
  const verdicts = [ajv(value as Json), hyperjump(value as Json)];
  return verdicts[0] === verdicts[1] ? (verdicts[0] as boolean) : `ajv ${verdicts[0]}, hyperjump ${verdicts[1]}`;
}

function read(...path: string[]): Json {
  return JSON.parse(readFileSync(join(home, ...path), "utf8"));
}

const vectors = join(home, "vectors");

describe("published files", () => {
  it.each(builtInPacks)("are valid: the profile and rules of $name", ({ name, version }) => {
    expect(verdict("profile", read("schemas", name, version, "profile.json"))).toBe(true);
    expect(verdict("rules", read("schemas", name, version, "rules.json"))).toBe(true);
  });

  it.each(builtInPacks)("are valid: the freedoms and positions of $name", ({ name, version }) => {
    expect(verdict("freedoms", read("schemas", name, version, "freedoms.json"))).toBe(true);
    if (!existsSync(join(home, "schemas", name, version, "positions.json"))) return;
    expect(verdict("positions", read("schemas", name, version, "positions.json"))).toBe(true);
  });

  it("are valid: the manifest, which lists every vector file and nothing else", () => {
    const manifest = read("vectors", "MANIFEST.json") as unknown as Manifest;
    expect(verdict("manifest", manifest)).toBe(true);
    const there = builtInPacks
      .filter(({ name }) => existsSync(join(vectors, name)))
      .flatMap(({ name }) =>
        readdirSync(join(vectors, name), { recursive: true }).map((file) => join(name, String(file))),
      )
      .filter((file) => file.endsWith(".json"));
    expect(there.length).toBeGreaterThan(0);
    expect(there.sort()).toEqual(manifest.files.map(({ path }) => path).sort());
  });

  it("are valid: every vector file", () => {
    for (const { path } of (read("vectors", "MANIFEST.json") as unknown as Manifest).files) {
      const file = read("vectors", path);
      expect(judges["vector-file"]?.ajv(file), path).toBe(true);
    }
  });
});

/** For each format, a sample and patches that each make it invalid. */
const cases: { format: string; sample: unknown; wrong: Record<string, Change[]> }[] = [
  {
    format: "vector-file",
    sample: samples.vectorFile,
    wrong: {
      "an unknown member": [{ op: "add", path: "/seed", value: 1 }],
      "no schema digest": [{ op: "remove", path: "/schemaDigest" }],
      "a digest of another kind": [{ op: "replace", path: "/schemaDigest", value: "sha1-abc" }],
      "no tests": [{ op: "replace", path: "/tests", value: [] }],
      "another format's address": [{ op: "replace", path: "/$schema", value: "manifest.schema.json" }],
      "an unknown member of a vector": [{ op: "add", path: "/tests/0/comment", value: "" }],
      "two instances": [{ op: "add", path: "/tests/0/raw", value: "{}" }],
      "no instance": [{ op: "remove", path: "/tests/0/data" }],
      "neither valid nor readings": [{ op: "remove", path: "/tests/0/valid" }],
      "valid and readings": [{ op: "add", path: "/tests/2/valid", value: true }],
      "one reading only": [{ op: "remove", path: "/tests/2/readings/0" }],
      "a reading by nobody": [{ op: "replace", path: "/tests/2/readings/0/by", value: [] }],
      "a parent without a change": [{ op: "remove", path: "/tests/1/change" }],
      "a change without a parent": [{ op: "remove", path: "/tests/1/parent" }],
      "a change that leads to a text": [{ op: "copy", from: "/tests/1/change", path: "/tests/3/change" }],
      "an operation without its value": [{ op: "remove", path: "/tests/1/change/0/value" }],
      "an unknown operation": [{ op: "replace", path: "/tests/1/change/0/op", value: "swap" }],
      "an id without a kind": [{ op: "replace", path: "/tests/0/id", value: "notes/1.0/note/minimal" }],
      "an id with a wildcard": [{ op: "replace", path: "/tests/0/id", value: "notes/1.0/note/valid/*" }],
      "an id with an empty step": [{ op: "replace", path: "/tests/0/id", value: "notes/1.0/note/valid//a" }],
      "an unknown need": [{ op: "add", path: "/tests/0/needs/0", value: "formats" }],
      "no needs": [{ op: "remove", path: "/tests/0/needs" }],
      "a site that is no location": [{ op: "replace", path: "/tests/1/site", value: "#/properties/title" }],
      "a place that is no JSON Pointer": [{ op: "replace", path: "/tests/1/at", value: "title" }],
      "a rule in small letters": [{ op: "replace", path: "/tests/1/rule", value: "note-env-001" }],
      "bytes that are no base64": [{ op: "replace", path: "/tests/3/base64", value: "/w=" }],
    },
  },
  {
    format: "manifest",
    sample: samples.manifest,
    wrong: {
      "an unknown member": [{ op: "add", path: "/date", value: "2026-01-15" }],
      "no digest": [{ op: "remove", path: "/digest" }],
      "an unknown kind": [{ op: "replace", path: "/files/0/kind", value: "traces" }],
      "a path that leaves the folder": [
        { op: "replace", path: "/files/0/path", value: "../notes/1.0/note/valid.json" },
      ],
      "the same file twice": [{ op: "copy", from: "/files/0", path: "/files/0" }],
      "a negative count": [{ op: "replace", path: "/files/0/count", value: -1 }],
      "a version of two numbers": [{ op: "replace", path: "/version", value: "1.0" }],
      "no reason why a site is not broken": [{ op: "remove", path: "/documents/0/unbroken/0/why" }],
    },
  },
  {
    format: "compare",
    sample: comparison,
    wrong: {
      "an unknown member": [{ op: "add", path: "/failOn", value: "any" }],
      "an exit code that a comparison does not have": [{ op: "replace", path: "/exitCode", value: 3 }],
      "documents that are the same and differ": [{ op: "replace", path: "/documents/0/state", value: "same" }],
      "a difference that nothing shows": [{ op: "replace", path: "/documents/0/differences", value: [] }],
      "a difference without its message": [{ op: "remove", path: "/documents/0/differences/0/message" }],
      "a refusal that breaks consumers": [
        { op: "replace", path: "/documents/0/differences/0/breaks", value: "consumers" },
      ],
      "what came and is not decided": [{ op: "add", path: "/documents/1/open/refused", value: "time" }],
      "an invalid line": [{ op: "replace", path: "/documents/0/differences/0/old/line", value: 0 }],
    },
  },
  {
    format: "set-comparison",
    sample: setComparison,
    wrong: {
      "an unknown member": [{ op: "add", path: "/failOn", value: "any" }],
      "what is gone without its id": [{ op: "remove", path: "/gone/0/id" }],
      "a verdict that there is not": [{ op: "replace", path: "/verdict/0/new", value: "maybe" }],
      "a step that there is not": [{ op: "replace", path: "/needs", value: "minor" }],
      "no digest": [{ op: "remove", path: "/old/digest" }],
    },
  },
  {
    format: "baseline",
    sample: samples.baseline,
    wrong: {
      "an unknown member": [{ op: "add", path: "/entries/0/note", value: "" }],
      "no sets": [{ op: "replace", path: "/sets", value: {} }],
      "no reason": [{ op: "remove", path: "/entries/0/reason" }],
      "an empty reason": [{ op: "replace", path: "/entries/0/reason", value: "" }],
      "id and site": [{ op: "add", path: "/entries/0/site", value: "note.schema.json#/type" }],
      "neither id nor rule": [{ op: "remove", path: "/entries/0/id" }],
      "an outcome that is no failure": [{ op: "replace", path: "/entries/0/outcome", value: "conforms" }],
      "no day": [{ op: "replace", path: "/entries/1/expires", value: "2026-13-01" }],
      "a time": [{ op: "replace", path: "/entries/1/expires", value: "2026-12-31T00:00:00Z" }],
    },
  },
  {
    format: "config",
    sample: samples.config,
    wrong: {
      "an unknown member": [{ op: "add", path: "/protocols", value: "all" }],
      "an unknown kind of target": [{ op: "replace", path: "/target/kind", value: "grpc" }],
      "another kind's member": [{ op: "add", path: "/target/command", value: "./run" }],
      "no address": [{ op: "remove", path: "/target/url" }],
      "an address of another scheme": [{ op: "replace", path: "/target/url", value: "ftp://127.0.0.1" }],
      "a header name with a blank": [{ op: "add", path: "/target/headers/a b", value: "" }],
      "an endpoint that is no path": [
        { op: "replace", path: "/target/endpoints/agent.session.started", value: "events" },
      ],
      "concurrency 0": [{ op: "replace", path: "/concurrency", value: 0 }],
      "half a millisecond": [{ op: "replace", path: "/timeout", value: 0.5 }],
      "a negative seed": [{ op: "replace", path: "/seed", value: -1 }],
      "a pattern on its own": [{ op: "replace", path: "/only", value: "AHCP-*" }],
      "a report without its file": [{ op: "add", path: "/report/0", value: "html=" }],
    },
  },
  {
    format: "report",
    sample: samples.report,
    wrong: {
      "an unknown member": [{ op: "add", path: "/passed", value: true }],
      "a missing count": [{ op: "remove", path: "/counts/skipped" }],
      "an unknown count": [{ op: "add", path: "/counts/passed", value: 1 }],
      "the value of a header among the options": [
        { op: "replace", path: "/options/target/headers", value: { Authorization: "Bearer secret" } },
      ],
      "options that name no target": [{ op: "remove", path: "/options/target" }],
      "a result that does not say what it is of": [{ op: "remove", path: "/runs/0/results/0/kind" }],
      "a local time": [{ op: "replace", path: "/started", value: "2026-01-15T09:30:00+01:00" }],
      "an unknown exit code": [{ op: "replace", path: "/exitCode", value: 5 }],
      "an unknown outcome": [{ op: "replace", path: "/runs/0/results/0/outcome", value: "passed" }],
      "no reason for what does not conform": [{ op: "remove", path: "/runs/0/results/1/why" }],
      "no stage of a timeout": [{ op: "remove", path: "/runs/0/results/2/stage" }],
      "an unknown member of a reason": [{ op: "add", path: "/runs/0/results/1/answer/reasons/0/path", value: "" }],
      "two instances of a vector": [{ op: "add", path: "/runs/0/results/2/vector/data", value: null }],
      "a header that is no text": [
        { op: "add", path: "/runs/0/results/1/answer/exchange/request/headers/c", value: ["d"] },
      ],
      "a tool of another name": [{ op: "replace", path: "/tool/name", value: "hammer" }],
      "an invalid shard": [{ op: "replace", path: "/runs/0/shard/index", value: 0 }],
    },
  },
  {
    format: "report-line",
    sample: samples.lines[0],
    wrong: {
      "another kind of line": [{ op: "replace", path: "/line", value: "head" }],
      "results already": [{ op: "add", path: "/runs/0/results", value: [] }],
      "the value of a header among the options": [
        { op: "replace", path: "/options/target/headers", value: { Authorization: "Bearer secret" } },
      ],
      "options that name no target": [{ op: "remove", path: "/options/target" }],
      "a local time": [{ op: "replace", path: "/started", value: "2026-01-15T09:30:00+01:00" }],
    },
  },
  {
    format: "report-line",
    sample: samples.lines[1],
    wrong: {
      "no place": [{ op: "remove", path: "/index" }],
      "no stage of a timeout": [{ op: "remove", path: "/result/stage" }],
      "no run": [{ op: "replace", path: "/run", value: -1 }],
    },
  },
  {
    format: "report-line",
    sample: samples.lines[2],
    wrong: {
      "no word about the end": [{ op: "remove", path: "/complete" }],
      "an unknown exit code": [{ op: "replace", path: "/exitCode", value: 5 }],
      "a mark of another kind": [{ op: "add", path: "/runs/0/known/a", value: "passing" }],
    },
  },
  {
    format: "wire",
    sample: samples.wire[0],
    wrong: {
      "another version": [{ op: "replace", path: "/touchstone", value: 2 }],
      "no schemas": [{ op: "remove", path: "/schemas" }],
    },
  },
  {
    format: "wire",
    sample: samples.wire[1],
    wrong: {
      "not ready": [{ op: "replace", path: "/ready", value: false }],
      "an unknown claim": [{ op: "add", path: "/claims/0", value: "everything" }],
      "an unknown member": [{ op: "add", path: "/version", value: "1" }],
    },
  },
  {
    format: "wire",
    sample: samples.wire[2],
    wrong: {
      "no number": [{ op: "remove", path: "/seq" }],
      "two instances": [{ op: "add", path: "/text", value: "null" }],
      "no instance": [{ op: "remove", path: "/data" }],
      "the expectation": [{ op: "add", path: "/valid", value: true }],
      "the vector's id": [{ op: "add", path: "/id", value: "notes/1.0/note/valid/a" }],
    },
  },
  {
    format: "wire",
    sample: samples.wire[3],
    wrong: {
      "no number": [{ op: "remove", path: "/seq" }],
      "a number as text": [{ op: "replace", path: "/seq", value: "1" }],
      "no word": [
        { op: "remove", path: "/valid" },
        { op: "remove", path: "/errors" },
      ],
      "two words": [{ op: "add", path: "/skipped", value: "" }],
      "errors without a verdict": [
        { op: "move", from: "/valid", path: "/skipped" },
        { op: "replace", path: "/skipped", value: "" },
      ],
      "errors that are a text": [{ op: "replace", path: "/errors", value: "no text" }],
    },
  },
  {
    format: "wire",
    sample: samples.wire[4],
    wrong: { "another command": [{ op: "replace", path: "/command", value: "quit" }] },
  },
  {
    format: "rules",
    sample: read("schemas", "ahcp", "0.3", "rules.json"),
    wrong: {
      "an unknown member": [{ op: "add", path: "/rules/0/title", value: "" }],
      "an unknown level": [{ op: "replace", path: "/rules/0/level", value: "MUST NOT" }],
      "an unknown check": [{ op: "replace", path: "/rules/0/check", value: "interactive" }],
      "a schema rule without sites": [{ op: "remove", path: "/rules/0/sites" }],
      "an empty status": [{ op: "replace", path: "/rules/0/status", value: {} }],
      "two statuses": [{ op: "add", path: "/rules/0/status/planned", value: "more of them" }],
      "a status without its reason": [{ op: "replace", path: "/rules/0/status", value: { untested: "" } }],
      "a position that is not marked": [
        { op: "add", path: "/rules/0/position", value: "so" },
        { op: "remove", path: "/rules/0/basis" },
      ],
      "nobody bound": [{ op: "replace", path: "/rules/0/binds", value: [] }],
      "an id without its number": [{ op: "replace", path: "/rules/0/id", value: "AHCP-VER" }],
    },
  },
  {
    format: "rule-family",
    sample: samples.ruleFamily,
    wrong: {
      "no rules": [{ op: "replace", path: "/rules", value: {} }],
      "a key that is not an id": [{ op: "add", path: "/rules/sum", value: { statement: "It fits." } }],
      "a rule without a statement": [{ op: "remove", path: "/rules/ORDER-SUM-001/statement" }],
      "an unknown form": [{ op: "add", path: "/rules/ORDER-SELF-001/check/equals", value: {} }],
      "a check that asks nothing": [{ op: "remove", path: "/rules/ORDER-SELF-001/check/differs" }],
      "a place without a slash": [{ op: "add", path: "/rules/ORDER-SELF-001/check/present", value: ["id"] }],
      "a list in which nothing is unique": [{ op: "add", path: "/rules/ORDER-SELF-001/check/unique", value: ["/id"] }],
      "a function without a file": [{ op: "replace", path: "/rules/ORDER-SUM-001/check", value: "#sum" }],
      "a valid case of nothing": [
        { op: "replace", path: "/rules/ORDER-SELF-001/valid/another", value: { says: "is another order" } },
      ],
      "a valid case of two messages": [{ op: "add", path: "/rules/ORDER-SELF-001/valid/another/data", value: {} }],
      "an invalid case without a change": [{ op: "remove", path: "/rules/ORDER-SELF-001/invalid/itself/copy" }],
      "cases without a document": [{ op: "remove", path: "/rules/ORDER-SELF-001/document" }],
      "a scenario of steps and code": [
        { op: "add", path: "/rules/ORDER-ONCE-001/scenarios/twice/steps", value: [{ pass: 1 }] },
      ],
    },
  },
  {
    format: "profile",
    sample: read("schemas", "ahcp", "0.3", "profile.json"),
    wrong: {
      "an unknown member": [{ op: "add", path: "/endpoints", value: {} }],
      "an unknown word for formats": [{ op: "replace", path: "/formats", value: "ignore" }],
      "no documents": [{ op: "replace", path: "/documents", value: [] }],
      "an unknown role": [{ op: "replace", path: "/documents/0/role", value: "received" }],
      "a file outside": [{ op: "replace", path: "/documents/0/file", value: "../message.schema.json" }],
      "a document without file, schema and name": [
        { op: "remove", path: "/documents/0/file" },
        { op: "remove", path: "/documents/0/schema" },
        { op: "remove", path: "/documents/0/name" },
      ],
      "an unknown maker": [{ op: "replace", path: "/documents/0/fresh/0/make", value: "ulid" }],
      "a prefix of a uuid": [{ op: "add", path: "/documents/0/fresh/0/prefix", value: "evt_" }],
      "an offset of a uuid": [{ op: "add", path: "/documents/0/fresh/0/offset", value: 60 }],
      "a condition without a status": [{ op: "remove", path: "/http/accepted/0/status" }],
      "an invalid status": [{ op: "replace", path: "/http/accepted/0/status", value: [42] }],
      "a step with and without a choice": [
        {
          op: "add",
          path: "/steps",
          value: [
            { at: "", schema: "https://example.org/a", by: ["/a"], schemas: { a: "https://example.org/a" } },
            { at: "", schema: "https://example.org/a" },
          ],
        },
      ],
      "an error without a meaning": [{ op: "remove", path: "/errors/0/meaning" }],
    },
  },
];

describe.each(cases)("$format", ({ format, sample, wrong }) => {
  it("accepts its sample", () => expect(verdict(format, sample)).toBe(true));

  it.each(Object.entries(wrong))("refuses %s", (_, change) => {
    const copy = structuredClone({ sample });
    const moved = change.map((operation) => ({
      ...operation,
      path: `/sample${operation.path}`,
      ...("from" in operation ? { from: `/sample${operation.from}` } : {}),
    }));
    expect(applyPatch(copy, moved as Change[])).toEqual(change.map(() => null));
    expect(verdict(format, copy.sample)).toBe(false);
  });
});

describe("other samples", () => {
  it.each(samples.configs)("are valid configurations: %j", (config) => expect(verdict("config", config)).toBe(true));
  it.each(samples.wires)("are valid messages: %j", (message) => expect(verdict("wire", message)).toBe(true));
});
