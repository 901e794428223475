import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";
import { home } from "../../../schemas/index.ts";

/** Starts a process that plays one scenario against a server that answers everything except /hangs, and then prints the outcomes. */
function playInProcess(play: string, endAfterMs?: number): { status: number | null; output: string; errors: string } {
  const program = `
    import { createServer } from "node:http";
    import { protocolNamed } from ${JSON.stringify(join(home, "schemas/index.ts"))};
    import { playScenarios } from ${JSON.stringify(join(home, "suites/running/scenarios/run.ts"))};
    const server = createServer((request, response) => request.url === "/hangs" || response.end("{}"));
    await new Promise((done) => server.listen(0, "127.0.0.1", done));
    const url = "http://127.0.0.1:" + server.address().port;
    const get = (path) => ({ method: "GET", path });
    const play = ${play};
    const scenario = { name: "story", says: "says", rules: ["AHCP-VER-002"], needs: [], withinMs: 60000, play };
    const signal = ${endAfterMs === undefined ? "undefined" : `AbortSignal.timeout(${endAfterMs})`};
    const run = { protocol: protocolNamed("ahcp"), scenarios: [scenario], setting: { url }, seed: 1, signal };
    const results = await playScenarios(run);
    await new Promise((done) => setTimeout(done, 50));
    console.log("outcomes:", results.map(({ outcome }) => outcome).join());
    process.exit(0);`;
  const nodeArguments = ["--import", "tsx", "--input-type=module", "--eval", program];
  const { status, stdout, stderr } = spawnSync(process.execPath, nodeArguments, { cwd: home, encoding: "utf8" });
  return { status, output: stdout.trim(), errors: stderr };
}

it.each([
  [
    "a request that is still open at the end of its scenario",
    `async (context) => {
      void context.send(get("/hangs"));
      await context.send(get("/"));
      context.expect("AHCP-VER-002", true, "");
    }`,
    undefined,
    "conforms",
  ],
  [
    "a function that was waiting for a request when the run was aborted",
    `async (context) => {
      void (async () => void (await context.send(get("/hangs"))))();
      await context.send(get("/hangs"));
    }`,
    200,
    "",
  ],
])("keeps the results despite %s", (_, play, endAfterMs, outcomes) => {
  expect(playInProcess(play, endAfterMs)).toEqual({ status: 0, output: `outcomes: ${outcomes}`.trim(), errors: "" });
});

it("lets any other unhandled rejection end the process", () => {
  const play = `async (context) => {
    void Promise.reject(new TypeError("a mistake of the scenario"));
    await context.send(get("/"));
  }`;
  const { status, output, errors } = playInProcess(play);
  expect({ status, output }).toEqual({ status: 1, output: "" });
  expect(errors).toContain("a mistake of the scenario");
});
