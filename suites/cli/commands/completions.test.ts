import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { builtInPacks } from "../../../schemas/index.ts";
import { onDebian, skipReason, titleWithReason } from "../../base/process/lacking.fixture.ts";
import { cli } from "../cli.ts";
import { commands } from "../commands.ts";

const scripts: Record<string, string> = {};
/** All commands except former names, which are kept only for compatibility. */
const shownCommands = commands.filter(({ replacedBy }) => replacedBy === undefined);

beforeAll(async () => {
  for (const shell of ["bash", "zsh", "fish"]) {
    let out = "";
    vi.spyOn(process.stdout, "write").mockImplementation((chunk) => {
      out += chunk;
      return true;
    });
    expect(await cli(["completions", shell])).toBe(0);
    scripts[shell] = out;
    vi.restoreAllMocks();
  }
});
afterEach(() => vi.restoreAllMocks());

/** Returns the completions that bash offers for these arguments. */
function completionsFor(...args: string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
  writeFileSync(join(folder, "touchstone.bash"), scripts.bash as string);
  writeFileSync(join(folder, "here.json"), "");
  // Replaces the program, and shows its arguments.
  writeFileSync(join(folder, "touchstone"), '#!/bin/sh\nfor word in "$@"; do printf "%s," "$word"; done\n', {
    mode: 0o755,
  });
  const program = `set -u; PATH="$PWD:$PATH"; source ./touchstone.bash; COMP_WORDS=(touchstone "$@"); COMP_CWORD=$#; _touchstone; printf '%s\\n' "\${COMPREPLY[@]-}"`;
  const { stdout, stderr } = spawnSync("bash", ["-c", program, "bash", ...args], { cwd: folder, encoding: "utf8" });
  rmSync(folder, { recursive: true });
  expect(stderr).toBe("");
  return stdout.trim().split("\n");
}

const missingTool = skipReason(spawnSync("bash", ["--version"]).status === 0, "bash", onDebian("bash"));

describe.skipIf(missingTool !== undefined)(titleWithReason("in bash", missingTool), () => {
  it.each<[line: string, offer: string[]]>([
    ["compl", ["completions"]],
    ["run sn", ["snap"]],
    ["run --repor", ["--report"]],
    ["run snap --module her", ["here.json"]],
    ["run snap --fail-on s", ["should"]],
    ["run snap --timeout ", [""]],
    ["run snap --only x --ref", ["--reference"]],
    ["list var", ["variants"]],
    ["list variants --protocol agentf", ["agentformat"]],
    ["baseline upd", ["update"]],
    ["baseline update here", ["here.json"]],
    ["report rend", ["render"]],
    ["report render --verb", ["--verbose"]],
    ["report diff --verb", [""]],
    ["completions z", ["zsh"]],
  ])("completes touchstone %s", (commandLine, expected) =>
    expect(completionsFor(...commandLine.split(" "))).toEqual(expected),
  );

  it.each([
    ["serve ahcp --variant bre", "list,variants,--names,--protocol,ahcp,--begins,bre,"],
    ["fuzz snap --document ev", "list,documents,--names,--protocol,snap,--begins,ev,"],
    ["run --only AHCP", "list,rules,--names,--protocol,all,--begins,AHCP,"],
    ["replay ahcp/0.3/me", "list,vectors,--names,--protocol,ahcp,--begins,ahcp/0.3/me,"],
    ["replay ah", "ahcp/"],
  ])("calls touchstone list for the names that complete touchstone %s", (line, call) =>
    expect(completionsFor(...line.split(" "))).toContain(call),
  );

  it("offers every command and every protocol", () => {
    expect(completionsFor("")).toEqual([...shownCommands.map(({ name }) => name), "--help", "--version"]);
    expect(completionsFor("run", "")).toEqual([...builtInPacks.map(({ name }) => name), "all"]);
  });
});

describe("in other shells", () => {
  it("completes every command and its options, with quoted descriptions", () => {
    for (const { name } of shownCommands) {
      expect(scripts.zsh).toMatch(new RegExp(`^    '${name}:`, "m"));
      expect(scripts.fish).toContain(`-n __fish_use_subcommand -f -a ${name} -d '`);
    }
    expect(scripts.zsh).toContain(
      "'*--fail-on[lowest requirement level that makes the run fail\\: must, should or may (default\\: must)]:level:(must should may)'",
    );
    expect(scripts.fish).toMatch(/__fish_seen_subcommand_from run' -l fail-on -x -a 'must should may' -d '/);
    expect(scripts.fish).toMatch(/__fish_seen_subcommand_from run' -f -a 'ahcp .* all'/);
  });

  it("closes every quote", () => {
    for (const line of [...(scripts.zsh ?? "").split("\n"), ...(scripts.fish ?? "").split("\n")]) {
      const withoutEscapes = line.replaceAll("'\\''", "").replaceAll("\\'", "");
      expect((withoutEscapes.match(/'/g)?.length ?? 0) % 2, line).toBe(0);
    }
  });
});

it("rejects an unknown shell", async () => {
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  expect(await cli(["completions", "tcsh"])).toBe(2);
});
