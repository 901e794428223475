import { describe, expect, it } from "vitest";
import { commandLine } from "../../results/command-line.ts";
import { optionsOf, type RunCall } from "../../results/options.ts";
import { parseCommandLine } from "./shell-line.ts";

const http = {
  kind: "http",
  url: "http://127.0.0.1:1/a b'c",
  headers: { "X-Key": "hush", Authorization: "Bearer hush" },
  endpoints: { message: '/in "box"\\=1' },
} as const;

const calls: RunCall[] = [
  { protocol: "ahcp", target: http, timeoutMs: 100, vectors: "my set", scenarios: true, config: "hub.yaml" },
  { protocol: "all", target: { kind: "module", file: "./my hub.js" }, config: false },
  { protocol: "snap@0.1", target: { kind: "command", command: "node -e 'it'\"s\" $HOME `x`" } },
  { verb: "challenge", protocol: "ahcp", target: { kind: "reference", variant: "accept-all" }, seed: 1, runs: 10 },
  { verb: "fuzz", protocol: "ahcp", target: { kind: "reference" }, walk: "submit ask; cancel 0" },
  { program: "npm run -s touchstone --", verb: "agent", protocol: "ahcp", target: { ...http, headers: {} } },
];

describe("the command line in an old report", () => {
  it.each(calls)("is read as the options of its run: %j", (call) => {
    const { headers = [], ...target } = optionsOf(call).target as { headers?: string[] };
    const expectedOptions = { ...optionsOf(call), target: { ...target, ...(headers.length === 0 ? {} : { headers }) } };
    expect(parseCommandLine(commandLine(call))).toEqual(expectedOptions);
    expect(JSON.stringify(expectedOptions)).not.toContain("hush");
  });

  it.each(["", "make test", "npx touchstone run", "npx touchstone run ahcp", "npx touchstone list vectors"])(
    "is not read if it is %j",
    (line) => expect(parseCommandLine(line)).toBeUndefined(),
  );
});
