import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { mustContain, type NewcomerRun } from "./newcomer.ts";

const schema = {
  type: "object",
  required: ["id", "count"],
  properties: { id: { type: "string", pattern: "^ORD-[0-9]{3}$" }, count: { type: "integer", minimum: 1, maximum: 9 } },
  additionalProperties: false,
};

/** A server with a fault: it accepts a count of ten, although the maximum is nine. */
const server = `
import { createServer } from "node:http";

const isOrder = ({ id, count, ...more }) =>
  typeof id === "string" && /^ORD-[0-9]{3}$/.test(id) &&
  Number.isInteger(count) && count >= 1 && count <= 10 && Object.keys(more).length === 0;
const server = createServer(async (request, response) => {
  let isFine = false;
  try {
    isFine = isOrder(JSON.parse(Buffer.concat(await request.toArray()).toString()));
  } catch {}
  response.writeHead(request.url === "/orders" ? (isFine ? 201 : 422) : 404).end();
});
server.listen(0, "127.0.0.1", () => console.log(server.address().port));
`;

/** Follows the steps of a user with a schema, a server and the package. */
export async function walkThroughOwnPack(project: string, run: NewcomerRun): Promise<void> {
  const touchstone = (args: readonly string[], expected = 0): string => run("npx", ["touchstone", ...args], expected);
  mkdirSync(project, { recursive: true });
  writeFileSync(join(project, "order.schema.json"), JSON.stringify(schema));
  writeFileSync(join(project, "server.mjs"), server);
  const child: ChildProcess = spawn(process.execPath, ["server.mjs"], {
    cwd: project,
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    const lines = createInterface({ input: child.stdout as NonNullable<typeof child.stdout> });
    const [port] = (await once(lines, "line")) as [string];
    const initOutput = touchstone(["init", "--schema", "order.schema.json", "--http", `http://127.0.0.1:${port}`]);
    mustContain(initOutput, "assertions are isolated", "vectors of order conform", "npx touchstone run");
    const runOutput = touchstone(["run"], 1);
    mustContain(
      runOutput,
      "#/properties/count/maximum",
      "order/1/order/invalid/count/above-maximum",
      "1 assertion broken",
    );
    mustContain(touchstone(["check", "./order"]), "Sound");
  } finally {
    child.kill();
    await once(child, "exit");
  }
}
