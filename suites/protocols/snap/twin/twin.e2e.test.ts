import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { freedomsOf, protocolNamed, type Report, type TargetConfig } from "../../../../schemas/index.ts";
import { runSuite } from "../../../run/suite.ts";
import { twinTrials } from "../../../selftest/twins.ts";
import { type AgentOptions, serve } from "./agent.ts";
import { twin } from "./twin.ts";

const protocol = protocolNamed("snap");
const folder = mkdtempSync(join(tmpdir(), "touchstone-twin-"));
const entry = pathToFileURL(join(import.meta.dirname, "index.ts")).href;
afterAll(() => rmSync(folder, { recursive: true }));

const run = (target: TargetConfig, only?: string[]): Promise<Report> =>
  runSuite({ protocols: "snap", target, timeoutMs: 60_000, ...(only === undefined ? {} : { only }) });

const files = { module: "module.mts", command: "mts" } as const;

/** A module that answers as a twin does; as a command it speaks JSON lines. */
function written(kind: keyof typeof files, isStrict: boolean): string {
  const file = join(folder, `${isStrict}.${files[kind]}`);
  const judged = `import { twin } from ${JSON.stringify(entry)};
const said = async (document, text) => {
  const why = await twin.judge({ document, text: Buffer.from(text) }, () => ${isStrict});
  return { valid: why === undefined, errors: why === undefined ? [] : [{ message: why }] };
};
`;
  const asked = `export const text = true;
export default (source, { document }) => said(document, source);
`;
  const spoken = `import { createInterface } from "node:readline";
for await (const line of createInterface({ input: process.stdin })) {
  const { command, seq, document, data, text, base64 } = JSON.parse(line);
  if (command === "hello") console.log(JSON.stringify({ ready: true, name: "twin" }));
  else if (command === "stop") break;
  else {
    const source = text ?? (base64 === undefined ? JSON.stringify(data) : Buffer.from(base64, "base64"));
    console.log(JSON.stringify({ seq, ...(await said(document, source)) }));
  }
}
`;
  writeFileSync(file, judged + (kind === "module" ? asked : spoken));
  return file;
}

async function live(options: Omit<AgentOptions, "secret">, only?: string[]): Promise<Report> {
  const agent = await serve({ ...options, secret: "1d".repeat(32) });
  try {
    return await run({ kind: "http", url: agent.url, identity: agent.address }, only);
  } finally {
    await agent.close();
  }
}

const accused = ({ runs }: Report): string[] =>
  runs
    .flatMap(({ results }) => results)
    .filter(({ outcome }) => ["violates", "errored", "timed-out"].includes(outcome))
    .map(({ id, why }) => `${id}: ${why}`);

describe("the right implementation of SNAP", () => {
  it("uses each freedom of judgement that the protocol's data lists", () => {
    const listed = freedomsOf(protocol).filter(({ shows }) => shows === "judgement");
    expect([...twin.freedoms].sort()).toEqual(listed.map(({ id }) => id).sort());
  });

  it("is never accused, whichever freedoms it uses", { timeout: 600_000 }, async () => {
    const trials = await twinTrials(protocol);
    expect(trials.length).toBe(2 + 2 * twin.freedoms.length);
    expect(trials.filter((trial) => trial.accused.length > 0)).toEqual([]);
  });

  it.each([true, false])("is not accused as a command (strict: %s)", { timeout: 300_000 }, async (isStrict) => {
    const command = `node --import ${import.meta.resolve("tsx")} ${written("command", isStrict)}`;
    expect(accused(await run({ kind: "command", command }))).toEqual([]);
  });

  it.each([true, false])("is not accused as a module (strict: %s)", { timeout: 300_000 }, async (isStrict) => {
    expect(accused(await run({ kind: "module", file: written("module", isStrict) }))).toEqual([]);
  });

  it.each([true, false])("is not accused over HTTP, twice (strict: %s)", { timeout: 300_000 }, async (isStrict) => {
    for (const _ of [1, 2]) expect(accused(await live({ strict: () => isStrict }))).toEqual([]);
  });

  it("is accused where it does not verify signatures", async () => {
    const only = ["snap/0.1/envelope/semantic/SNAP-SIG-001"];
    const report = await live({ strict: (freedom) => freedom !== "offered-methods", forgets: "signature" }, only);
    expect(accused(report).length).toBeGreaterThan(5);
  });
});
