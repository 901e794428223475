import { mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { documentNamed, type Endpoint, type Json, readPack } from "../../../schemas/index.ts";
import { examinerFor } from "../../running/fuzz/oracle.ts";
import { answerJudge } from "../../targets/http/answer-judge.ts";
import { outputJudges } from "../../targets/mcp/output.ts";
import { ruled } from "../pack/load.ts";
import { judgeFor } from "../reference/validator.ts";
import { fileValidator } from "./file.ts";
import { validate } from "./validate.ts";

const schema = {
  $schema: "https://json-schema.org/draft/2020-12/schema",
  $id: "schema:/price.schema.json",
  type: "object",
  properties: { amount: { type: "number", multipleOf: 0.01 } },
};
const folder = realpathSync(mkdtempSync(join(tmpdir(), "touchstone-")));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(join(folder, "profile.json"), JSON.stringify({ documents: [{ file: "price.schema.json" }] }));
writeFileSync(join(folder, "price.schema.json"), JSON.stringify(schema));
writeFileSync(join(folder, "price.json"), '{"amount": 19.99}\n');
const protocol = readPack(folder);
const price = documentNamed(protocol, "price");
/** None of these divided by 0.01 is a whole number in binary floating point. */
const prices = [19.99, 1.15, 4.35, 0.29];
const message = "must be multiple of 0.01";

async function answerFault(amount: number): Promise<string | undefined> {
  const answers = [{ status: "200", type: "application/json", document: "price" }];
  const endpoint = { method: "POST", path: "/", described: { answers, rule: "PRICE-ANSWER-001" } } as Endpoint;
  const body = JSON.stringify({ amount });
  const headers = { "content-type": "application/json" };
  const breach = await answerJudge(protocol).breach({ status: 200, headers, body } as never, endpoint);
  return breach?.message;
}

describe("prices under multipleOf 0.01", () => {
  it("are judged in decimal by validate, with the usual error message", async () => {
    for (const amount of prices) expect(await validate(protocol, "price", { amount })).toEqual([]);
    const [violation] = await validate(protocol, "price", { amount: 19.995 });
    expect(violation).toMatchObject({
      at: "/amount",
      why: `is 19.995, and ${message}`,
      site: `${schema.$id}#/properties/amount/multipleOf`,
    });
    const { findings } = await fileValidator({ protocol: folder })(`${folder}/price.json`);
    expect(findings).toEqual([]);
  });

  it("are judged in decimal by reference implementations", async () => {
    const judge = await judgeFor(protocol);
    for (const amount of prices) expect(judge(price, { amount })).toEqual([]);
    expect(judge(price, { amount: 0.005 })).toMatchObject([{ keyword: "multipleOf", message }]);
  });

  it("are judged in decimal in HTTP answers and in MCP results", async () => {
    const output = await outputJudges(protocol)(schema.$id);
    const resultMessage = (amount: number) => output({ structuredContent: { amount } })?.message;
    for (const amount of prices)
      expect([await answerFault(amount), resultMessage(amount)]).toEqual([undefined, undefined]);
    expect(await answerFault(19.995)).toContain(`/amount: ${message}`);
    expect(resultMessage(19.995)).toContain(`/amount ${message}`);
  });

  it("are never used as invalid messages by the fuzzer", async () => {
    const examine = await examinerFor(await ruled(protocol), price);
    for (const amount of prices) {
      const data: Json = { amount };
      expect(examine({ source: "valid", data }, "1").valid).not.toBe(false);
      const faulty = {
        source: "faulty",
        data,
        site: `${schema.$id}#/properties/amount/multipleOf`,
        via: [],
        change: [],
      };
      expect(examine({ ...faulty, at: "/amount", fault: "multiple" } as never, "2").valid).toBeUndefined();
    }
  });
});
