import { compileModel } from "../generators/model/compile.ts";
import { isValid } from "../generators/model/evaluate.ts";
import { oracleFor } from "../generators/oracle/oracle.ts";
import { solve } from "../generators/solve/solve.ts";
import { protocolsNamed } from "../schemas/index.ts";

for (const p of protocolsNamed("all"))
  for (const d of p.profile.documents) {
    if (!d.standalone) continue;
    const t0 = Date.now();
    const model = await compileModel(p.schemas, d.schema);
    const oracle = await oracleFor(p.schemas, d.schema);
    const t1 = Date.now();
    const out: string[] = [];
    for (const [i, s] of (d.samples ?? []).entries()) {
      const j = oracle.judge(s);
      const m = isValid(model, s);
      if (j.verdict !== "valid" || !m) out.push(`SAMPLE ${i} ${j.verdict} ${m}`);
    }
    for (const full of [false, true])
      for (const hint of [undefined, d.samples?.[0]]) {
        const t = Date.now();
        const s = solve(model, [{ op: "schema", node: model.root, sign: true, scope: {} }], {
          full,
          ...(hint === undefined ? {} : { hint }),
        });
        if ("found" in s) {
          const j = oracle.judge(s.found);
          out.push(
            `${full ? "full" : "min"} ${j.verdict} ${isValid(model, s.found)} ${JSON.stringify(s.found).length}B ${Date.now() - t}ms`,
          );
          if (j.verdict !== "valid") console.log(JSON.stringify(s.found), JSON.stringify(j));
        } else out.push(`${full} ${JSON.stringify(s)}`);
      }
    console.log(p.name, d.name, model.nodes.size, t1 - t0, "ms", out.join(" | "));
  }
