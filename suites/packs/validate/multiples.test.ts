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
/** Divided by 0.01 in binary, none of these is a whole number. */
const prices = [19.99, 1.15, 4.35, 0.29];
const cents = "must be multiple of 0.01";

async function wrongAnswer(amount: number): Promise<string | undefined> {
  const answers = [{ status: "200", type: "application/json", document: "price" }];
  const endpoint = { method: "POST", path: "/", described: { answers, rule: "PRICE-ANSWER-001" } } as Endpoint;
  const body = JSON.stringify({ amount });
  const headers = { "content-type": "application/json" };
  const found = await answerJudge(protocol).breach({ status: 200, headers, body } as never, endpoint);
  return found?.message;
}

describe("prices under multipleOf 0.01", () => {
  it("are judged in decimal by validate, and reported in the usual words", async () => {
    for (const amount of prices) expect(await validate(protocol, "price", { amount })).toEqual([]);
    const [found] = await validate(protocol, "price", { amount: 19.995 });
    expect(found).toMatchObject({
      at: "/amount",
      why: `is 19.995, and ${cents}`,
      site: `${schema.$id}#/properties/amount/multipleOf`,
    });
    const { findings } = await fileValidator({ protocol: folder })(`${folder}/price.json`);
    expect(findings).toEqual([]);
  });

  it("are judged in decimal by references", async () => {
    const judge = await judgeFor(protocol);
    for (const amount of prices) expect(judge(price, { amount })).toEqual([]);
    expect(judge(price, { amount: 0.005 })).toMatchObject([{ keyword: "multipleOf", message: cents }]);
  });

  it("are accepted in answers over HTTP and in results over MCP, but 19.995 is not", async () => {
    const output = await outputJudges(protocol)(schema.$id);
    const result = (amount: number) => output({ structuredContent: { amount } })?.message;
    for (const amount of prices) expect([await wrongAnswer(amount), result(amount)]).toEqual([undefined, undefined]);
    expect(await wrongAnswer(19.995)).toContain(`/amount: ${cents}`);
    expect(result(19.995)).toContain(`/amount ${cents}`);
  });

  it("fail no target when they are drawn at random", async () => {
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
