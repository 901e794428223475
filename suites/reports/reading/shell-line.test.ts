import { describe, expect, it } from "vitest";
import { commandLine } from "../../results/command-line.ts";
import { optionsOf, type RunCall } from "../../results/options.ts";
import { optionsIn } from "./shell-line.ts";

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

describe("the shell line of an older report", () => {
  it.each(calls)("gives the options of its run: %j", (called) => {
    const { headers = [], ...target } = optionsOf(called).target as { headers?: string[] };
    const named = { ...optionsOf(called), target: { ...target, ...(headers.length === 0 ? {} : { headers }) } };
    expect(optionsIn(commandLine(called))).toEqual(named);
    expect(JSON.stringify(named)).not.toContain("hush");
  });

  it.each(["", "make test", "npx touchstone run", "npx touchstone run ahcp", "npx touchstone list vectors"])(
    "gives nothing if it is %j",
    (line) => expect(optionsIn(line)).toBeUndefined(),
  );
});
