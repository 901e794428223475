import type { ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import { type } from "arktype";
import * as v from "valibot";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { type Capability, documentNamed, type Json, protocolNamed, type Run } from "../../../schemas/index.ts";
import { defineTarget } from "../../targets/define-target.ts";
import { inProcess } from "../../targets/in-process.ts";
import type { Context } from "../../targets/module/judges.ts";
import { runSuite } from "./suite.ts";

const ahcp = protocolNamed("ahcp");
const [message, response] = [documentNamed(ahcp, "message"), documentNamed(ahcp, "response")];
const ask = (data: Json, document = message) => ({ document, data, keep: [], seed: 1 });
const signal = new AbortController().signal;

describe.each([
  ["zod", z.object({ a: z.array(z.string()) })],
  ["valibot", v.object({ a: v.array(v.string()) })],
  ["arktype", type({ a: "string[]" })],
])("a Standard Schema of %s", (_name, schema) => {
  it("accepts valid data, and refuses invalid data at the place of the fault", async () => {
    const target = inProcess(defineTarget(schema));
    await target.open(ahcp);
    expect((await target.check(ask({ a: ["x"] }), signal)).verdict).toBe("accepted");
    const refusedAnswer = await target.check(ask({ a: ["x", 1] }), signal);
    expect(refusedAnswer).toMatchObject({ verdict: "rejected", reasons: [{ at: "/a/1" }] });
  });
});

describe("a target that only applies a schema", () => {
  const ajv = new Ajv2020({ strict: false, logger: false, validateFormats: false, schemas: ahcp.schemas });
  const valid = ajv.getSchema(message.schema) as ValidateFunction;
  const only = ["ahcp/0.3/message/semantic", "ahcp/0.3/message/valid/minimal"];
  const runJudge = async (judge: unknown, claims?: readonly Capability[]): Promise<Run> => {
    const target = () => inProcess(judge, claims === undefined ? {} : { claims });
    return (await runSuite({ protocols: [ahcp], target, only })).runs[0] as Run;
  };
  const askedIds = ({ results }: Run): Set<string> =>
    new Set(results.filter(({ outcome }) => outcome !== "skipped").map(({ id }) => id.split("/")[3] as string));

  it("gets no semantic vectors, and the report names the assumed claims", async () => {
    for (const judge of [valid, { message: valid }, { message: z.any() }]) {
      const run = await runJudge(judge);
      expect(askedIds(run)).toEqual(new Set(["valid"]));
      expect(run.target).toMatchObject({ assumed: ["format-assertion", "raw-text", "big-numbers"] });
    }
  });

  it("gets semantic vectors if it claims them, and so does a function, which may do more", async () => {
    expect(askedIds(await runJudge(valid, ["semantic"]))).toEqual(new Set(["valid", "semantic"]));
    expect(askedIds(await runJudge((instance: unknown) => valid(instance)))).toEqual(new Set(["valid", "semantic"]));
  });
});

describe("a target in this process", () => {
  it("judges stored vectors like any other target", async () => {
    const ajv = new Ajv2020({ strict: false, logger: false, schemas: ahcp.schemas });
    const judge = defineTarget((instance, { schema }) => {
      const valid = ajv.getSchema(schema);
      return { valid: valid?.(instance) === true, errors: valid?.errors ?? [] };
    });
    const target = () => inProcess(judge, { name: "mine" });
    const { runs, exitCode } = await runSuite({ protocols: [ahcp], target, only: ["ahcp/0.3/message/invalid/title"] });
    expect(runs[0]?.target.name).toBe("mine");
    expect(runs[0]?.counts.conforms).toBeGreaterThan(5);
    expect([exitCode, runs[0]?.counts.violates]).toEqual([0, 0]);
  });

  it("gets a copy, skips documents that it cannot judge, and errs if it throws", async () => {
    const data = { title: "x" };
    const target = inProcess({
      message(instance: unknown) {
        (instance as { title: string }).title = "y";
        throw new Error("oh");
      },
    });
    await target.open(ahcp);
    expect(target.check(ask(data), signal)).toMatchObject({ why: expect.stringMatching(/threw Error: oh/) });
    expect(data).toEqual({ title: "x" });
    expect(target.skips(ask(data, response))).toMatchObject({ why: "there is no validator for response" });
    expect(target.skips({ document: message, text: "{}", keep: [], seed: 1 })).toMatchObject({
      why: expect.stringMatching(/not JSON text/),
    });
  });

  it("waits for a validator until the time limit, and no longer", async () => {
    const target = inProcess((instance: unknown) =>
      instance === 1 ? new Promise<boolean>(() => {}) : Promise.resolve(true),
    );
    await target.open(ahcp);
    const abortAfter20 = AbortSignal.timeout(20);
    expect(await target.check(ask(1), abortAfter20)).toMatchObject({ outcome: "timed-out", stage: "answer" });
    expect(await target.check(ask(2), abortAfter20)).toMatchObject({ outcome: "timed-out" });
    expect((await target.check(ask(2), signal)).verdict).toBe("accepted");
  });

  it("gives text to a target that wants text, and refuses a value that cannot judge", async () => {
    const target = inProcess((text: unknown) => text === '{"a":1}', { text: true });
    await target.open(ahcp);
    expect((await target.check(ask({ a: 1 }), signal)).verdict).toBe("accepted");
    const yaml = inProcess((_: unknown, context: Context) => context.yaml === true, { text: true });
    await yaml.open(ahcp);
    const textQuestion = { document: message, text: "a: 1", keep: [], seed: 1 };
    expect((await yaml.check({ ...textQuestion, yaml: true }, signal)).verdict).toBe("accepted");
    expect((await yaml.check(textQuestion, signal)).verdict).toBe("rejected");
    expect(() => inProcess({ message: 1 })).toThrow(/expected a validator/);
    expect(() => inProcess(() => true, { claims: ["raw" as "raw-text"] })).toThrow(/which is not a capability/);
    await expect(inProcess({ mesage: () => true }).open(ahcp)).rejects.toThrow(/not a document of ahcp/);
  });
});
