import type { Protocol, Vector } from "../../schemas/index.ts";
import { mayLoad } from "../pack/code.ts";
import { ruled } from "../pack/load.ts";
import { inexactIn } from "../run/inexact.ts";

/** The semantic rules that bind and that a message breaks which its schema refuses, beside the one that the vector is about. */
export async function alsoBroken(protocol: Protocol, { id, data, site, rule: own }: Vector): Promise<string[]> {
  const [, , document = ""] = id.split("/");
  if (site === undefined || data === undefined || !mayLoad(protocol)) return [];
  const { findings } = await import("../../generators/index.ts");
  const found = findings(await ruled(protocol), document, data);
  const inexact = inexactIn(protocol, data) ?? own;
  const binding = [...found.flatMap(({ rule, level }) => (level === "MUST" ? [rule] : [])), inexact];
  return [...new Set(binding.filter((rule) => rule !== undefined && rule !== own))] as string[];
}
