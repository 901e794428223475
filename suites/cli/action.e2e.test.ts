import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { home, type JsonObject, readYaml } from "../../schemas/index.ts";
import { onDebian, skipReason, titleWithReason } from "../base/process/lacking.fixture.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "touchstone-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

/** Replaces touchstone: records its arguments, writes two reports, and exits with the code in CODE. */
const programStub = `#!/usr/bin/env node
const { writeFileSync } = require("node:fs");
const args = process.argv.slice(2);
writeFileSync("args.json", JSON.stringify(args));
const file = (format) => args.find((arg) => arg.startsWith(format + "=")).slice(format.length + 1);
writeFileSync(file("markdown"), "# summary\\n");
writeFileSync(file("github"), "::error title=A::b\\n");
process.exit(Number(process.env.CODE));
`;

/** Replaces npm: records its calls and working folders, and installs the stub of touchstone. */
const npmStub = `#!/usr/bin/env bash
echo "$PWD: $*" >> "$RUNNER_TEMP/npm"
[ -z "$NPM_FAILS" ] || { echo "no such version" >&2; exit 1; }
[ "$1" != install ] || cd "$3" 2>/dev/null || { mkdir -p "$3" && cd "$3"; }
mkdir -p node_modules/.bin && cp "$RUNNER_TEMP/stub" node_modules/.bin/touchstone
`;

interface ActionResult {
  status: number | null;
  stdout: string;
  /** The arguments of the program, if it was called. */
  args?: string[];
  /** The calls of npm, with their folders. */
  npm: string;
}

/** Runs the action's only step with its inputs, as the runner does. */
async function runAction(
  inputs: Record<string, string>,
  extraVariables: Record<string, string> = {},
): Promise<ActionResult> {
  const file = join(home, ".github/actions/touchstone/action.yml");
  const { value } = await readYaml(readFileSync(file), file);
  const { inputs: inputDefinitions, runs } = value as {
    inputs: Record<string, { default: string }>;
    runs: { steps: JsonObject[] };
  };
  const inputVariables = Object.fromEntries(
    Object.entries(inputDefinitions).map(([name, definition]) => [name, inputs[name] ?? definition.default]),
  );
  const { run, env } = runs.steps[0] as { run: string; env: Record<string, string> };
  const stepVariables = Object.entries(env).map(([name, text]) => {
    const [, input = ""] = /^\$\{\{ inputs\.([a-z-]+) \}\}$/.exec(text) ?? [];
    return [name, inputVariables[input] as string];
  });
  expect(run).not.toContain("${{");
  write("bin/npm", npmStub);
  write("stub", programStub);
  const cwd = join(folder, "project", inputVariables["working-directory"] as string);
  mkdirSync(cwd, { recursive: true });
  const { status, stdout } = spawnSync("bash", ["--noprofile", "--norc", "-eo", "pipefail", "-c", run], {
    cwd,
    encoding: "utf8",
    env: {
      PATH: `${join(folder, "bin")}${delimiter}${process.env.PATH}`,
      CODE: "0",
      NPM_FAILS: "",
      RUNNER_TEMP: folder,
      GITHUB_WORKSPACE: join(folder, "project"),
      GITHUB_ACTION_PATH: dirname(file),
      GITHUB_OUTPUT: join(folder, "output"),
      GITHUB_STEP_SUMMARY: join(folder, "summary"),
      ...Object.fromEntries(stepVariables),
      ...extraVariables,
    },
  });
  const argsFile = join(cwd, "args.json");
  return {
    status,
    stdout,
    npm: existsSync(join(folder, "npm")) ? readFileSync(join(folder, "npm"), "utf8") : "",
    ...(existsSync(argsFile) ? { args: JSON.parse(readFileSync(argsFile, "utf8")) } : {}),
  };
}

function write(name: string, text: string): void {
  mkdirSync(dirname(join(folder, name)), { recursive: true });
  writeFileSync(join(folder, name), text);
  chmodSync(join(folder, name), 0o755);
}

const reports = ["terminal", ...["github=", "markdown=", "html=", "json="].map((each) => expect.stringMatching(each))];
const defaultArgs = ["--fail-on", "must", "--quiet", ...reports.flatMap((report) => ["--report", report])];

const missingTool = skipReason(spawnSync("bash", ["--version"]).status === 0, "bash", onDebian("bash"));

describe.skipIf(missingTool !== undefined)(titleWithReason("the action", missingTool), () => {
  it("passes its inputs to touchstone without executing them, and exits with the code of the run", async () => {
    write("project/node_modules/.bin/touchstone", programStub);
    expect(await runAction({})).toMatchObject({ status: 0, args: ["run", ...defaultArgs], npm: "" });
    const inputs = {
      protocol: "ahcp",
      target: '--command "python3 my adapter.py"',
      options: "--only '$(touch x)' --seed 7",
      baseline: "k.json",
    };
    const { status, args, stdout } = await runAction(inputs, { CODE: "1" });
    expect({ status, args }).toEqual({
      status: 1,
      args: [
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
        ...defaultArgs,
      ],
    });
    expect(stdout).toBe("::error title=A::b\n");
    expect(readFileSync(join(folder, "summary"), "utf8")).toBe("# summary\n# summary\n");
    expect(readFileSync(join(folder, "output"), "utf8")).toContain(`report=${folder}/touchstone`);
  });

  it("installs the version locked at the root of a workspace", async () => {
    write("project/package-lock.json", '{ "packages": { "node_modules/touchstone": { "version": "1.2.3" } } }');
    const result = await runAction({ "working-directory": "packages/hub", version: "9.9.9" });
    expect(result).toMatchObject({ status: 0, args: ["run", ...defaultArgs], npm: `${folder}/project: ci\n` });
  });

  it("installs the given version outside the project if the project has none", async () => {
    write("project/package-lock.json", '{ "packages": { "node_modules/other": {} } }');
    const result = await runAction({ version: "1.2.3" });
    expect(result).toMatchObject({ status: 0, args: ["run", ...defaultArgs] });
    expect(result.npm).toMatch(/^\S+: install --prefix \S+ .* touchstone@1\.2\.3\n$/);
    expect(existsSync(join(folder, "project/node_modules"))).toBe(false);
  });

  it.each([
    ["no version", {}, {}, 2, "which version"],
    ["a tag instead of a version", { version: "latest" }, {}, 2, "has to be one"],
    ["a range", { version: "^1.2.3" }, {}, 2, "has to be one"],
    ["a failed installation", { version: "1.2.3" }, { NPM_FAILS: "1" }, 4, "could not be installed"],
  ])("reports an error for %s, and does not exit with 1", async (_name, inputs, variables, status, text) => {
    const result = await runAction(inputs, variables);
    expect(result).toMatchObject({ status, stdout: expect.stringMatching(new RegExp(`^::error title=.*${text}`)) });
    expect(result.args).toBeUndefined();
  });

  it("exits with 4 if the locked version cannot be installed", async () => {
    write("project/package-lock.json", '{ "packages": { "node_modules/touchstone": {} } }');
    expect(await runAction({ version: "1.2.3" }, { NPM_FAILS: "1" })).toMatchObject({
      status: 4,
      npm: expect.stringMatching(/ ci\n$/),
    });
  });
});
