import { protocolNamed } from "../schemas/index.ts";
import { playScenarios } from "./scenarios/index.ts";
import { walksOf } from "./scenarios/walks/index.ts";
const [name = "aaep", variant = "", walks = "20", seed = "1"] = process.argv.slice(2);
const { pack } = await import(`./protocols/${name}/index.ts`);
const { live } = await pack.live();
const model = name === "aaep" ? (await import("./protocols/aaep/scenarios/producer/walks/walks.ts")).producer : (await import("./protocols/snap/scenarios/agent/walks/walks.ts" as string)).agent;
const protocol = protocolNamed(name);
for (const each of variant.split(",")) {
  const t = Date.now();
  const { setting, close } = await live.stage(each === "" ? {} : { variant: each });
  const { scenario, detours } = walksOf(model as never, { seed: Number(seed), walks: Number(walks) });
  const results = await playScenarios({ protocol, scenarios: [scenario], setting, seed: Number(seed) * 7919 + (Date.now() % 1000000) });
  const odd = results.filter((r: { outcome: string }) => r.outcome !== "conforms");
  console.log(`== ${each || "right"}: ${results.length - odd.length} conform; ${Date.now() - t} ms`);
  for (const d of detours) console.log(`   DETOUR ${d.rule} walk ${d.index}, ${d.steps.length} steps: ${d.steps.join("; ")} :: ${d.why.slice(0, 200)}`);
  for (const o of odd) if (process.env.ALL || !["skipped"].includes(o.outcome)) console.log(`   ${o.rule} ${o.outcome} ${o.stage ?? ""} ${String(o.why).slice(0, 260)}`);
  await close();
}
process.exit(0);
