import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { commandLine } from "./command-line.ts";
import { replay } from "./replay.ts";

/** What a shell makes of a command: its words. */
function words(command: string): string[] {
  return execFileSync("sh", ["-c", `for word in ${command}; do printf '%s\\n' "$word"; done`], {
    encoding: "utf8",
    env: { AUTHORIZATION: "Bearer from-environment" },
  })
    .trimEnd()
    .split("\n");
}

it("says that no configuration is wanted, which might leave out the very vector", () => {
  const said = commandLine({ protocol: "ahcp", target: { kind: "reference" }, config: false });
  expect(said).toBe("npx touchstone run ahcp --reference --no-config");
});

describe("commandLine", () => {
  it("names the target and what else a repetition needs", () => {
    const target = { kind: "module", file: "./my hub.js" } as const;
    expect(commandLine({ protocol: "ahcp", target })).toBe("npx touchstone run ahcp --module './my hub.js'");
    expect(words(commandLine({ protocol: "all", target, seed: 7, timeoutMs: 100, vectors: "v" })).slice(2)).toEqual([
      "run",
      "all",
      "--module",
      "./my hub.js",
      "--seed",
      "7",
      "--timeout",
      "100",
      "--vectors",
      "v",
    ]);
    expect(commandLine({ protocol: "snap", target: { kind: "reference", variant: "accept-all" } })).toMatch(
      /run snap --reference --variant accept-all$/,
    );
  });

  it("keeps what a shell would take apart together", () => {
    const command = "node -e 'it'\"s\" $HOME `x`";
    expect(words(commandLine({ protocol: "ahcp", target: { kind: "command", command } })).at(-1)).toBe(command);
  });

  it("names the paths that were given", () => {
    const target = { kind: "http", url: "http://127.0.0.1:1", endpoints: { message: "/in box" } } as const;
    expect(words(commandLine({ protocol: "ahcp", target })).slice(-2)).toEqual(["--endpoint", "message=/in box"]);
  });

  it("leaves secrets to the environment", () => {
    const headers = { Authorization: "Bearer hush" };
    const line = commandLine({
      protocol: "ahcp",
      target: { kind: "http", url: "http://me:hush@localhost:1/v1", headers },
    });
    expect(line).not.toContain("hush");
    expect(words(line).slice(-3)).toEqual([
      "http://localhost:1/v1",
      "--header",
      "Authorization: Bearer from-environment",
    ]);
  });
});

describe("replay", () => {
  it("asks for one vector of its own protocol", () => {
    const line = replay("npm run -s touchstone -- run all --reference", "aaep", "aaep/1.0/x/invalid/it's*");
    expect(words(line).slice(5)).toEqual(["run", "aaep", "--reference", "--only", "aaep/1.0/x/invalid/it's*"]);
    expect(replay("npx touchstone run all --reference", "aaep", "a/b")).toBe(
      "npx touchstone run aaep --reference --only a/b",
    );
  });

  it.each([
    ["ahcp/0.3/message/invalid/fuzz/7/12:0:3", " --document message --path 12:0:3"],
    ["ahcp/0.3/scenarios/walk-8/AHCP-CAN-004", " --walks 1 --path 8"],
    ["ahcp/0.3/scenarios/race-keys/AHCP-IDM-007", " --walks 1"],
  ])("leads to what was drawn at random: %s", (id, way) => {
    const target = { kind: "reference" } as const;
    const command = commandLine({ verb: "fuzz", protocol: "all", target, seed: 7 });
    expect(replay(command, "ahcp", id)).toBe(`npx touchstone fuzz ahcp --reference --seed 7${way}`);
  });
});
