import { protocolNamed } from "../schemas/index.ts";
import { compileModel } from "../generators/model/compile.ts";
import { places } from "../generators/model/paths.ts";
import { reach } from "../generators/corpus/ground.ts";
const p = protocolNamed("agentformat"); const d = p.profile.documents[0]!;
const model = await compileModel(p.schemas, d.schema);
for (const place of places(model)) { if (!place.node.endsWith("args_match/additionalProperties/oneOf/1")) continue; const t=performance.now(); for (const s of [d.samples!, []]) { const r = reach(model, place, s); console.log(place.at.join("/"), JSON.stringify(r).slice(0,150), (performance.now()-t).toFixed(0)); } }
