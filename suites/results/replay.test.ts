import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { programName } from "../base/text/program.ts";
import { commandLine, describeCall } from "./command-line.ts";
import { replay, replayStem } from "./replay.ts";
import { reportOf } from "./sample.fixture.ts";

/** Splits a command into words, as a shell does. */
function splitWords(command: string): string[] {
  return execFileSync("sh", ["-c", `for word in ${command}; do printf '%s\\n' "$word"; done`], {
    encoding: "utf8",
    env: { AUTHORIZATION: "Bearer from-environment" },
  })
    .trimEnd()
    .split("\n");
}

it("adds --no-config if no configuration was used, because a configuration might exclude the vector", () => {
  const output = commandLine({ protocol: "ahcp", target: { kind: "reference" }, config: false });
  expect(output).toBe(`${programName()} run ahcp --reference --no-config`);
});

describe("commandLine", () => {
  it("contains the target and every option that a repetition needs", () => {
    const target = { kind: "module", file: "./my hub.js" } as const;
    expect(commandLine({ protocol: "ahcp", target })).toBe(`${programName()} run ahcp --module './my hub.js'`);
    expect(
      splitWords(commandLine({ protocol: "all", target, seed: 7, timeoutMs: 100, vectors: "v" })).slice(5),
    ).toEqual(["run", "all", "--module", "./my hub.js", "--seed", "7", "--timeout", "100", "--vectors", "v"]);
    expect(commandLine({ protocol: "snap", target: { kind: "reference", variant: "accept-all" } })).toMatch(
      /run snap --reference --variant accept-all$/,
    );
  });

  it("omits the seed for a server, which accepts no key twice, and a target that the configuration names", () => {
    const target = { kind: "http", url: "http://[::1]:8080", headers: { Authorization: "Bearer t" } } as const;
    const call = { protocol: "ahcp", target, seed: 7, config: "hub.yaml" };
    expect(commandLine(call)).toBe(
      `${programName()} run ahcp --http 'http://[::1]:8080' --header "Authorization: $AUTHORIZATION" --config hub.yaml`,
    );
    expect(commandLine({ ...call, isConfigured: true })).toBe(`${programName()} run ahcp --config hub.yaml`);
    expect(commandLine({ ...call, verb: "challenge", isConfigured: true })).toBe(
      `${programName()} challenge ahcp --seed 7 --config hub.yaml`,
    );
    expect(commandLine({ ...call, config: undefined, isConfigured: true })).toContain("--http");
    expect(describeCall({ ...call, isConfigured: true }).options).toMatchObject({ seed: 7 });
    expect(describeCall({ ...call, isConfigured: true }).options).not.toHaveProperty("isConfigured");
  });

  it("quotes words that a shell would split", () => {
    const command = "node -e 'it'\"s\" $HOME `x`";
    expect(splitWords(commandLine({ protocol: "ahcp", target: { kind: "command", command } })).at(-1)).toBe(command);
  });

  it("contains the given endpoints", () => {
    const target = { kind: "http", url: "http://127.0.0.1:1", endpoints: { message: "/in box" } } as const;
    expect(splitWords(commandLine({ protocol: "ahcp", target })).slice(-2)).toEqual(["--endpoint", "message=/in box"]);
  });

  it("leaves secrets to the environment", () => {
    const headers = { Authorization: "Bearer hush" };
    const line = commandLine({
      protocol: "ahcp",
      target: { kind: "http", url: "http://me:hush@localhost:1/v1", headers },
    });
    expect(line).not.toContain("hush");
    expect(splitWords(line).slice(-3)).toEqual([
      "http://localhost:1/v1",
      "--header",
      "Authorization: Bearer from-environment",
    ]);
  });
});

describe("replay", () => {
  it("turns the command of a run into the replay of one vector", () => {
    const line = replay("npm run -s touchstone -- run all --reference", "aaep", "aaep/1.0/x/invalid/it's*");
    expect(splitWords(line).slice(5)).toEqual(["replay", "aaep/1.0/x/invalid/it's*", "--reference"]);
    const playCommand = "npx touchstone run all --http http://[::1] --seed 7 --scenarios --config hub.yaml";
    expect(replay(playCommand, "ahcp", "ahcp/0.3/scenarios/a/B")).toBe(
      "npx touchstone replay ahcp/0.3/scenarios/a/B --http http://[::1] --seed 7 --config hub.yaml",
    );
    expect(replay("pnpm exec touchstone run './my pack' --module $x", "order", "a/b")).toBe(
      "pnpm exec touchstone replay a/b --protocol './my pack' --module $x",
    );
    expect(replay("'/a b/main.ts' run all --reference", "aaep", "a/b")).toBe("'/a b/main.ts' replay a/b --reference");
  });

  it("repeats a generated vector, or a scenario with another party, by the original command with --only", () => {
    expect(replay("npx touchstone challenge all --reference --seed 3", "aaep", "a/b")).toBe(
      "npx touchstone challenge aaep --reference --seed 3 --only a/b",
    );
    expect(replay("npx touchstone play ahcp --side hub", "ahcp", "a/b")).toBe(
      "npx touchstone play ahcp --side hub --only a/b",
    );
  });

  it("has a stem that works for every vector of a run, unless each vector needs its own command", () => {
    const stemOf = (command: string) => {
      const report = reportOf([], { command });
      return replayStem(report, report.runs[0] as (typeof report.runs)[0]);
    };
    expect(stemOf("npx touchstone run sample --module m.mjs")).toBe("npx touchstone replay --module m.mjs ");
    expect(stemOf("npx touchstone challenge sample --seed 1")).toBe("npx touchstone challenge sample --seed 1 --only ");
    expect(stemOf("npx touchstone fuzz sample --seed 1")).toBeUndefined();
    expect(stemOf("")).toBeUndefined();
  });

  it.each([
    ["ahcp/0.3/message/invalid/fuzz/7/12:0:3", " --document message --path 12:0:3"],
    ["ahcp/0.3/message/invalid/fuzz/7/12:0x99:3", " --document message --path 12:0x99:3"],
    ["ahcp/0.3/scenarios/walk-8/AHCP-CAN-004", " --walks 1 --path 8"],
    ["ahcp/0.3/scenarios/race-keys/AHCP-IDM-007", " --walks 1"],
  ])("repeats a random draw: %s", (id, drawOptions) => {
    const target = { kind: "reference" } as const;
    const command = commandLine({ verb: "fuzz", protocol: "all", target, seed: 7 });
    expect(replay(command, "ahcp", id)).toBe(`${programName()} fuzz ahcp --reference --seed 7${drawOptions}`);
  });
});
