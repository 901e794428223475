import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { home, type JsonObject, readYaml } from "../../schemas/index.ts";

const folder = mkdtempSync(join(tmpdir(), "touchstone-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** Stands for the program: tells its words, and ends as it is told to. */
const stub = `#!/usr/bin/env node
const { writeFileSync } = require("node:fs");
const words = process.argv.slice(2);
writeFileSync("words.json", JSON.stringify(words));
const summary = words.find((word) => word.startsWith("markdown="));
writeFileSync(summary.slice("markdown=".length), "# summary\\n");
process.exit(Number(process.env.CODE));
`;

/** Runs the one step of the action with its inputs, as the runner does. */
async function action(
  inputs: Record<string, string>,
  code: number,
): Promise<{ status: number | null; words: string[] }> {
  const file = join(home, ".github/actions/touchstone/action.yml");
  const { value } = await readYaml(readFileSync(file), file);
  const { inputs: declared, runs } = value as {
    inputs: Record<string, { default: string }>;
    runs: { steps: JsonObject[] };
  };
  const given = Object.fromEntries(
    Object.entries(declared).map(([name, each]) => [name, inputs[name] ?? each.default]),
  );
  const { run, env } = runs.steps[0] as { run: string; env: Record<string, string> };
  const filled = Object.entries(env).map(([name, text]) => {
    const [, input = ""] = /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(text) ?? [];
    return [name, given[input] as string];
  });
  expect(run).not.toContain("${{");
  const { status, stderr } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
    cwd: folder,
    encoding: "utf8",
    env: {
      ...{ PATH: process.env.PATH, CODE: String(code), RUNNER_TEMP: folder },
      ...{ GITHUB_OUTPUT: join(folder, "output"), GITHUB_STEP_SUMMARY: join(folder, "summary") },
      ...Object.fromEntries(filled),
    },
  });
  expect(stderr).toBe("");
  return { status, words: JSON.parse(readFileSync(join(folder, "words.json"), "utf8")) };
}

it("passes the inputs on, word by word and none of them executed, and ends as the run does", async () => {
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  writeFileSync(join(folder, "node_modules/.bin/touchstone"), stub);
  chmodSync(join(folder, "node_modules/.bin/touchstone"), 0o755);
  const reports = ["terminal", ...["markdown=", "html=", "json="].map((each) => expect.stringMatching(each))];
  const always = ["--fail-on", "must", "--quiet", ...reports.flatMap((each) => ["--report", each])];
  expect(await action({}, 0)).toEqual({ status: 0, words: ["run", ...always] });
  const inputs = {
    protocol: "ahcp",
    target: '--command "python3 my adapter.py"',
    options: "--only '$(touch x)' --seed 7",
    baseline: "k.json",
  };
  expect(await action(inputs, 1)).toEqual({
    status: 1,
    words: [
      "run",
      "ahcp",
      "--command",
      "python3 my adapter.py",
      "--only",
      "$(touch x)",
      "--seed",
      "7",
      "--baseline",
      "k.json",
      ...always,
    ],
  });
  expect(readFileSync(join(folder, "summary"), "utf8")).toBe("# summary\n# summary\n");
  expect(readFileSync(join(folder, "output"), "utf8")).toContain(`report=${folder}/touchstone`);
});
