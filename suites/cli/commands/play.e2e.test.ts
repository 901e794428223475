import { mkdtempSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Report } from "../../../schemas/index.ts";
import { touchstone } from "../process.fixture.ts";

const onlyCancelAgain = ["--only", "ahcp/0.3/scenarios/cancel-again/AHCP-CAN-004", "--seed", "1"];

describe("touchstone play", () => {
  it("passes the reference hub, and reports the rule that a broken hub violates", async () => {
    const correctHub = await touchstone("play", "ahcp", "--reference", ...onlyCancelAgain, "--report", "json");
    expect([correctHub.code, (JSON.parse(correctHub.out) as Report).counts.conforms]).toEqual([0, 1]);
    const brokenHub = await touchstone(
      "play",
      "ahcp",
      "--side",
      "hub",
      "--reference",
      "--variant",
      "breaks-AHCP-CAN-004",
      ...onlyCancelAgain,
      "--report",
      "json",
    );
    const report = JSON.parse(brokenHub.out) as Report;
    expect([brokenHub.code, report.runs[0]?.results.map(({ rule, outcome }) => [rule, outcome])]).toEqual([
      1,
      [["AHCP-CAN-004", "violates"]],
    ]);
    expect(report.runs[0]?.target).toEqual({ kind: "reference", name: "reference, breaks-AHCP-CAN-004" });
    expect(report.options).toMatchObject({ verb: "play", side: "hub", seed: 1 });
    expect(report.command).toContain("play ahcp --reference --variant breaks-AHCP-CAN-004 --side hub --seed 1");
  });

  it("stops after --max-failures, and reports the results so far", async () => {
    const variantArgs = [
      "--reference",
      "--variant",
      "breaks-AHCP-CAN-004",
      "--only",
      "ahcp/0.3/scenarios/cancel-again",
    ];
    const { out, err, code } = await touchstone(
      "play",
      "ahcp",
      "--side",
      "hub",
      ...variantArgs,
      "--only",
      "ahcp/0.3/scenarios/cancel-foreign",
      "--max-failures",
      "1",
      "--report",
      "json",
    );
    const report = JSON.parse(out) as Report;
    expect({ code, isWhole: report.complete, violated: report.counts.violates }).toEqual({
      code: 1,
      isWhole: false,
      violated: 1,
    });
    expect(err).toContain("1 failed (--max-failures), ending with the results so far");
  });

  it("writes a report from which replay repeats a scenario", async () => {
    const file = join(mkdtempSync(join(tmpdir(), "touchstone-")), "play.json");
    await touchstone("play", "ahcp", "--reference", ...onlyCancelAgain, "--report", `json=${file}`);
    const replayRun = await touchstone("replay", onlyCancelAgain[1] as string, "--from", file);
    expect([replayRun.code, replayRun.out.split("\n")[0]]).toEqual([0, `CONFORMS  ${onlyCancelAgain[1]}`]);
  });

  it("lists the sides of a protocol and their hooks with --sides", async () => {
    const { code, out } = await touchstone("play", "ahcp", "--sides");
    expect(code).toBe(0);
    expect(out).toMatch(/^hub: one that keeps messages/);
    expect(out).toContain("  hook resolve: Lets a resolver end a message");
  });

  it("skips scenarios that wait for a clock with --no-wait, and prints how long they would take", async () => {
    const server = createServer((_, response) => response.writeHead(404).end());
    await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const args = ["play", "ahcp", "--http", url, "--no-config", "--no-wait", "--report", "json"];
    const { out, err } = await touchstone(...args, "--only", "ahcp/0.3/scenarios/expiry-never");
    server.close();
    expect(err).toContain(
      'no hook "clock": 1 scenario skipped, which would wait for 65 s more (--max-wait 65 plays all)\n',
    );
    const { counts, runs } = JSON.parse(out) as Report;
    expect(counts.skipped).toBe(runs[0]?.results.length);
    expect(runs[0]?.results[0]?.why).toBe('waits for 65 s without the hook "clock" (--max-wait)');
  });

  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  const config = join(folder, "touchstone.config.json");
  writeFileSync(config, JSON.stringify({ hooks: { resolv: { command: "true" } } }, null, 2));
  const oddConfig = join(folder, "odd.config.json");
  writeFileSync(oddConfig, JSON.stringify({ options: { preset: "apendix-b", modified_actoin: false } }, null, 2));
  it.each([
    [["play", "--no-config"], "no protocol is named"],
    [["play", "ahcp", "--no-config"], "no party is named, and no hook reaches one"],
    [["play", "ahcp", "--side", "hob", "--reference"], 'ahcp has no side "hob"'],
    [
      ["play", "aaep", "--side", "subscriber", "--reference", "--only", "AAEP-TRN-010"],
      "it is played against a producer: --side producer; ",
    ],
    [["play", "ahcp", "--side", "agent", "--no-config"], "no agent is named"],
    [["play", "ahcp", "--side", "agent", "--command", "x"], "--command cannot be used with an agent"],
    [["play", "ahcp", "--side", "agent", "--max-failures", "1"], "--max-failures cannot be used with an agent"],
    [["play", "ahcp", "--side", "agent", "--http", "http://127.0.0.1:1/cb", "--reference"], "2 parties are named"],
    [["play", "ahcp", "--http", "http://127.0.0.1:1", "--command", "true"], "2 parties are named"],
    [["play", "ahcp", "--http", "http://127.0.0.1:1", "--variant", "x"], "--variant needs --reference"],
    [["play", "ahcp", "--config", config], `${config}:3:15 (#/hooks/resolv): unknown hook "resolv"`],
    [
      ["play", "aaep", "--config", oddConfig, "--http", "http://127.0.0.1:1"],
      `${oddConfig}:3:15 (#/options/preset): it is "apendix-b"\n  did you mean "appendix-b"? it is one of "appendix-b", "examples"\n  also: #/options/modified_actoin: `,
    ],
    [["serve", "ahcp", "--side", "hob"], 'ahcp has no side "hob"'],
  ])("exits with 2 and reports the fault of %j", async (args, expected) => {
    const { code, err } = await touchstone(...args);
    expect(err).toContain(expected);
    expect(code).toBe(2);
  });
});
