import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A small MCP server as a command, on plain JSON lines. `code` adds behaviour: it may set `on.METHOD = (message) => …` and use `say(value)`, `print(text)`, `answer(message, result)`, `refuse(message, text)`, `fail(message, code, text)`, and the list `tools`. */
export interface McpFixture {
  command(code?: string): string;
  remove(): void;
}

const server = `
import { createInterface } from "node:readline";
const print = (text) => process.stdout.write(text), say = (value) => print(JSON.stringify(value) + "\\n");
const answer = ({ id }, result) => say({ jsonrpc: "2.0", id, result });
const fail = ({ id }, code, message) => say({ jsonrpc: "2.0", id, error: { code, message } });
const text = (text) => ({ content: [{ type: "text", text }] });
const refuse = (message, words) => answer(message, { ...text(words), isError: true });
const info = { protocolVersion: "2025-06-18", capabilities: { tools: { listChanged: true } }, serverInfo: { name: "fixture", version: "1" } };
const points = { type: "array", minItems: 2, maxItems: 4, items: { type: "integer" } };
const tools = [
  { name: "draw_line", inputSchema: { type: "object", properties: { points }, required: ["points"] } },
  { name: "set_title", inputSchema: { type: "object", properties: { title: { type: "string", maxLength: 20 } }, required: ["title"], additionalProperties: false } },
  { name: "count", inputSchema: { type: "object", properties: { of: { type: "string" } } },
    outputSchema: { type: "object", properties: { count: { type: "integer", minimum: 0 } }, required: ["count"] } },
];
const isText = (value) => typeof value === "string", size = (value) => [...value].length;
/** What is wrong with the input of each tool, if anything. */
const wrong = {
  draw_line: ({ points }) => !Array.isArray(points) ? "points must be array"
    : points.length < 2 ? "points must NOT have fewer than 2 items" : points.length > 4 ? "points must NOT have more than 4 items"
    : points.every(Number.isInteger) ? undefined : "points must be integer",
  set_title: ({ title, ...more }) => !isText(title) || size(title) > 20 ? "title must be string of at most 20"
    : Object.keys(more).length > 0 ? "must NOT have additional properties" : undefined,
  count: ({ of = "" }) => isText(of) ? undefined : "of must be string",
};
const result = { draw_line: () => text("drawn"), set_title: () => text("set"), count: () => ({ ...text("1"), structuredContent: { count: 1 } }) };
const on = {
  initialize: (message) => answer(message, info),
  "tools/list": (message) => answer(message, { tools }),
  "tools/call": (message) => {
    const { name, arguments: input } = message.params;
    if (wrong[name] === undefined) return fail(message, -32602, "Unknown tool: " + name);
    const why = wrong[name](input);
    if (why === undefined) answer(message, result[name](input)); else refuse(message, "Input validation error: " + why);
  },
};
`;

/** Creates servers for tests in a temporary folder. */
export function mcpFixture(): McpFixture {
  const folder = mkdtempSync(join(tmpdir(), "mcp-server-"));
  let serverCount = 0;
  return {
    command(code = "") {
      const file = join(folder, `${++serverCount}.mjs`);
      writeFileSync(
        file,
        `${server}${code}
        createInterface({ input: process.stdin }).on("line", (line) => { const message = JSON.parse(line); on[message.method]?.(message); });`,
      );
      return `"${process.execPath}" "${file}"`;
    },
    remove: () => rmSync(folder, { recursive: true }),
  };
}
