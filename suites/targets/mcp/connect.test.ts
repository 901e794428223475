import { expect, it } from "vitest";
import { countListeners } from "../../base/process/abort.ts";
import { connect } from "./connect.ts";
import type { McpServer } from "./server.ts";

const node = JSON.stringify(process.execPath);
/** Answers each request with the result for `initialize`. */
const initializeScript = `process.stdin.on("data", (lines) => {
  for (const line of String(lines).split("\\n").filter(Boolean)) {
    const { id, params } = JSON.parse(line);
    const result = { protocolVersion: params?.protocolVersion, capabilities: {}, serverInfo: { name: "s", version: "1" } };
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: "2.0", id, result }));
  }
});`;
const listeners = { lost: () => {}, changed: () => {} };
const server = (text: string): McpServer => ({ server: `${node} -e '${text}'` }) as McpServer;

it("removes its listeners from the run's signal when a server ends, fails or is killed", async () => {
  const { signal } = new AbortController();
  for (let start = 0; start < 2; start++) {
    await expect(connect(server("process.exit(3)"), listeners, signal)).rejects.toThrow(/could not be reached/);
    expect(countListeners(signal)).toBe(0);
    const connection = await connect(server(initializeScript), listeners, signal);
    expect([connection.name, countListeners(signal)]).toEqual(["s", 1]);
    connection.kill();
    expect(countListeners(signal)).toBe(0);
  }
});
