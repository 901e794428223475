import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it } from "vitest";
import type { Report } from "../../../schemas/index.ts";
import { startHub } from "../../protocols/ahcp/reference/hub/start.ts";
import { touchstone } from "../process.fixture.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));

/** Finds the arguments of the replay command that is printed with the first failure. */
function replayIn(out: string): string[] {
  const [, replayLine = ""] = /replay\s+npm run -s touchstone -- (.*)/.exec(out) ?? [];
  return replayLine.split(" ");
}

it("reports messages that a lenient module wrongly accepts, saves them, and prints commands that repeat them", async () => {
  const module = join(folder, "lenient.mjs");
  writeFileSync(module, "export default (instance) => typeof instance === 'object';");
  const saveFolder = join(folder, "found");
  const targetArgs = ["ahcp", "--module", module, "--no-config"];
  const fuzzArgs = [
    "fuzz",
    ...targetArgs,
    "--document",
    "submit-ack",
    "--runs",
    "100",
    "--seed",
    "3",
    "--max-failures",
    "2",
  ];
  const { code, out, err } = await touchstone(...fuzzArgs, "--save", saveFolder);
  expect(code).toBe(1);
  expect(out).toMatch(/^Does not conform[\s\S]*expected\s+refused\n\s+got\s+accepted/);
  expect(err).toMatch(/^\d+ of 100 messages were drawn: it ends at 2 different failures \(--max-failures\)/m);
  expect(err).toContain(join(saveFolder, "ahcp/0.3/submit-ack/invalid.json"));
  const [, repeatCommand = ""] = /^(?:All of them|And .*): npm run -s touchstone -- (.*?) --verbose/m.exec(out) ?? [];
  expect(repeatCommand).toMatch(/ --seed 3 .*--runs 100 --max-failures 2 --document submit-ack$/);
  const repeatedRun = await touchstone(...repeatCommand.split(" "));
  expect([repeatedRun.code, repeatedRun.out.split("\n")[0]]).toEqual([1, out.split("\n")[0]]);
  const replayRun = await touchstone(...replayIn(out), "--report", "json");
  const report = JSON.parse(replayRun.out) as Report;
  expect([replayRun.code, report.counts.violates, report.runs[0]?.results.length]).toEqual([1, 1, 1]);
  const rerun = await touchstone("run", ...targetArgs, "--vectors", saveFolder);
  expect([rerun.code, /2 of 4 conform, 2 violate/.test(rerun.out)]).toEqual([1, true]);
});

it("finds a broken rule of a live hub by a random walk, shrinks the walk, and repeats it", async () => {
  const credentials = { a: { agent: "one", token: "token-of-one" } };
  const hub = await startHub({ credentials, variant: "breaks-AHCP-CAN-004" });
  try {
    const config = join(folder, "hub.json");
    const hook = (name: string) => ({ http: { url: `${hub.url}/operator/${name}` } });
    const hooks = { resolve: hook("resolve"), clock: hook("clock"), restart: hook("restart") };
    writeFileSync(config, JSON.stringify({ credentials, hooks }));
    const hubArgs = ["fuzz", "ahcp", "--http", hub.url, "--config", config];
    const { code, out } = await touchstone(...hubArgs, "--walks", "20", "--seed", "1", "--save", join(folder, "walks"));
    expect(code).toBe(1);
    expect(out).toMatch(/AHCP-CAN-004 MUST[\s\S]*after submit ask; cancel 0; cancel 0: its resolution_id was/);
    const savedWalk = join(folder, "walks", "walk-AHCP-CAN-004.json");
    expect(JSON.parse(readFileSync(savedWalk, "utf8")).steps).toEqual(["submit ask", "cancel 0", "cancel 0"]);
    expect(existsSync(join(folder, "walks", "MANIFEST.json"))).toBe(false);
    const runs = [
      replayIn(out),
      [...hubArgs, "--walk", savedWalk],
      [...hubArgs, "--walk", "submit ask; cancel 0; cancel 0"],
    ];
    for (const args of runs) expect([args, (await touchstone(...args)).code]).toEqual([args, 1]);
    expect((await touchstone(...hubArgs, "--walk", "submit ask; cancel 0; poll 0")).code).toBe(0);
  } finally {
    await hub.close();
    rmSync(folder, { recursive: true });
  }
});

it.each([
  [["ahcp", "--module", "x.mjs", "--walks", "1"], /only over HTTP/],
  [["agentformat", "--reference", "--walks", "1"], /agentformat has no model for random walks/],
  [["ahcp", "--reference", "--walk", "jump"], /is not a step of a walk/],
  [["ahcp", "--reference", "--path", "1"], /--path gives a message of one document, and no document is named/],
  [["ahcp", "--reference", "--path", "x"], /numbers with colons/],
])("exits with 2 for %j", async (args, message) => {
  const { code, err } = await touchstone("fuzz", ...args, "--no-config");
  expect(err).toMatch(message);
  expect(code).toBe(2);
});
