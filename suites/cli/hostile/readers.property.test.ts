import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, beforeAll, describe, it } from "vitest";
import {
  type Baseline,
  documentNamed,
  type Endpoint,
  example,
  isObject,
  type Json,
  loadSchemas,
  type Protocol,
  protocolNamed,
  protocolsNamed,
  TargetFailure,
  TargetSkip,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { readAs } from "../../base/format/file-text.ts";
import { createHider } from "../../base/secrets/index.ts";
import { loadVectors } from "../../packs/corpus/load.ts";
import { vector, writeSet } from "../../packs/corpus/sample.fixture.ts";
import { packOf } from "../../packs/pack/load.ts";
import { fileValidator } from "../../packs/validate/file.ts";
import { formats, readReport } from "../../reports/index.ts";
import { rules, validReport } from "../../results/sample.fixture.ts";
import { answerFrom as lineAnswer, parseLine } from "../../targets/command/answer.ts";
import { aboutFrom, parseModuleLine, readObservation } from "../../targets/module/module-lines.ts";
import { observationFrom as httpAnswer } from "../../targets/observations.fixture.ts";
import { readConfig } from "../config/read.ts";

/** The number of inputs for each reader: few in CI, many in `npm run hostile`. */
const numRuns = Number(process.env.TOUCHSTONE_FUZZ_RUNS ?? 300);

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "readers-"));
});
afterAll(() => rmSync(folder, { recursive: true }));

const strangeNames = [
  "__proto__",
  "constructor",
  "line",
  "valid",
  "seq",
  "errors",
  "runs",
  "results",
  "$ref",
  "\ud800",
  "\u0000",
  "a".repeat(5000),
];
const strangeValue: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: fc.jsonValue({ maxDepth: 3 }) as fc.Arbitrary<Json> },
  fc.constantFrom<Json>(-0, 1e308, -1, 0.5, "", null, [], {}, ...strangeNames),
  fc.integer({ min: 10, max: 3000 }).map((depth) => JSON.parse(`${"[".repeat(depth)}${"]".repeat(depth)}`) as Json),
);

/** Replaces one part of a value, or renames or removes one member. */
function changeAt(value: Json, path: readonly number[], replacement: Json): Json {
  const [first, ...rest] = path;
  if (first === undefined || typeof value !== "object" || value === null) return replacement;
  const names = Object.keys(value);
  if (names.length === 0) return replacement;
  const name = names[first % names.length] as string;
  if (Array.isArray(value))
    return value.map((item, index) => (String(index) === name ? changeAt(item, rest, replacement) : item));
  const entries = Object.entries(value).flatMap(([key, item]): [string, Json][] => {
    if (key !== name) return [[key, item]];
    if (rest.length === 0 && first % 5 === 0) return [];
    if (rest.length === 0 && first % 7 === 0) return [[strangeNames[first % strangeNames.length] as string, item]];
    return [[key, changeAt(item, rest, replacement)]];
  });
  return Object.fromEntries(entries);
}

/** Generates nearly valid JSON, or any string. */
function nearlyValidText(samples: readonly string[]): fc.Arbitrary<string> {
  const sample = fc.constantFrom(...samples);
  const value = fc
    .tuple(sample, fc.array(fc.nat(1000), { maxLength: 6 }), strangeValue)
    .map(([text, path, replacement]) => {
      const lines = text.trim().split("\n");
      if (lines.length === 1 || text.startsWith("{\n"))
        return `${JSON.stringify(changeAt(JSON.parse(text), path, replacement))}\n`;
      const changedIndex = (path[0] ?? 0) % lines.length;
      return lines
        .map((line, index) =>
          index === changedIndex ? JSON.stringify(changeAt(JSON.parse(line), path, replacement)) : line,
        )
        .join("\n");
    });
  const text = fc
    .tuple(
      sample,
      fc.nat(),
      fc.nat(20),
      fc.oneof(
        fc.string({ unit: "binary", maxLength: 8 }),
        fc.constantFrom("1e400", "[".repeat(9000), '"\\ud800"', "\n", "{}"),
      ),
    )
    .map(
      ([wholeText, start, length, inserted]) =>
        `${wholeText.slice(0, start % wholeText.length)}${inserted}${wholeText.slice((start % wholeText.length) + length)}`,
    );
  return fc.oneof(
    { weight: 5, arbitrary: value },
    { weight: 3, arbitrary: text },
    fc.string({ unit: "binary", maxLength: 200 }),
  );
}

const protocol = protocolNamed(example.protocol);
const endpoint: Endpoint = { method: "POST", path: "/" };

/** A reader of untrusted input. For any input, it must return or throw an expected error. */
interface Reader {
  name: string;
  /** Inputs that it understands. */
  samples: () => string[];
  read: (text: string, status: number) => unknown;
  /** CI divides the number of inputs by this. */
  slow?: number;
}

/** Returns a few sessions from a protocol's vectors, each as a list of messages. */
function sessionsOf(sessionProtocol: Protocol): Json[][] {
  const sessions = loadVectors(sessionProtocol).files.filter(
    ({ document }) => documentNamed(sessionProtocol, document).role === "record",
  );
  return sessions.flatMap(({ tests }) =>
    tests.slice(0, 10).flatMap(({ data }) => {
      if (!isObject(data) && !Array.isArray(data)) return [];
      const lists = Array.isArray(data) ? [data] : Object.values(data).filter((value) => Array.isArray(value));
      const lines = lists[0] ?? Object.values(data);
      return lines.length === 0 ? [] : [lines];
    }),
  );
}

const loadedProtocols = await Promise.all(
  protocolsNamed("all").map(async (loadedProtocol) => ({ loadedProtocol, pack: await packOf(loadedProtocol) })),
);
const recordedProtocols = loadedProtocols.flatMap(({ loadedProtocol, pack }) =>
  pack.session === undefined ? [] : [loadedProtocol],
);

const readers: Reader[] = [
  {
    name: "lines of a command",
    samples: () => [
      '{"seq":1,"valid":false,"errors":[{"at":"/a","code":1,"path":["a",{"key":1}]}]}',
      '{"seq":1,"skipped":"x"}',
      '{"seq":1,"error":"x"}',
    ],
    read(text) {
      const message = parseLine(text);
      if (message !== undefined) JSON.stringify(lineAnswer(message, text));
    },
  },
  {
    name: "lines of a module",
    samples: () => [
      '{"said":[[1,{"valid":true,"reasons":[{"at":"/a"}]}],[2,{"stage":"crash","message":"x"}]]}',
      '{"ready":{"text":true,"name":"x","documents":["a"]}}',
    ],
    read(text) {
      const message = parseModuleLine(text);
      aboutFrom(message?.ready);
      if (Array.isArray(message?.said)) JSON.stringify(message.said.map(readObservation));
    },
  },
  {
    name: "answers over HTTP",
    samples: () =>
      [
        '{"error":{"code":"validation_error","message":"x","path":"/a"}}',
        '{"valid":false,"errors":[{"at":"/a"}]}',
        'data: {"id":1}\n\ndata: {"valid":false}\n\n',
      ].filter((each) => each.startsWith("{")),
    read(body, status) {
      for (const type of ["application/json", "text/event-stream", "text/html"])
        tolerateUsageErrors(() =>
          JSON.stringify(
            httpAnswer(
              { status, headers: { "content-type": type, "touchstone-warnings": body.slice(0, 100) }, body },
              endpoint,
              protocol.profile.http,
            ),
          ),
        );
    },
  },
  {
    name: "reports, and their renderings",
    samples: () => {
      const report = validReport();
      return ["json", "jsonl"].map(
        (name) => formats.find((format) => format.name === name)?.render(report, { rules }) ?? "",
      );
    },
    async read(text) {
      const report = await readReport(text, "report.json");
      for (const format of formats) if (format.name !== "html") format.render(report, { rules });
    },
    slow: 10,
  },
  {
    name: "baselines",
    samples: () => [
      '{"$schema":"x","sets":{"ahcp":"sha256-AAAA"},"entries":[{"id":"ahcp/0.3/message/valid/a","outcome":"violates","reason":"x","expires":"2030-01-01"}]}',
    ],
    read: (text) => inFile("baseline.json", text, (file) => readAs<Baseline>("baseline", file)),
    slow: 4,
  },
  {
    name: "configurations",
    samples: () => [
      '{"protocol":"ahcp","target":{"kind":"http","url":"http://a:b@h/?x=1","headers":{"a":"b"}},"credentials":{"a":{"agent":"x","token":"t"}},"hooks":{"clock":{"command":"x"}},"report":["json=x"]}',
    ],
    async read(text) {
      await inFile("config.json", text, (file) => readConfig(file, { B: "b" })).catch(rethrowUnlessReported);
      await inFile("config.yaml", text, (file) => readConfig(file, { B: "b" }));
    },
    slow: 10,
  },
  {
    name: "manifests",
    samples: () => [
      readFileSync(
        join(
          writeSet([{ path: "sample/1.0/note/valid.json", document: "note", tests: [vector({ id: "a" })] }]),
          "MANIFEST.json",
        ),
        "utf8",
      ),
    ],
    read: (text) => inFile("MANIFEST.json", text, () => loadVectors({ name: "sample", version: "1.0" }, folder)),
    slow: 4,
  },
  {
    name: "schemas",
    samples: () => [
      '{"$id":"https://a.example/s","$schema":"https://json-schema.org/draft/2020-12/schema","$defs":{"a":{"$anchor":"x","type":"string"}},"properties":{"p":{"$ref":"#/$defs/a"},"q":{"$ref":"#x"}},"allOf":[{"$dynamicRef":"#y"}]}',
    ],
    read: (text) => inFile("schema.json", text, (file) => loadSchemas({ schema: file })),
    slow: 20,
  },
  ...recordedProtocols.map((each): Reader => {
    const judge = fileValidator({ protocol: each.name, trace: true });
    return {
      name: `recordings of ${each.name}`,
      samples: () => sessionsOf(each).map((lines) => lines.map((line) => JSON.stringify(line)).join("\n")),
      read: (text) => inFile("trace.jsonl", text, judge),
      slow: 4,
    };
  }),
  {
    name: "responses that may contain a secret",
    samples: () => ['{"a":"Bearer%20abcdefghij","b":["\\u0061bc","&#97;bc"]}'],
    read: (text) => createHider(["abcdefghij"]).texts([text]),
    slow: 4,
  },
];

async function inFile<T>(name: string, text: string, read: (file: string) => T): Promise<T> {
  const file = join(folder, name);
  writeFileSync(file, text);
  return await read(file);
}

/** Rethrows an unexpected error. An internal error is expected only for a damaged vector set. */
function rethrowUnlessReported(error: unknown): void {
  if (error instanceof TargetFailure || error instanceof TargetSkip) return;
  if (error instanceof TouchstoneError && (error.kind !== "internal" || error.hint?.startsWith("restore") === true))
    return;
  throw error;
}

function tolerateUsageErrors(work: () => unknown): void {
  try {
    work();
  } catch (error) {
    rethrowUnlessReported(error);
  }
}

describe("each reader reads any input, or reports why it cannot", () => {
  it.each(readers.map((reader) => [reader.name, reader] as const))("%s", async (_, { samples, read, slow = 1 }) => {
    const runs = numRuns > 300 ? numRuns : Math.ceil(numRuns / slow);
    await fc.assert(
      fc.asyncProperty(
        nearlyValidText(samples()),
        fc.constantFrom(200, 202, 204, 301, 400, 401, 413, 422, 500, 999),
        async (text, status) => {
          try {
            await read(text, status);
          } catch (error) {
            rethrowUnlessReported(error);
          }
        },
      ),
      { numRuns: runs, interruptAfterTimeLimit: 7_200_000, markInterruptAsFailure: true },
    );
  });
});
