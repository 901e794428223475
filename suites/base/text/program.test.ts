import { describe, expect, it } from "vitest";
import { type CallStanding, programOf, renameProgram } from "./program.ts";

const installed = "/shop/node_modules/touchstone";

function standing(more: Partial<CallStanding> & { files?: string[] }): CallStanding {
  const { files = [`${installed}/package.json`], ...others } = more;
  const file = `${installed}/dist/suites/base/text/program.js`;
  const usual = {
    file,
    home: installed,
    folder: "/shop",
    environment: {},
    isThere: (path: string) => files.includes(path),
  };
  return { ...usual, ...others };
}

const agent = (name: string) => ({ npm_config_user_agent: `${name}/9.1.0 npm/? node/v20.19.0 linux x64` });

describe("programOf", () => {
  it.each<[where: string, CallStanding, called: string]>([
    ["a project with npm", standing({ environment: agent("npm") }), "npx touchstone"],
    ["a folder of that project", standing({ folder: "/shop/packages/hub" }), "npx touchstone"],
    ["a project with pnpm", standing({ environment: agent("pnpm") }), "pnpm exec touchstone"],
    ["a project with yarn", standing({ environment: agent("yarn") }), "yarn touchstone"],
    [
      "a project with pnpm, called directly",
      standing({ files: [`${installed}/package.json`, "/shop/pnpm-lock.yaml"] }),
      "pnpm exec touchstone",
    ],
    ["no project, by npx", standing({ files: [], environment: agent("npm") }), "npx touchstone"],
    ["no project, by pnpm", standing({ files: [], environment: agent("pnpm") }), "pnpm dlx touchstone"],
    ["no project, on the path", standing({ files: [] }), "touchstone"],
    [
      "the clone",
      standing({ file: "/c/suites/base/text/program.ts", home: "/c", folder: "/c" }),
      "npm run -s touchstone --",
    ],
    [
      "the clone, compiled to be run there",
      standing({
        file: "/c/node_modules/.cache/touchstone/compiled/1/suites/base/text/program.js",
        home: "/c",
        folder: "/c",
      }),
      "npm run -s touchstone --",
    ],
    [
      "another folder than the clone",
      standing({ file: "/my c/suites/base/text/program.ts", home: "/my c", folder: "/shop" }),
      "'/my c/node_modules/.bin/tsx' '/my c/suites/cli/main.ts'",
    ],
  ])("in %s", (_, where, called) => expect(programOf(where)).toBe(called));
});

describe("asCalled", () => {
  it("puts the actual call into commands, and leaves prose and other calls alone", () => {
    const called = (verb: string) => `npm run -s touchstone -- ${verb}`;
    expect(renameProgram("see `touchstone list rules`, or touchstone run --help")).toBe(
      `see \`${called("list rules")}\`, or ${called("run --help")}`,
    );
    const others =
      "npx touchstone run; npm run -s touchstone -- run; a touchstone running; .touchstone run; touchstone is";
    expect(renameProgram(others)).toBe(others);
  });
});
