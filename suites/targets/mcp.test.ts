import { afterAll, afterEach, describe, expect, it } from "vitest";
import type { Document, JsonObject, Protocol, Target } from "../../schemas/index.ts";
import { type McpFixture, mcpFixture } from "./mcp.fixture.ts";
import { mcpTarget } from "./mcp.ts";
import { answerOf } from "./observations.fixture.ts";

const fixture: McpFixture = mcpFixture();
let target: Target;
afterEach(() => target.close());
afterAll(() => fixture.remove());

const documentOf = (name: string, tool: Document["tool"]): Document => ({
  name,
  title: name,
  schema: `https://example.test/${name}`,
  file: `${name}.json`,
  standalone: true,
  role: "entry",
  ...(tool === undefined ? {} : { tool }),
});
const lineDocument = documentOf("draw-line", { name: "draw_line" });
const countDocument = documentOf("count", { name: "count", output: "https://example.test/count.result" });
const otherDocument = documentOf("other", undefined);
const protocol = {
  name: "mcp",
  version: "1",
  schemas: [
    { $id: lineDocument.schema },
    { $id: countDocument.schema },
    {
      $id: "https://example.test/count.result",
      $schema: "https://json-schema.org/draft/2020-12/schema",
      type: "object",
      properties: { count: { type: "integer", minimum: 0 } },
      required: ["count"],
    },
  ],
  profile: { documents: [lineDocument, countDocument, otherDocument] },
  rules: [],
} as unknown as Protocol;

const targetWith = (code = "", tools: string[] = ["*"]): Target => {
  target = mcpTarget({ server: fixture.command(code), tools });
  return target;
};
const ask = async (data: JsonObject, document = lineDocument, signal = AbortSignal.timeout(60_000)) =>
  Promise.resolve(target.check({ document, data, keep: [], seed: 1 }, signal)).then(answerOf);
const failureOf = async (
  data: JsonObject,
  document = lineDocument,
): Promise<{ stage: string; message: string; outcome: string }> => {
  const failure = await ask(data, document).then(
    () => undefined,
    (error: unknown) => error,
  );
  expect(failure).toMatchObject({ kind: "unavailable" });
  return failure as { stage: string; message: string; outcome: string };
};
const validData = { points: [1, 2] };

describe("an answer", () => {
  it("is accepted, or refused by an error result", async () => {
    await targetWith().open(protocol);
    expect(await ask(validData)).toEqual({ verdict: "accepted", reasons: [] });
    expect(await ask({ points: [1] })).toMatchObject({
      verdict: "rejected",
      reasons: [{ code: "isError", message: "Input validation error: points must NOT have fewer than 2 items" }],
    });
  });

  it("is refused by the error of invalid parameters", async () => {
    await targetWith(`on["tools/call"] = (message) => fail(message, -32602, "no");`).open(protocol);
    expect(await ask(validData)).toMatchObject({ verdict: "rejected", reasons: [{ code: -32602, message: "no" }] });
  });

  it("contains the locations from a list of issues", async () => {
    const issues = JSON.stringify([{ code: "too_small", path: ["points"], message: "Too small" }]);
    await targetWith(`on["tools/call"] = (message) => refuse(message, ${JSON.stringify(`no: ${issues}`)});`).open(
      protocol,
    );
    expect((await ask(validData)).reasons[1]).toEqual({ at: "/points", message: "Too small" });
  });

  it.each([
    ["internal-error", `fail(message, -32603, "broken")`, /error -32603, which is not a refusal.*broken/],
    ["answer", `fail(message, -32000, "busy")`, /error -32000/],
    ["unknown-tool", `fail(message, -32602, "Unknown tool: draw_line")`, /does not know it/],
    ["unknown-tool", `refuse(message, "MCP error -32602: Tool draw_line not found")`, /does not know it/],
    ["crash", `process.exit(3)`, /exited with code 3/],
    ["protocol", `print("Traceback\\n")`, /not a JSON-RPC message: Traceback/],
    ["protocol", `answer({ id: 99 }, {})`, /an answer to no open question/],
    ["protocol", `answer({ id: String(message.id) }, {})`, /an answer to no open question/],
    ["protocol", `print("x".repeat(17 * 2 ** 20))`, /a line of more than 16 MiB/],
    [
      "protocol",
      `for (let i = 0; i < 10001; i += 1) say({ jsonrpc: "2.0", method: "notifications/message", params: {} })`,
      /10000 messages and no answer/,
    ],
  ])("fails with stage %s for: %s", async (stage, code, message) => {
    await targetWith(`on["tools/call"] = (message) => { ${code} };`).open(protocol);
    const failure = await failureOf(validData);
    expect([failure.outcome, failure.stage]).toEqual(["errored", stage]);
    expect(failure.message).toMatch(message);
  });

  it("times out if the server hangs, and the next call reaches a new server", async () => {
    await targetWith(`const call = on["tools/call"]; on["tools/call"] = (message) => {
      if (message.params.arguments.hang) for (;;); else call(message);
    };`).open(protocol);
    const hangingFailure = await ask({ hang: true }, lineDocument, AbortSignal.timeout(300)).catch(
      (error: unknown) => error,
    );
    expect((hangingFailure as { outcome: string }).outcome).toBe("timed-out");
    expect((await ask(validData)).verdict).toBe("accepted");
  });
});

it("reports a server that exits after some answers, although every call is answered", async () => {
  await targetWith(`let left = 2; const call = on["tools/call"]; on["tools/call"] = (message) => {
    call(message);
    if (--left === 0) setImmediate(() => process.exit(3));
  };`).open(protocol);
  expect(target.lost?.()).toBeUndefined();
  for (let callCount = 0; callCount < 5; callCount += 1) expect((await ask(validData)).verdict).toBe("accepted");
  expect(target.lost?.()).toEqual({ times: 2, last: expect.stringContaining("exited with code 3") });
});

describe("a result", () => {
  it.each([
    ["fits", "({ structuredContent: { count: 0 } })", undefined],
    ["has no structured content", "({ content: [] })", /promises structuredContent/],
    [
      "violates it",
      "({ structuredContent: { count: -1 } })",
      /not as its outputSchema says: \/count must be >= 0, in \{ count: -1 \}/,
    ],
  ])("that %s is judged by the outputSchema", async (_, content, breach) => {
    await targetWith(`result.count = () => ${content};`).open(protocol);
    const answer = await ask({}, countDocument);
    expect(answer.verdict).toBe("accepted");
    if (breach === undefined) expect(answer.breach).toBeUndefined();
    else expect(answer.breach?.message).toMatch(breach);
  });

  it("that is an error need not have structured content", async () => {
    await targetWith(`on["tools/call"] = (message) => refuse(message, "not today");`).open(protocol);
    expect(await ask({}, countDocument)).toMatchObject({
      verdict: "rejected",
      reasons: [{ code: "isError", message: "not today" }],
    });
  });
});

describe("the allowed tools", () => {
  it("are the only tools that are called", async () => {
    await targetWith("", ["draw_line"]).open(protocol);
    const skips = (document: Document, data: JsonObject | undefined = validData) =>
      target.skips({ document, ...(data === undefined ? { text: "{" } : { data }), keep: [], seed: 1 });
    expect(skips(lineDocument)).toBeUndefined();
    expect(skips(countDocument)).toMatchObject({ why: expect.stringMatching(/the tool count is not allowed/) });
    expect(skips(otherDocument)).toMatchObject({ why: expect.stringMatching(/input of no tool/) });
    expect(target.skips({ document: lineDocument, text: "{", keep: [], seed: 1 })).toMatchObject({
      why: expect.stringMatching(/raw text has no place/),
    });
    expect(skips(lineDocument, JSON.parse('{"a":[{"__proto__":1}]}'))).toMatchObject({
      why: expect.stringMatching(/__proto__ is dropped by the SDK of most servers/),
    });
    expect(target.skips({ document: lineDocument, data: [], keep: [], seed: 1 })).toMatchObject({
      why: expect.stringMatching(/object by the protocol/),
    });
  });

  it.each([
    [[], /no tool is allowed/],
    [["set_title"], /no tool is allowed/],
  ])("%j without a known tool are a usage error", async (tools, message) => {
    const opening = targetWith("", tools).open(protocol);
    await expect(opening).rejects.toMatchObject({ kind: "usage", message: expect.stringMatching(message) });
  });
});

describe("a list of tools", () => {
  it.each([
    ["is not a list", `{ tools: 5 }`, /page 1 has no array "tools"/],
    ["has a tool without a name", `{ tools: [{}] }`, /a tool without a name/],
    ["lists a tool twice", `{ tools: [...tools, ...tools] }`, /"?draw_line"? is listed twice/],
    ["repeats a cursor", `{ tools: [], nextCursor: "again" }`, /repeats the cursor again, so the list never ends/],
    ["has no end", `{ tools: [], nextCursor: String(message.id) }`, /more than 200 pages/],
    ["lacks the tool", `{ tools: [] }`, /no longer lists the tool draw_line/],
  ])("that %s ends the run", async (_, result, message) => {
    const opening = targetWith(`on["tools/list"] = (message) => answer(message, ${result});`).open(protocol);
    await expect(opening).rejects.toMatchObject({ kind: "target", message: expect.stringMatching(message) });
  });

  it("is read over several pages", async () => {
    await targetWith(`on["tools/list"] = (message) => answer(message, message.params?.cursor === "2"
      ? { tools: tools.slice(1) } : { tools: tools.slice(0, 1), nextCursor: "2" });`).open(protocol);
    expect((await ask({}, countDocument)).verdict).toBe("accepted");
  });

  const withDigest = (digest: string): Protocol => ({
    ...protocol,
    profile: { ...protocol.profile, documents: [documentOf("draw-line", { name: "draw_line", digest })] },
  });

  it("that differs from the vectors' list is reported", async () => {
    const opening = targetWith().open(withDigest(`sha256-${"0".repeat(64)}`));
    await expect(opening).rejects.toMatchObject({
      message: expect.stringMatching(/changed the schemas of.*draw_line/),
    });
  });

  it("that changes during the run ends the run, but a mere notification does not", async () => {
    await targetWith(`const call = on["tools/call"]; on["tools/call"] = (message) => {
      if (message.params.arguments.change) tools.shift();
      say({ jsonrpc: "2.0", method: "notifications/tools/list_changed" });
      call(message);
    };`).open(protocol);
    expect((await ask(validData)).verdict).toBe("accepted");
    expect((await ask(validData)).verdict).toBe("accepted");
    await ask({ ...validData, change: true });
    await expect(ask(validData)).rejects.toThrow(/no longer lists the tool draw_line/);
  });
});

describe("a server that does not start", () => {
  it.each([
    ["exit 3", /could not be reached: it exited with code 3/],
    ["echo hello", /not a JSON-RPC message: hello/],
    ["http://127.0.0.1:1/mcp", /could not be reached/],
  ])("%s is reported", async (command, message) => {
    target = mcpTarget({ server: command, tools: ["*"] });
    await expect(target.open(protocol)).rejects.toMatchObject({
      kind: "target",
      message: expect.stringMatching(message),
    });
  });
});
