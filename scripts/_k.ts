import { subjectOf } from "../generators/corpus/draft.ts";
import { plan } from "../generators/corpus/plan.ts";
import { compileModel } from "../generators/model/compile.ts";
import { protocolsNamed } from "../schemas/index.ts";

let T = 0,
  U = 0,
  S = 0,
  E = 0;
for (const p of protocolsNamed(process.argv[2] ?? "all"))
  for (const d of p.profile.documents) {
    if (!d.standalone || (process.argv[3] && d.name !== process.argv[3])) continue;
    const model = await compileModel(p.schemas, d.schema);
    const t = Date.now();
    const pl = plan(subjectOf(p, d, model), p.schemas);
    const f = pl.forcing;
    const un = f.unforced.filter((u) => u.kills === 0),
      si = f.unforced.filter((u) => u.kills === 1);
    T += f.all.length;
    U += un.length;
    S += si.length;
    E += f.equivalent.length;
    console.log(
      p.name,
      d.name,
      "valid",
      pl.valid.length,
      "invalid",
      pl.invalid.length,
      "mutants",
      f.all.length,
      "equiv",
      f.equivalent.length,
      "unkilled",
      un.length,
      "single",
      si.length,
      Date.now() - t,
      "ms",
    );
    if (process.argv[3]) {
      for (const u of [...un, ...si])
        console.log(
          "  ",
          u.kills,
          u.mutant.operator,
          u.mutant.effect,
          u.mutant.site.split("#")[1],
          u.mutant.says,
          "|",
          u.why,
        );
      for (const m of f.equivalent) console.log("  = ", m.operator, m.effect, m.site.split("#")[1], m.says);
    }
  }
console.log({ T, U, S, E });
