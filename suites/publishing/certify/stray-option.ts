import { builtInPacks, type Report } from "../../../schemas/index.ts";
import { isWebAddress, shownAddress } from "../../base/secrets/address.ts";
import { referenceName } from "../../base/text/reference-name.ts";

/** A sentence about an option of the report that its runs contradict; undefined if there is none, or if the report has no options. */
export function findStrayOption({ options, runs }: Report): string | undefined {
  if (options === undefined) return undefined;
  const { verb, protocol, target, side, runs: runCount, walk, readings = [], scenarios } = options;
  if (verb === "fuzz" || verb === "challenge") return `it is called ${verb}, which runs no published vectors`;
  if (verb !== "run" && runs.some(({ results }) => results.some(({ kind }) => kind === "vector")))
    return `it is called ${verb}, which runs no vectors, and has results of vectors`;
  if (verb === "run" && scenarios !== true && runs.some(({ results }) => results.some(({ kind }) => kind !== "vector")))
    return "it is called without scenarios, and has results of them";
  if (side !== undefined && verb !== "play") return "it has a side, which only play has";
  if (runCount !== undefined || walk !== undefined) return "it has options of a challenge or of fuzzing";
  const idle = readings.find((name) => !runs.some((run) => run.readings?.includes(name)));
  if (idle !== undefined) return `it is called with the reading ${idle}, which decided nothing`;
  for (const { target: ownTarget, readings: read = [] } of runs) {
    if (target.kind !== "hooks" && ownTarget.kind !== target.kind)
      return `it is called with a target of the kind ${target.kind}, and was run against ${ownTarget.kind}`;
    const name = nameOf(target);
    if (name !== undefined && ownTarget.name !== name)
      return `it is called with ${name}, and says that ${ownTarget.name} was tested`;
    const unsaid = read.find((name) => !readings.includes(name));
    if (unsaid !== undefined) return `it is read by ${unsaid}, with which it was not called`;
  }
  const [name, version] = protocol.split("@");
  const isOther = runs.every((run) => run.protocol !== name || (version !== undefined && run.version !== version));
  return isOther && builtInPacks.some((builtInPack) => builtInPack.name === name)
    ? `it is called with ${protocol}, and has no results of it`
    : undefined;
}

/** The name of a target if its kind determines it; undefined if the implementation chooses its name. */
function nameOf(target: NonNullable<Report["options"]>["target"]): string | undefined {
  if (target.kind === "reference") return referenceName(target.variant);
  const address = target.kind === "http" ? target.url : target.kind === "mcp" ? target.server : undefined;
  return address !== undefined && isWebAddress(address) ? shownAddress(address) : undefined;
}
