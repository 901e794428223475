import { reach } from "../generators/corpus/ground.ts";
import { compileModel } from "../generators/model/compile.ts";
import { nodeAt } from "../generators/model/model.ts";
import { places } from "../generators/model/paths.ts";
import { protocolNamed } from "../schemas/index.ts";

const p = protocolNamed("agentformat");
const d = p.profile.documents[0]!;
const model = await compileModel(p.schemas, d.schema);
let n = 0,
  tot = 0;
const slow: [number, string][] = [];
for (const place of places(model)) {
  const t = performance.now();
  const s = reach(model, place, d.samples!);
  const ms = performance.now() - t;
  n++;
  tot += ms;
  slow.push([
    ms,
    place.at.join("/") +
      " " +
      place.steps
        .map((s) => s.site.split("#")[1]!.split("/").pop() + (s.key ?? ""))
        .join(">")
        .slice(-150) +
      " " +
      Object.keys(s)[0],
  ]);
}
slow.sort((a, b) => b[0] - a[0]);
console.log(n, tot);
for (const s of slow.slice(0, 25)) console.log(s[0].toFixed(0), s[1]);
