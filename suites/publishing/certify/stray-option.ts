import { builtInPacks, type Report } from "../../../schemas/index.ts";
import { isWebAddress, shownAddress } from "../../base/secrets/address.ts";
import { referenceName } from "../../base/text/reference-name.ts";

/** Describes an option of the report that its runs contradict; undefined if there is none, or if the report has no options. */
export function findOptionConflict({ options, runs }: Report): string | undefined {
  if (options === undefined) return undefined;
  const { verb, protocol, target, side, runs: runCount, walk, readings = [], scenarios } = options;
  if (verb === "fuzz" || verb === "challenge") return `it is called ${verb}, which runs no published vectors`;
  if (verb !== "run" && runs.some(({ results }) => results.some(({ kind }) => kind === "vector")))
    return `it is called ${verb}, which runs no vectors, and has results of vectors`;
  if (verb === "run" && scenarios !== true && runs.some(({ results }) => results.some(({ kind }) => kind !== "vector")))
    return "it is called without scenarios, and has results of them";
  if (side !== undefined && verb !== "play") return "it has a side, which only play has";
  if (runCount !== undefined || walk !== undefined) return "it has options of a challenge or of fuzzing";
  const unusedReading = readings.find((name) => !runs.some((run) => run.readings?.includes(name)));
  if (unusedReading !== undefined) return `it is called with the reading ${unusedReading}, which decided nothing`;
  for (const { target: testedTarget, readings: runReadings = [] } of runs) {
    if (target.kind !== "hooks" && testedTarget.kind !== target.kind)
      return `it is called with a target of the kind ${target.kind}, and was run against ${testedTarget.kind}`;
    const name = nameOf(target);
    if (name !== undefined && testedTarget.name !== name)
      return `it is called with ${name}, and says that ${testedTarget.name} was tested`;
    const undeclaredReading = runReadings.find((name) => !readings.includes(name));
    if (undeclaredReading !== undefined) return `it is read by ${undeclaredReading}, with which it was not called`;
  }
  const [name, version] = protocol.split("@");
  const hasNoRun = runs.every((run) => run.protocol !== name || (version !== undefined && run.version !== version));
  return hasNoRun && builtInPacks.some((builtInPack) => builtInPack.name === name)
    ? `it is called with ${protocol}, and has no results of it`
    : undefined;
}

/** The name of a target that its options determine; undefined if the implementation chooses its name. */
function nameOf(target: NonNullable<Report["options"]>["target"]): string | undefined {
  if (target.kind === "reference") return referenceName(target.variant);
  const address = target.kind === "http" ? target.url : target.kind === "mcp" ? target.server : undefined;
  return address !== undefined && isWebAddress(address) ? shownAddress(address) : undefined;
}
