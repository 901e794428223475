import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { buildSet } from "../generators/index.ts";
import { home, protocolsNamed } from "../schemas/index.ts";

const folder = join(home, "vectors");
const started = process.hrtime.bigint();
const seconds = () => Number((process.hrtime.bigint() - started) / 1_000_000n) / 1000;
const built = await buildSet(protocolsNamed("all"), (name, { files, sites }) => {
  const counts = files.map(({ kind, file }) => `${file.count} ${kind}`).join(", ");
  console.error(`${seconds().toFixed(1)} s  ${name}: ${counts}; ${sites.broken} of ${sites.sites} assertions broken`);
});
for (const { protocol } of built.manifest.files) rmSync(join(folder, protocol), { recursive: true, force: true });
for (const [path, text] of built.texts) {
  const file = join(folder, path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
console.log(`${built.manifest.count} vectors in ${built.manifest.files.length} files, ${built.manifest.digest}`);
