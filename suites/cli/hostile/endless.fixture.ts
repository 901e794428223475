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
let folderMade: string | undefined;

function folder(): string {
  if (folderMade !== undefined) return folderMade;
  folderMade = mkdtempSync(join(tmpdir(), "touchstone-"));
  const ownFolder = folderMade;
  process.on("exit", () => rmSync(ownFolder, { recursive: true, force: true }));
  symlinkSync("/dev/zero", join(ownFolder, "zero.json"));
  symlinkSync("/dev/urandom", join(ownFolder, "random.json"));
  execFileSync("mkfifo", [join(ownFolder, "pipe.json")]);
  writeFileSync(join(ownFolder, "sparse.json"), "");
  truncateSync(join(ownFolder, "sparse.json"), 2 ** 42);
  symlinkSync("circle.json", join(ownFolder, "circle.json"));
  symlinkSync("/dev/zero", join(ownFolder, "zero"));
  writeFileSync(join(ownFolder, "plain.json"), '{"type":"string"}');
  writeFileSync(join(ownFolder, "large.json"), "");
  truncateSync(join(ownFolder, "large.json"), 500 * 2 ** 20);
  const pair = createKeyPair();
  writeFileSync(join(ownFolder, keys.certify), pair.privateKey);
  writeFileSync(join(ownFolder, keys.verify), pair.publicKey);
  const manyObjects = "{},".repeat(9_000_000);
  writeFileSync(join(ownFolder, "many.json"), `[${manyObjects}{}]`);
  writeFileSync(join(ownFolder, "many.yaml"), "- {a: 1, b: [x, y]}\n".repeat(250_000));
  writeFileSync(join(ownFolder, "many.jsonl"), "{}\n".repeat(260_000));
  return ownFolder;
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

/** Runs a command that must refuse its file without reading all of it. Reports an exit code other than that of usage errors, and too much memory. */
async function checkRefusal(words: readonly string[], isBounded = true): Promise<string[]> {
  const before = process.memoryUsage().rss;
  const { code, output: said } = await runOnce(folder(), ...words);
  const growth = process.memoryUsage().rss - before;
  return [
    ...(code === 2 ? [] : [`it ended with ${code}: ${said.slice(0, 200)}`]),
    ...(!isBounded || growth < 300 * 2 ** 20 ? [] : [`it took ${Math.round(growth / 2 ** 20)} MiB`]),
  ];
}

const fileRows = Object.entries(readers).flatMap(([command, words], index) =>
  ["zero.json", "random.json", "pipe.json", "sparse.json"].map(
    (file, which): Attack => ({
      kind,
      name: `${command} of ${file}`,
      play: () => checkRefusal(words(file)),
      ...((index + which) % 2 === 0 ? {} : { isLarge: true as const }),
    }),
  ),
);

/** Files that need many times their size in memory, just above the size limit. */
const largeFileRows = Object.entries({
  ...readers,
  "validate --trace": (file: string) => ["validate", "--trace", file],
})
  .flatMap(([command, words]) => ["large.json", "many.json"].map((file) => [command, words(file), file] as const))
  .concat([
    ["validate", ["validate", "many.yaml"], "many.yaml"],
    ["validate --trace", ["validate", "--trace", "many.jsonl"], "many.jsonl"],
  ])
  .map(
    ([command, words, file], index): Attack => ({
      kind,
      name: `${command} of ${file}, which is too much`,
      async play() {
        const { code, output: said } = await runOnce(folder(), ...words);
        const isSaid = /at most|more than/.test(said);
        return code === 2 && isSaid ? [] : [`it ended with ${code}: ${said.slice(0, 200)}`];
      },
      ...(index % 6 === 0 ? {} : { isLarge: true as const }),
    }),
  );

/** Other files that cannot be read, and the commands that are given them. */
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
const oddFileRows = oddCommands.flatMap(([command, words]) =>
  ["circle.json", "zero", "zero.json", "pipe.json", "sparse.json", "large.json", "n".repeat(300)].map(
    (file, which): Attack => ({
      kind,
      name: `${command}, given ${file.length > 100 ? "a name that is too long" : file}`,
      play: () => checkRefusal(words(file), !/list|fuzz|config|coverage/.test(command)),
      // A large file that is a regular file is read.
      ...(which % 3 === 0 ? {} : { isLarge: true as const }),
    }),
  ),
);

/** Schemas that refer to themselves by a name that is resolved when they are applied. */
const circles: Record<string, object> = {
  "a dynamic reference": { $dynamicAnchor: "n", $dynamicRef: "#n", type: "object" },
  "a dynamic reference in a choice": { $dynamicAnchor: "n", anyOf: [{ $dynamicRef: "#n" }, { type: "string" }] },
  "a dynamic reference by way of another": {
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
const circleRows = Object.entries(circles).flatMap(([shape, schema], index) =>
  ["generate", "lint", "compare"].map(
    (command, which): Attack => ({
      kind,
      name: `${command} of ${shape} that leads back to itself`,
      async play() {
        const file = `${index}-${which}.schema.json`;
        writeFileSync(join(folder(), file), JSON.stringify(schema));
        const words = {
          generate: ["--schema", file, "--out", `${index}-${which}`],
          lint: [file],
          compare: [file, "plain.json"],
        };
        const { code, output: said } = await runOnce(
          folder(),
          command,
          ...words[command as keyof typeof words],
          "--unguarded",
        );
        return code === 2 && /leads back to itself/.test(said) ? [] : [`it ended with ${code}: ${said.slice(-300)}`];
      },
    }),
  ),
);

const otherRows: Attack[] = [
  {
    kind,
    name: "a line that comes byte by byte",
    async play() {
      let said = "";
      const read = createLineReader((line) => (said += line));
      const bytes = gatherChunks();
      const before = process.memoryUsage().arrayBuffers;
      for (let count = 0; count < 2000; count++) {
        const chunk = Buffer.allocUnsafeSlow(65_536).subarray(0, 1).fill(97);
        read.push(chunk);
        bytes.add(chunk);
      }
      read.push(Buffer.from("\n"));
      await new Promise((done) => setTimeout(done, 100));
      globalThis.gc?.();
      const keptBytes = process.memoryUsage().arrayBuffers - before;
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
    name: "an answer that comes byte by byte",
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
