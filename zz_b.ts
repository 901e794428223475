import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { assemble, buildSet } from "./generators/index.ts";
import { protocolNamed } from "./schemas/index.ts";
import { ruled } from "./suites/pack/load.ts";

const [name, out, ...docs] = process.argv.slice(2);
const p = await ruled(protocolNamed(name!));
const q = docs.length
  ? { ...p, profile: { ...p.profile, documents: p.profile.documents.filter((d) => docs.includes(d.name)) } }
  : p;
const b = await buildSet([q], (n) => console.log(n));
for (const [path, text] of b.texts) {
  mkdirSync(dirname(join(out!, path)), { recursive: true });
  writeFileSync(join(out!, path), text);
}
writeFileSync(join(out!, "MANIFEST.json"), JSON.stringify(b.manifest, null, 2));
console.log(b.manifest.count);
