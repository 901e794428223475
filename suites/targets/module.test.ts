import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Document, home, type Json, type Protocol, type Question, type Target } from "../../schemas/index.ts";
import { capabilitiesOfShapes } from "./claims.ts";
import { moduleTarget } from "./module.ts";
import { answerOf } from "./observations.fixture.ts";

const documents = ["note", "reply"].map(
  (name): Document => ({
    name,
    title: name,
    schema: `https://example.test/${name}.schema.json`,
    file: `${name}.schema.json`,
    standalone: true,
    role: "entry",
  }),
);
const [note, reply] = documents as [Document, Document];
const protocol = {
  name: "notes",
  version: "1.0",
  folder: "",
  rules: [],
  schemas: documents.map(({ schema }) => ({ $id: schema })),
  profile: { protocol: "notes", version: "1.0", documents },
} as unknown as Protocol;

let folder: string;
let target: Target;
beforeAll(() => {
  // Inside the package, so that a module finds the libraries that it imports.
  folder = mkdtempSync(join(home, "node_modules", ".targets-"));
});
afterAll(() => rmSync(folder, { recursive: true }));
afterEach(() => target.close());

let moduleCount = 0;
async function openModule(source: string, extension = "mjs"): Promise<Target> {
  const file = join(folder, `${++moduleCount}.${extension}`);
  writeFileSync(file, source);
  target = moduleTarget(file);
  await target.open(protocol);
  return target;
}
const expectOpening = (source: string, extension?: string) => expect(openModule(source, extension)).rejects;
const question = (data: Json, document = note): Question => ({ document, data, keep: [], seed: 1 });
const check = (data: Json, document = note) =>
  Promise.resolve(target.check(question(data, document), AbortSignal.timeout(30_000))).then(answerOf);

it("announces YAML to a reader of text, and does not mention it otherwise", async () => {
  await openModule("export const text = true; export default (_, context) => context.yaml === true;");
  const questionWith = { document: note, text: "a: 1", keep: [], seed: 1 };
  const signal = AbortSignal.timeout(30_000);
  expect((await target.check({ ...questionWith, yaml: true }, signal)).verdict).toBe("accepted");
  expect((await target.check(questionWith, signal)).verdict).toBe("rejected");
});

it("explains the expected form of a file that is not a module", async () => {
  await expectOpening("{}", "json").toThrow(
    /expected a module of JavaScript or TypeScript \(\.mjs, \.js, \.ts\) that exports a function, got a file \.json/,
  );
  await expectOpening("text", "txt").toThrow(/got a file \.txt/);
});

const ajv = JSON.stringify(createRequire(import.meta.url).resolve("ajv/dist/2020.js"));

describe("a default export may be", () => {
  it("a validator of Ajv, with its errors", async () => {
    await openModule(`import { Ajv2020 } from ${ajv};
      export default new Ajv2020({ allErrors: true }).compile({ type: "object", required: ["a"], properties: { b: { type: "string" } } });`);
    expect(await check({ a: 1 })).toEqual({ verdict: "accepted", reasons: [] });
    expect((await check({ b: 1 })).reasons).toEqual([
      { at: "", keyword: "required", site: "#/required", message: "must have required property 'a'" },
      { at: "/b", keyword: "type", site: "#/properties/b/type", message: "must be string" },
    ]);
  });

  it.each([
    ["valibot", `import * as v from "valibot"; export default v.object({ a: v.array(v.string()) });`],
    ["zod", `import { z } from "zod"; export default z.object({ a: z.array(z.string()) });`],
  ])("a Standard Schema: %s", async (_name, source) => {
    await openModule(source);
    expect(target.assumes).toEqual(capabilitiesOfShapes);
    expect((await check({ a: ["x"] })).verdict).toBe("accepted");
    const refusedAnswer = await check({ a: ["x", 1] });
    expect(refusedAnswer).toMatchObject({ verdict: "rejected", reasons: [{ at: "/a/1" }] });
    expect(refusedAnswer.reasons[0]).not.toHaveProperty("code");
  });

  it("Standard Schemas by document name without a default export, as generate accepts them", async () => {
    await openModule(`import { z } from "zod";
      export const Note = z.string();
      export const orderLine = z.number();
      export const helper = () => true;`);
    expect([(await check("x")).verdict, (await check(1)).verdict]).toEqual(["accepted", "rejected"]);
    expect(target.skips(question(1, reply))).toMatchObject({ why: "there is no validator for reply" });
  });

  it("validators by document name or schema id; other documents are skipped", async () => {
    await openModule(`export default { note: () => true };`);
    expect(target.assumes).toBe(undefined);
    expect(target.skips(question(1))).toBeUndefined();
    expect(target.skips(question(1, reply))).toMatchObject({ why: "there is no validator for reply" });
    await target.close();
    await openModule(`export default new Map([["${reply.schema}", () => false]]);`);
    expect(await check(1, reply)).toEqual({ verdict: "rejected", reasons: [] });
  });

  it("validators by document name, but not with an unknown name if a document has no validator", async () => {
    await expectOpening("export default { note: () => true, replys: () => true };").toMatchObject({
      kind: "usage",
      what: 'it has a validator for "replys", which is not a document of notes',
      hint: 'did you mean "reply"? the documents of notes: note, reply',
    });
    // Each document has a validator, or the name may belong to a different schema or protocol.
    for (const declaration of ["reply: judge, other: judge", '"https://example.test/part": judge', "message: judge"])
      await openModule(`const judge = () => true; export default { note: judge, ${declaration} };`).then(() =>
        target.close(),
      );
  });

  it("an asynchronous function, even if it never answers some questions", async () => {
    await openModule(`export default async (instance, { document, schema, protocol, version, schemas }) => {
      if (instance === "never") return new Promise(() => {});
      return { valid: false, errors: [[document, schema, protocol, version, schemas.length].join(" ")] };
    };`);
    const neverAnswer = Promise.resolve(target.check(question("never"), AbortSignal.timeout(150))).then(answerOf);
    const otherAnswer = check("now");
    expect((await otherAnswer).reasons).toEqual([{ message: `note ${note.schema} notes 1.0 2` }]);
    await expect(neverAnswer).rejects.toMatchObject({ outcome: "timed-out" });
  });

  it("CommonJS, even when compiled from TypeScript", async () => {
    await openModule(`module.exports = (instance) => instance === 1;`, "cjs");
    expect((await check(1)).verdict).toBe("accepted");
    await target.close();
    await openModule(`exports.__esModule = true; exports.name = "compiled"; exports.default = () => true;`, "cjs");
    expect(target.name).toBe("compiled");
    expect((await check(1)).verdict).toBe("accepted");
  });

  it("TypeScript, if tsx is installed", async () => {
    await openModule(
      `export const name: string = "typed"; export default (instance: unknown): boolean => instance === 1;`,
      "ts",
    );
    expect(target.name).toBe("typed");
    expect((await check(2)).verdict).toBe("rejected");
  });

  it("TypeScript, but not CommonJS that imports ES modules: the error gives advice", async () => {
    const text = `import canonicalize from "canonicalize"; export default (given: unknown) => canonicalize(given) === "1";`;
    await expectOpening(text, "ts").toThrow(/it is CommonJS.*end its name in \.mts, or say "type": "module"/);
    await openModule(text, "mts");
    expect((await check(1)).verdict).toBe("accepted");
  });
});

describe("a module's description of itself", () => {
  it("contains claims and a name", async () => {
    await openModule(`export const claims = ["semantic"]; export const name = "mine"; export default () => true;`);
    expect(target.claims).toEqual(["semantic"]);
    expect(target.name).toBe("mine");
  });

  it("may say that it accepts text, and then it gets only text", async () => {
    await openModule(`export const text = true;
      export default (given) => ({ valid: false, errors: [given instanceof Uint8Array ? [...given].join() : typeof given + " " + given] });`);
    expect((await check({ a: "x" })).reasons).toEqual([{ message: 'string {"a":"x"}' }]);
    const raw = { document: note, keep: [], seed: 1 };
    expect(target.skips({ ...raw, text: "{" })).toBeUndefined();
    const signal = AbortSignal.timeout(30_000);
    expect((await target.check({ ...raw, text: "{" }, signal)).reasons).toEqual([{ message: "string {" }]);
    const bytes = await target.check({ ...raw, bytes: Buffer.from([0xff, 0x7b]) }, signal);
    expect(bytes.reasons).toEqual([{ message: "255,123" }]);
  });

  it("is reported if its claims have a typo", async () => {
    await expectOpening(`export const claims = ["sematic"]; export default () => true;`).toThrow(
      /claims "sematic", which is not a capability[\s\S]*did you mean "semantic"/,
    );
  });
});

describe("failures of a module", () => {
  it("a result that is not an answer is shown", async () => {
    await openModule(`export default (instance) => instance.give;`);
    await expect(check({ give: "yes" })).rejects.toMatchObject({ stage: "answer", message: /returned 'yes'/ });
    await expect(check({})).rejects.toMatchObject({ stage: "answer", message: /returned undefined/ });
    await expect(check({ give: { ok: true } })).rejects.toMatchObject({ message: /returned \{ ok: true \}/ });
  });

  it("an error names the thrown value and its place", async () => {
    await openModule(`export default (instance) => instance.a.b;`);
    await expect(check({})).rejects.toMatchObject({
      stage: "crash",
      message: expect.stringMatching(/threw TypeError: Cannot read.*\.mjs:1/),
    });
  });

  it("an error outside of any question is reported with the output before it", async () => {
    await openModule(`export default (instance) => {
      if (instance !== 1) return true;
      console.log("about to\\u001b fall");
      setTimeout(() => { throw new Error("later"); });
      return new Promise(() => {});
    };`);
    await expect(check(1)).rejects.toMatchObject({
      stage: "crash",
      message: expect.stringMatching(/later.*it printed last: about to\\u\{1b\} fall/),
    });
    expect((await check(2)).verdict).toBe("accepted");
  });

  it("an instance too deep to be copied fails alone", async () => {
    await openModule(`export default () => true;`);
    const deepArray = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
    const [deepAnswer, fineAnswer] = await Promise.allSettled([check(deepArray), check(1)]);
    expect(deepAnswer).toMatchObject({ reason: { kind: "unavailable", stage: "send" } });
    expect(fineAnswer).toMatchObject({ value: { verdict: "accepted" } });
  });

  it.each([
    ["a missing file", undefined, /there is no file/],
    [
      "an error while it is imported",
      `throw new RangeError("at once");`,
      /cannot use this module: RangeError: at once/,
    ],
    ["a syntax error", `export default (`, /cannot use this module: SyntaxError[^(]*\(at [^)]*:1\)/],
    ["an exit while it is imported", `process.exit(3);`, /ended its process: exit code 3/],
    ["no default export", `export const validate = () => true;`, /not a validator \(it exports validate\)/],
    ["a default export of another kind", `export default { note: 7 };`, /is not a validator/],
    [
      "documents of another protocol",
      `export default { task: () => true };`,
      /has no validator for a document of notes, only for task/,
    ],
  ])("opening fails for %s", async (_name, source, message) => {
    target = moduleTarget(join(folder, "absent.mjs"));
    const opening = source === undefined ? target.open(protocol) : openModule(source);
    await expect(opening).rejects.toMatchObject({ name: "TouchstoneError", kind: "target" });
    await expect(opening).rejects.toThrow(message);
  });

  it("a folder is refused with the expected form", async () => {
    target = moduleTarget(folder);
    await expect(target.open(protocol)).rejects.toThrow(/is a folder\n.*path of a module/);
  });
});
