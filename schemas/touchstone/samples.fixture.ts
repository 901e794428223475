import type { Baseline } from "../baseline.ts";
import type { Config } from "../config.ts";
import { formatAddress } from "../format.ts";
import type { Manifest } from "../manifest.ts";
import { noCounts, type Report } from "../report.ts";
import type { FooterLine, HeaderLine, ResultLine } from "../report-line.ts";
import type { ReportOptions } from "../report-options.ts";
import type { VectorFile } from "../vector.ts";
import type { CheckAnswer, CheckMessage, HelloAnswer, HelloMessage, StopMessage } from "../wire.ts";

// For tests: small values that use every member of a format.

const digest = "sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=";
const schema = "https://example.org/note.schema.json";
const generator = { name: "touchstone", version: "0.1.0", seed: 42 };
const minimal = "notes/1.0/note/valid/$/minimal";

export const vectorFile: VectorFile = {
  $schema: formatAddress("vector-file"),
  description: "Notes 1.0, Note: one of each kind",
  protocol: "notes",
  version: "1.0",
  document: "note",
  schema,
  schemaDigest: digest,
  generator,
  count: 4,
  tests: [
    { id: minimal, description: "a note", valid: true, data: { title: "a" }, at: "", needs: [], tags: ["boundary"] },
    {
      id: "notes/1.0/note/invalid/title/type/number@oneOf-0~0a1b2c3d",
      description: "title is 1",
      valid: false,
      data: { title: 1 },
      rule: "NOTE-ENV-001",
      level: "SHOULD",
      alsoBreaks: ["NOTE-ENV-002"],
      site: `${schema}#/properties/a~1b/type`,
      at: "/title",
      fault: "type",
      parent: minimal,
      change: [
        { op: "replace", path: "/title", value: null },
        { op: "remove", path: "/x" },
        { op: "move", from: "/y", path: "/z" },
      ],
      needs: ["format-assertion", "semantic"],
      format: "uri",
      tags: [],
    },
    {
      id: "notes/1.0/note/disputed/duplicate-name",
      description: "title is there twice",
      readings: [
        { verdict: "valid", ids: ["names-repeat"], by: ["RFC 8259"], why: "names should be unique" },
        { verdict: "invalid", by: ["RFC 7493"] },
      ],
      raw: '{"title":"a","title":"b"}',
      needs: ["raw-text"],
      tags: [],
    },
    {
      id: "notes/1.0/note/raw/utf-8",
      description: "no UTF-8",
      valid: false,
      base64: "/w==",
      fault: "utf-8",
      parent: minimal,
      needs: ["raw-text"],
      tags: [],
    },
  ],
};

export const manifest: Manifest = {
  $schema: formatAddress("manifest"),
  name: "notes",
  version: "1.0.0-rc.1",
  generator,
  digest,
  count: 4,
  aliases: { path: "aliases.json", count: 1, digest },
  files: [
    {
      path: "notes/1.0/note/valid.json",
      protocol: "notes",
      version: "1.0",
      document: "note",
      kind: "valid",
      count: 4,
      digest,
    },
  ],
  documents: [
    {
      protocol: "notes",
      version: "1.0",
      document: "note",
      schema,
      sites: 2,
      broken: 1,
      unbroken: [{ site: `${schema}#/type`, why: "no instance breaks it alone" }],
      forcing: {
        mutants: 5,
        twice: 3,
        once: 1,
        equivalent: 1,
        keywords: { type: { mutants: 5, twice: 3, once: 1, only: 1, equivalent: 1 } },
        unforced: [
          {
            site: `${schema}#/type`,
            operator: "type",
            says: "null is allowed too",
            kills: 1,
            why: "no other instance that kills it was found",
          },
        ],
      },
    },
  ],
};

export const baseline: Baseline = {
  $schema: "node_modules/touchstone/schemas/touchstone/baseline.schema.json",
  sets: { notes: digest },
  judged: {
    "run notes http": {
      results: 12,
      rules: { "NOTE-ENV-001": 9 },
      scenarios: ["retries"],
      skipped: { "needs-setting clock": 2 },
      vectors: "AAEC",
    },
  },
  entries: [
    { id: minimal, outcome: "timed-out", reason: "slow on small machines", owner: "hub team", flaky: true },
    { rule: "NOTE-ENV-001", outcome: "violates", reason: "titles may be numbers until 2.0", expires: "2026-12-31" },
  ],
};

export const config: Config = {
  $schema: "node_modules/touchstone/schemas/touchstone/config.schema.json",
  protocol: "ahcp@0.3",
  target: {
    kind: "http",
    url: "http://127.0.0.1:8080",
    headers: { Authorization: "Bearer secret" },
    endpoints: { "agent.session.started": "/events" },
  },
  only: ["AHCP-ENV-*"],
  skip: ["**/body/**"],
  readings: ["strict"],
  concurrency: 8,
  timeout: 2000,
  seed: 7,
  report: ["terminal", "html=report/index.html"],
  scenarios: true,
  vectors: "vectors-notes",
  baseline: "touchstone.baseline.json",
  failOn: "should",
};

/** The other kinds of target. */
export const configs: Config[] = [
  {},
  { protocol: "all", target: { kind: "module", file: "validate.mjs" } },
  { protocol: "agent-conventions", target: { kind: "command", command: "python3 adapter.py" } },
  { target: { kind: "reference", variant: "accept-all" } },
  { target: { kind: "reference" } },
];

export const wire: [HelloMessage, HelloAnswer, CheckMessage, CheckAnswer, StopMessage] = [
  { command: "hello", touchstone: 1, protocol: "notes", version: "1.0", schemas: [{ $id: schema }] },
  { ready: true, name: "notes-hub 2.1", claims: ["raw-text", "semantic"] },
  { command: "check", seq: 1, document: "note", schema, data: null },
  {
    seq: 1,
    valid: false,
    errors: [
      {
        at: "/title",
        keyword: "type",
        site: "#/properties/title/type",
        rule: "NOTE-ENV-001",
        code: 7,
        message: "no text",
      },
    ],
  },
  { command: "stop" },
];

/** The other forms of messages and answers. */
export const wires: (HelloAnswer | CheckMessage | CheckAnswer)[] = [
  { ready: true },
  { command: "check", seq: 2, document: "note", schema, text: "{" },
  { command: "check", seq: 3, document: "note", schema, base64: "/w==" },
  { seq: 2, valid: true },
  { seq: 3, skipped: "it takes values only" },
  { seq: 4, error: "out of memory" },
];

const counts = { ...noCounts(), conforms: 1, "wrong-reason": 1, "timed-out": 1 };

export const report: Report = {
  $schema: formatAddress("report"),
  tool: { name: "touchstone", version: "0.1.0" },
  started: "2026-01-15T09:30:00.000Z",
  durationMs: 12,
  complete: false,
  command: "npx touchstone run notes --http http://127.0.0.1:8080",
  options: {
    verb: "run",
    protocol: "notes",
    seed: 7,
    timeoutMs: 100,
    concurrency: 4,
    vectors: "vectors-notes",
    target: { kind: "http", url: "http://127.0.0.1:8080", headers: ["Authorization"], endpoints: { note: "/notes" } },
    scenarios: true,
    readings: ["strict"],
    config: "notes.yaml",
    runs: 10,
    walk: "submit",
  },
  counts,
  failOn: "must",
  baseline: {
    file: "touchstone.baseline.json",
    known: 1,
    findings: [{ kind: "stale", name: "NOTE-ENV-002", what: "no vector of it fails any more" }],
    newVectors: [minimal],
    repair: "npx touchstone baseline update touchstone.baseline.json report.json",
  },
  exitCode: 1,
  runs: [
    {
      protocol: "notes",
      version: "1.0",
      target: { kind: "http", name: "http://127.0.0.1:8080", claims: ["raw-text"] },
      set: { digest, count: 4 },
      filter: { only: ["note"], skip: [] },
      readings: ["strict"],
      shard: { index: 1, count: 2 },
      counts,
      results: [
        {
          id: minimal,
          kind: "vector",
          document: "note",
          description: "a note",
          verdict: "valid",
          level: "MUST",
          outcome: "conforms",
        },
        {
          id: "notes/1.0/note/invalid/title/missing",
          kind: "vector",
          document: "note",
          description: "title is missing",
          verdict: "invalid",
          level: "MUST",
          rule: "NOTE-ENV-001",
          site: `${schema}#/required/0`,
          at: "/title",
          fault: "missing",
          outcome: "wrong-reason",
          why: "refused for another cause",
          cause: { kind: "other-reason" },
          answer: {
            verdict: "rejected",
            reasons: [{ code: "no_auth" }],
            exchange: {
              request: { method: "POST", url: "http://127.0.0.1:8080/notes", headers: { a: "b" }, body: "{}" },
              response: { status: 401, headers: {}, body: "" },
            },
          },
          vector: { data: {}, change: [{ op: "remove", path: "/title" }], parent: minimal },
        },
        {
          id: "notes/1.0/note/raw/utf-8",
          kind: "vector",
          document: "note",
          description: "no UTF-8",
          verdict: "invalid",
          level: "SHOULD",
          outcome: "timed-out",
          known: "flaky",
          why: "no answer within 5000 ms",
          cause: { kind: "timed-out" },
          stage: "answer",
          vector: { base64: "/w==" },
        },
      ],
      failure: { stage: "answer", message: "it stopped answering" },
    },
  ],
};

const [run] = report.runs as [Report["runs"][number]];
const { target, counts: _, results, failure, ...head } = run;

export const lines: readonly [HeaderLine, ResultLine, FooterLine] = [
  {
    line: "header",
    $schema: formatAddress("report-line"),
    tool: report.tool,
    started: report.started,
    command: report.command,
    options: report.options as ReportOptions,
    runs: [{ ...head, target: { kind: "http", name: target.name } }],
  },
  { line: "result", run: 0, index: 2, result: results[2] as Report["runs"][number]["results"][number] },
  {
    line: "footer",
    durationMs: 12,
    complete: false,
    counts,
    failOn: "must",
    exitCode: 1,
    runs: [{ target, counts, known: { [minimal]: "flaky" }, failure: failure as NonNullable<typeof failure> }],
  },
];

export const ruleFamily: unknown = {
  rules: {
    "ORDER-SELF-001": {
      level: "MUST",
      clause: "4.3",
      statement: "An order does not replace itself.",
      document: "order",
      check: { when: { oneOf: { "/kind": ["change"] } }, differs: { "/replaces": "/id" }, why: "is the order itself" },
      valid: { another: { from: "order", says: "names another order", set: { "/replaces": "ORD-002" } } },
      invalid: { itself: { says: "names itself", copy: { "/replaces": "/id" } } },
    },
    "ORDER-SUM-001": { statement: "The total is the sum.", check: "rules/sum.js#sum" },
    "ORDER-ONCE-001": {
      statement: "An id is accepted once.",
      scenarios: { twice: { says: "an id is accepted once", play: "rules/once.js#twice" } },
    },
  },
};
