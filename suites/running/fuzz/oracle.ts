import {
  type Document,
  discretionsIn,
  exactNumbersIn,
  hasStandIn,
  type Reading,
  type RuledProtocol,
  type Vector,
} from "../../../schemas/index.ts";
import type { FuzzDraw } from "./draws.ts";

const keepsExactNumbers = "keeps the numbers of the schema as they are written";

/** Turns a random message into a vector. Its id ends with `name`. */
export type Examine = (draw: FuzzDraw, name: string) => Vector;

/** Returns a function that judges random messages like stored vectors: by both validators and by the semantic rules. If they disagree with each other or with the planned verdict, the message is disputed and never fails a target. */
export async function examinerFor(protocol: RuledProtocol, document: Document): Promise<Examine> {
  const generators = await import("../../../generators/index.ts");
  const { compileModel, doubtIn, findings, withLevel, dependsOnFormats, liftingReadingsFor, levelOfVerdict } =
    generators;
  const oracle = await (protocol.foreign === true
    ? generators.foreignOracle(protocol.schemas, document.schema)
    : generators.oracleFor(protocol.schemas, document.schema, "strict"));
  const exactNumbers = exactNumbersIn(protocol.schemas);
  const choicesFor = await liftingReadingsFor(protocol, document);
  const model = await compileModel(protocol.schemas, document.schema);
  const prefix = `${protocol.name}/${protocol.version}/${document.name}`;

  return (draw, name) => {
    const { verdict, readings } = oracle.judge(draw.data);
    const isFaulty = draw.source === "faulty";
    const plannedVerdict = isFaulty ? "invalid" : "valid";
    const site = isFaulty ? draw.site : undefined;
    const { rule, isOpen, level, needsFormats } = levelOfVerdict(protocol, {
      site,
      via: isFaulty ? draw.via : [],
      fault: isFaulty ? draw.fault : undefined,
      byFormats: verdict === plannedVerdict && dependsOnFormats(model, draw.data),
    });
    const views: Reading[] = [...readings];
    if (verdict !== plannedVerdict) views.push({ verdict: plannedVerdict, by: ["touchstone"] });
    if (isOpen) views.push({ verdict: "valid", by: ["specification"], why: rule?.position ?? "it is left open" });
    const choices = verdict === "invalid" ? choicesFor(draw.data) : [];
    // The number is sent as written, but the nearest double, which is judged here, is a different number.
    const exactDoubt = hasStandIn(draw.data, exactNumbers) ? keepsExactNumbers : undefined;
    const doubt = verdict === plannedVerdict ? (exactDoubt ?? doubtIn(model, draw.data)) : undefined;
    if (doubt !== undefined)
      views.push({ verdict: plannedVerdict === "valid" ? "invalid" : "valid", by: ["implementations"], why: doubt });
    const isDisputed = verdict !== plannedVerdict || isOpen || choices.length > 0 || doubt !== undefined;
    // A target may also refuse a message that only breaks advice.
    const brokenAdvice =
      verdict === "valid"
        ? [
            ...findings(protocol, document.name, draw.data).map(({ rule }) => rule),
            ...discretionsIn(protocol.profile, document.name, draw.data).map(({ rule }) => rule),
          ]
        : [];
    // A target may instead report a fault that the message had before.
    const involves = isFaulty ? findings(protocol, document.name, draw.parent).map(({ at }) => at) : [];
    return withLevel(protocol, document.name, {
      id: `${prefix}/${isDisputed ? "disputed" : plannedVerdict}/fuzz/${name}`,
      description: describeDraw(draw, involves.length > 0),
      ...(isDisputed ? { readings: [...views, ...choices] } : { valid: plannedVerdict === "valid" }),
      data: draw.data,
      ...(rule === undefined ? {} : { rule: rule.id }),
      ...(level === "MUST" ? {} : { level }),
      ...(brokenAdvice.length === 0 ? {} : { beyond: [...new Set(brokenAdvice)] }),
      ...(isFaulty ? { site: draw.site, at: draw.at } : {}),
      ...(involves.length === 0 ? {} : { involves: [...new Set(involves)] }),
      ...(isFaulty ? { fault: draw.fault, change: [...draw.change] } : {}),
      needs: needsFormats ? ["format-assertion"] : [],
      tags: ["fuzz"],
    });
  };
}

function describeDraw(draw: FuzzDraw, hasOtherFaults: boolean): string {
  if (draw.source !== "faulty")
    return `a random valid message${{ valid: "", edge: ", at a bound", realistic: ", mostly of json-schema-faker" }[draw.source]}`;
  const { fault, at } = draw;
  return `a random message with ${hasOtherFaults ? "a fault among others" : "one fault"}: ${fault} at ${at === "" ? "the whole" : at}`;
}
