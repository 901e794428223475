import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import { type AddressInfo, connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { example } from "../../../schemas/index.ts";
import { gatherChunks } from "../../base/process/chunks.ts";
import { createKeyPair } from "../../publishing/certify/key.ts";
import { serveUi } from "../../reports/ui/server.ts";
import { createLineReader } from "../../targets/command/lines.ts";
import { runOnce } from "./calls.fixture.ts";
import type { Attack } from "./row.fixture.ts";

const kind = "files and connections without end" as const;
let cachedFolder: string | undefined;

function folder(): string {
  if (cachedFolder !== undefined) return cachedFolder;
  cachedFolder = mkdtempSync(join(tmpdir(), "touchstone-"));
  const newFolder = cachedFolder;
  process.on("exit", () => rmSync(newFolder, { recursive: true, force: true }));
  symlinkSync("/dev/zero", join(newFolder, "zero.json"));
  symlinkSync("/dev/urandom", join(newFolder, "random.json"));
  execFileSync("mkfifo", [join(newFolder, "pipe.json")]);
  writeFileSync(join(newFolder, "sparse.json"), "");
  truncateSync(join(newFolder, "sparse.json"), 2 ** 42);
  symlinkSync("circle.json", join(newFolder, "circle.json"));
  symlinkSync("/dev/zero", join(newFolder, "zero"));
  writeFileSync(join(newFolder, "plain.json"), '{"type":"string"}');
  writeFileSync(join(newFolder, "large.json"), "");
  truncateSync(join(newFolder, "large.json"), 500 * 2 ** 20);
  const keyPair = createKeyPair();
  writeFileSync(join(newFolder, keys.certify), keyPair.privateKey);
  writeFileSync(join(newFolder, keys.verify), keyPair.publicKey);
  const manyObjects = "{},".repeat(9_000_000);
  writeFileSync(join(newFolder, "many.json"), `[${manyObjects}{}]`);
  writeFileSync(join(newFolder, "many.yaml"), "- {a: 1, b: [x, y]}\n".repeat(250_000));
  writeFileSync(join(newFolder, "many.jsonl"), "{}\n".repeat(260_000));
  return newFolder;
}

/** The keys of a signer, which a command reads before the signed file. */
const keys = { certify: "k.pem", verify: "k.pub.pem" };

const readers: Record<string, (file: string) => string[]> = {
  "report render": (file) => ["report", "render", file],
  "report diff": (file) => ["report", "diff", file, file],
  "baseline check": (file) => ["baseline", "check", file, file],
  "replay --from": (file) => ["replay", "a/1/b/valid/c", "--from", file],
  verify: (file) => ["verify", file, "--key", keys.verify],
  certify: (file) => ["certify", file, "--name", "a", "--release", "1", "--key", keys.certify],
  validate: (file) => ["validate", file],
  "run --config": (file) => ["run", "--config", file],
};

/** The memory that a command may need to refuse a file. */
const maxGrowth = 300 * 2 ** 20;

/** Runs a command that must refuse its file without reading all of it. Reports a wrong exit code, and too much memory. */
async function checkRefusal(args: readonly string[], mustLimitMemory = true): Promise<string[]> {
  const memoryBefore = process.memoryUsage().rss;
  const { code, output } = await runOnce(folder(), ...args);
  const growth = process.memoryUsage().rss - memoryBefore;
  return [
    ...(code === 2 ? [] : [`it ended with ${code}: ${output.slice(0, 200)}`]),
    ...(!mustLimitMemory || growth < maxGrowth ? [] : [`it needed ${Math.round(growth / 2 ** 20)} MiB`]),
  ];
}

const fileRows = Object.entries(readers).flatMap(([command, argsOf], commandIndex) =>
  ["zero.json", "random.json", "pipe.json", "sparse.json"].map(
    (file, fileIndex): Attack => ({
      kind,
      name: `${command} of ${file}`,
      play: () => checkRefusal(argsOf(file)),
      ...((commandIndex + fileIndex) % 2 === 0 ? {} : { isLarge: true as const }),
    }),
  ),
);

/** Files that need many times their size in memory, just above the size limit. */
const largeFileRows = Object.entries({
  ...readers,
  "validate --trace": (file: string) => ["validate", "--trace", file],
})
  .flatMap(([command, argsOf]) => ["large.json", "many.json"].map((file) => [command, argsOf(file), file] as const))
  .concat([
    ["validate", ["validate", "many.yaml"], "many.yaml"],
    ["validate --trace", ["validate", "--trace", "many.jsonl"], "many.jsonl"],
  ])
  .map(
    ([command, args, file], index): Attack => ({
      kind,
      name: `${command} of ${file}, which is too large`,
      async play() {
        const { code, output } = await runOnce(folder(), ...args);
        const isExplained = /at most|more than/.test(output);
        return code === 2 && isExplained ? [] : [`it ended with ${code}: ${output.slice(0, 200)}`];
      },
      ...(index % 6 === 0 ? {} : { isLarge: true as const }),
    }),
  );

/** Commands that are given other unreadable files. */
const oddCommands: [command: string, words: (file: string) => string[]][] = [
  ["lint", (file) => ["lint", file, "--unguarded"]],
  ["compare", (file) => ["compare", file, "plain.json", "--unguarded"]],
  ["coverage", (file) => ["coverage", file, "--schema", "plain.json", "--unguarded"]],
  ["run --config", (file) => ["run", "--config", file]],
  ["explain --config", (file) => ["explain", "A-1", "--config", file]],
  ["fuzz --walk", (file) => ["fuzz", example.protocol, "--reference", "--walk", file, "--unguarded"]],
  ["list", (file) => ["list", "rules", "--protocol", file]],
  ["run", (file) => ["run", file]],
];
const oddFileRows = oddCommands.flatMap(([command, argsOf]) =>
  ["circle.json", "zero", "zero.json", "pipe.json", "sparse.json", "large.json", "n".repeat(300)].map(
    (file, fileIndex): Attack => ({
      kind,
      name: `${command}, given ${file.length > 100 ? "a file name that is too long" : file}`,
      play: () => checkRefusal(argsOf(file), !/list|fuzz|config|coverage/.test(command)),
      ...(fileIndex % 3 === 0 ? {} : { isLarge: true as const }),
    }),
  ),
);

/** Schemas that refer to themselves by a name that is resolved when they are applied. */
const circles: Record<string, object> = {
  "a dynamic reference": { $dynamicAnchor: "n", $dynamicRef: "#n", type: "object" },
  "a dynamic reference in a choice": { $dynamicAnchor: "n", anyOf: [{ $dynamicRef: "#n" }, { type: "string" }] },
  "a dynamic reference through another reference": {
    $dynamicAnchor: "n",
    allOf: [{ $ref: "#/$defs/a" }],
    $defs: { a: { not: { $dynamicRef: "#n" } } },
  },
  "a recursive reference": {
    $schema: "https://json-schema.org/draft/2019-09/schema",
    $recursiveAnchor: true,
    allOf: [{ $recursiveRef: "#" }],
  },
};
const circleRows = Object.entries(circles).flatMap(([shape, schema], shapeIndex) =>
  ["generate", "lint", "compare"].map(
    (command, commandIndex): Attack => ({
      kind,
      name: `${command} of ${shape} that leads back to itself`,
      async play() {
        const file = `${shapeIndex}-${commandIndex}.schema.json`;
        writeFileSync(join(folder(), file), JSON.stringify(schema));
        const argsOf = {
          generate: ["--schema", file, "--out", `${shapeIndex}-${commandIndex}`],
          lint: [file],
          compare: [file, "plain.json"],
        };
        const { code, output } = await runOnce(
          folder(),
          command,
          ...argsOf[command as keyof typeof argsOf],
          "--unguarded",
        );
        return code === 2 && /leads back to itself/.test(output)
          ? []
          : [`it ended with ${code}: ${output.slice(-300)}`];
      },
    }),
  ),
);

const otherRows: Attack[] = [
  {
    kind,
    name: "a line that arrives byte by byte",
    async play() {
      let said = "";
      const read = createLineReader((line) => (said += line));
      const bytes = gatherChunks();
      const bytesBefore = process.memoryUsage().arrayBuffers;
      for (let count = 0; count < 2000; count++) {
        const chunk = Buffer.allocUnsafeSlow(65_536).subarray(0, 1).fill(97);
        read.push(chunk);
        bytes.add(chunk);
      }
      read.push(Buffer.from("\n"));
      await new Promise((done) => setTimeout(done, 100));
      globalThis.gc?.();
      const keptBytes = process.memoryUsage().arrayBuffers - bytesBefore;
      const isSmall = globalThis.gc === undefined || keptBytes < 50 * 2 ** 20;
      return said.length === 2000 && bytes.size === 2000 && isSmall ? [] : [`${said.length} bytes, ${keptBytes} kept`];
    },
  },
  ...([0, 40, 200] as const).map(
    (count): Attack => ({
      kind,
      name: `the page of a run with ${count} idle connections`,
      async play() {
        const ui = await serveUi({ page: () => "the page", state: () => ({}), again: async () => true });
        const { port } = new URL(ui.url);
        const sockets = Array.from({ length: count }, () => connect(Number(port), "127.0.0.1").on("error", () => {}));
        try {
          await Promise.all(sockets.map((socket) => Promise.race([once(socket, "connect"), once(socket, "close")])));
          const text = await (await fetch(ui.url, { signal: AbortSignal.timeout(5000) })).text();
          return text === "the page" ? [] : [text];
        } finally {
          for (const socket of sockets) socket.destroy();
          await ui.close();
        }
      },
    }),
  ),
  {
    kind,
    name: "an answer that arrives byte by byte",
    async play() {
      const server = createServer((_, response) => {
        response.writeHead(400, { "content-type": "application/json" });
        let remaining = 300;
        const writeMore = (): void => {
          remaining -= 1;
          if (remaining === 0) response.end("}");
          else response.write(remaining === 299 ? "{" : " ", () => setImmediate(writeMore));
        };
        writeMore();
      });
      await once(server.listen(0, "127.0.0.1"), "listening");
      const { port } = server.address() as AddressInfo;
      try {
        const { Pool } = await import("undici");
        const { send } = await import("../../base/http/send.ts");
        const pool = new Pool(`http://127.0.0.1:${port}`);
        const { body } = await send(
          pool,
          { method: "GET", path: "/", headers: {}, body: "" },
          AbortSignal.timeout(10_000),
        );
        await pool.destroy();
        return body.length === 300 ? [] : [`${body.length} bytes`];
      } finally {
        server.close();
        server.closeAllConnections();
      }
    },
  },
];

export const endlessRows: readonly Attack[] = [
  ...fileRows,
  ...largeFileRows,
  ...oddFileRows,
  ...circleRows,
  ...otherRows,
];
