import { describe, expect, it } from "vitest";
import { type CallContext, programOf, renameProgram } from "./program.ts";

const installed = "/shop/node_modules/touchstone";

function callContext(more: Partial<CallContext> & { files?: string[] }): CallContext {
  const { files = [`${installed}/package.json`], ...others } = more;
  const file = `${installed}/dist/suites/base/text/program.js`;
  const defaults = {
    file,
    home: installed,
    folder: "/shop",
    environment: {},
    exists: (path: string) => files.includes(path),
  };
  return { ...defaults, ...others };
}

const userAgent = (name: string) => ({ npm_config_user_agent: `${name}/9.1.0 npm/? node/v20.19.0 linux x64` });

describe("programOf", () => {
  it.each<[where: string, CallContext, called: string]>([
    ["a project with npm", callContext({ environment: userAgent("npm") }), "npx touchstone"],
    ["a folder of that project", callContext({ folder: "/shop/packages/hub" }), "npx touchstone"],
    ["a project with pnpm", callContext({ environment: userAgent("pnpm") }), "pnpm exec touchstone"],
    ["a project with yarn", callContext({ environment: userAgent("yarn") }), "yarn touchstone"],
    [
      "a project with pnpm, called directly",
      callContext({ files: [`${installed}/package.json`, "/shop/pnpm-lock.yaml"] }),
      "pnpm exec touchstone",
    ],
    ["no project, by npx", callContext({ files: [], environment: userAgent("npm") }), "npx touchstone"],
    ["no project, by pnpm", callContext({ files: [], environment: userAgent("pnpm") }), "pnpm dlx touchstone"],
    ["no project, on the path", callContext({ files: [] }), "touchstone"],
    [
      "the clone",
      callContext({ file: "/c/suites/base/text/program.ts", home: "/c", folder: "/c" }),
      "npm run -s touchstone --",
    ],
    [
      "the clone, compiled to be run there",
      callContext({
        file: "/c/node_modules/.cache/touchstone/compiled/1/suites/base/text/program.js",
        home: "/c",
        folder: "/c",
      }),
      "npm run -s touchstone --",
    ],
    [
      "another folder than the clone",
      callContext({ file: "/my c/suites/base/text/program.ts", home: "/my c", folder: "/shop" }),
      "'/my c/node_modules/.bin/tsx' '/my c/suites/cli/main.ts'",
    ],
  ])("in %s", (_, where, callOf) => expect(programOf(where)).toBe(callOf));
});

describe("renameProgram", () => {
  it("replaces our name in commands by the actual call, and leaves prose and other calls alone", () => {
    const called = (verb: string) => `npm run -s touchstone -- ${verb}`;
    expect(renameProgram("see `touchstone list rules`, or touchstone run --help")).toBe(
      `see \`${called("list rules")}\`, or ${called("run --help")}`,
    );
    const others =
      "npx touchstone run; npm run -s touchstone -- run; a touchstone running; .touchstone run; touchstone is";
    expect(renameProgram(others)).toBe(others);
  });
});
