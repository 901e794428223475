import { plan, subjectOf } from "../generators/corpus/plan.ts";
import { compileModel } from "../generators/model/compile.ts";
import { sites } from "../generators/model/paths.ts";
import { oracleFor } from "../generators/oracle/oracle.ts";
import { protocolsNamed } from "../schemas/index.ts";

const only = process.argv[2];
for (const p of protocolsNamed("all"))
  for (const d of p.profile.documents) {
    if (!d.standalone || (only && d.name !== only)) continue;
    const model = await compileModel(p.schemas, d.schema);
    const oracle = await oracleFor(p.schemas, d.schema);
    const t = Date.now();
    const r = plan(subjectOf(p, d, model));
    const t2 = Date.now();
    let bad = 0,
      disputed = 0;
    const ex: string[] = [];
    for (const v of r.valid) {
      const j = oracle.judge(v.data);
      if (j.verdict === "invalid") {
        bad++;
        ex.push("VALID? " + v.name.join("|") + JSON.stringify(v.data).slice(0, 200));
      }
      if (j.verdict === "disputed") {
        disputed++;
        ex.push("D " + v.name.join("|") + JSON.stringify(j.readings));
      }
    }
    for (const v of r.invalid) {
      const j = oracle.judge(v.data);
      if (j.verdict === "valid") {
        bad++;
        ex.push("INVALID? " + v.name.join("|") + JSON.stringify(v.data).slice(0, 200));
      }
      if (j.verdict === "disputed") {
        disputed++;
        ex.push("D " + v.name.join("|") + JSON.stringify(j.readings));
      }
    }
    const bytes = JSON.stringify([r.valid.map((v) => v.data), r.invalid.map((v) => v.data)]).length;
    console.log(
      p.name,
      d.name,
      "valid",
      r.valid.length,
      "invalid",
      r.invalid.length,
      "sites",
      sites(model).length,
      "unbroken",
      r.unbroken.length,
      `${t2 - t}ms oracle ${Date.now() - t2}ms`,
      bytes,
      "bad",
      bad,
      "disputed",
      disputed,
    );
    if (only) {
      console.log(r.unbroken, ex);
      for (const v of [...r.valid, ...r.invalid])
        console.log((v.fault ? "- " : "+ ") + v.name.join(" | ").slice(0, 150), "::", v.says.slice(0, 100));
    } else for (const e of ex.filter((e) => !e.startsWith("D")).slice(0, 5)) console.log("   ", e);
  }
