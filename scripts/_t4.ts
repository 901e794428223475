import { compileModel } from "../generators/model/compile.ts";
import { nodeAt } from "../generators/model/model.ts";
import { places, sites, sitesOf } from "../generators/model/paths.ts";
import { protocolsNamed } from "../schemas/index.ts";

for (const p of protocolsNamed("all")) {
  const all = new Set<string>();
  for (const d of p.profile.documents) {
    if (!d.standalone) continue;
    const model = await compileModel(p.schemas, d.schema);
    const ps = places(model);
    const s = sites(model);
    s.forEach((x) => all.add(x));
    console.log(
      p.name,
      d.name,
      "places",
      ps.length,
      "sites",
      s.length,
      "site-places",
      ps.reduce((n, pl) => n + nodeAt(model, pl.node).keywords.reduce((m, k) => m + sitesOf(k, model).length, 0), 0),
    );
  }
  console.log(p.name, all.size);
}
