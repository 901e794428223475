import type { Document, Protocol, Reading, Vector } from "../../schemas/index.ts";
import type { Draw } from "./draws.ts";

/** Makes of a random message the vector that it would be, under the last part of its id. */
export type Examine = (draw: Draw, name: string) => Vector;

/**
 * Judges random messages as stored vectors are judged: by both validators, and by the rules beyond the schema. Where these differ, or
 * where we had planned otherwise, the message is disputed, and accuses nobody.
 */
export async function examinerFor(protocol: Protocol, document: Document): Promise<Examine> {
  const { marked, oracleFor, standing } = await import("../../generators/index.ts");
  const oracle = await oracleFor(protocol.schemas, document.schema);
  const prefix = `${protocol.name}/${protocol.version}/${document.name}`;

  return (draw, name) => {
    const { verdict, readings } = oracle.judge(draw.data);
    const isFaulty = draw.source === "faulty";
    const planned = isFaulty ? "invalid" : "valid";
    const site = isFaulty ? draw.site : undefined;
    const { rule, open, lenient, onlyFormat } = standing(protocol, {
      site,
      via: isFaulty ? draw.via : [],
      fault: isFaulty ? draw.fault : undefined,
    });
    const sides: Reading[] = [...readings];
    if (verdict !== planned) sides.push({ verdict: planned, by: ["touchstone"] });
    if (open) sides.push({ verdict: "valid", by: ["specification"], why: rule?.position ?? "it is left open" });
    const isDisputed = verdict !== planned || open;
    const vector: Vector = {
      id: `${prefix}/${isDisputed ? "disputed" : planned}/fuzz/${name}`,
      description: described(draw),
      ...(isDisputed ? { readings: sides } : { valid: planned === "valid" }),
      data: draw.data,
      ...(rule === undefined ? {} : { rule: rule.id }),
      ...(lenient ? { level: "SHOULD" as const } : {}),
      ...(isFaulty ? { site: draw.site, at: draw.at, fault: draw.fault, change: [...draw.change] } : {}),
      needs: onlyFormat ? ["format-assertion"] : [],
      tags: ["fuzz"],
    };
    return marked(protocol, document, [vector])[0] ?? vector;
  };
}

function described(draw: Draw): string {
  if (draw.source === "valid") return "a random valid message";
  if (draw.source === "realistic") return "a random valid message, of json-schema-faker";
  return `a random message with one fault: ${draw.fault} at ${draw.at === "" ? "the whole" : draw.at}`;
}
