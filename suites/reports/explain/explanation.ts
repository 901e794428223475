import { currentId, groundsOf, namedReadings, type Protocol, type Vector } from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { kindOf } from "../../results/kind.ts";
import { assertionLines } from "./assertion.ts";
import { positionLines } from "./grounds.ts";
import { placesOfRules } from "./map.ts";
import { generalReadingLines, readingLines } from "./reading.ts";
import { ruleLines } from "./rule.ts";
import { playableScenarios, scenarioLines } from "./scenario.ts";
import { vectorLines } from "./vector.ts";

/** The explanation of a name in a protocol; undefined if the protocol does not have it. */
export async function explainName(
  protocol: Protocol,
  name: string,
  folder: string | undefined,
): Promise<string[] | undefined> {
  const rule = protocol.rules.find(({ id }) => id.toLowerCase() === name.toLowerCase());
  if (rule !== undefined) {
    const places = placesOfRules(protocol).get(rule.id);
    return ruleLines(protocol, rule, {
      files: loadVectors(protocol, folder).files,
      scenarios: await playableScenarios(protocol),
      places,
    });
  }
  const position = positionLines(protocol, name);
  if (position !== undefined) return position;
  const reading = namedReadings(protocol.profile).find((namedReading) => namedReading.name === name);
  if (reading !== undefined) return readingLines(protocol, reading, vectorsOf(protocol, folder));
  const generalReading = protocol.profile.readings?.find(({ id }) => id === name);
  if (generalReading !== undefined) return generalReadingLines(protocol, generalReading, vectorsOf(protocol, folder));
  const isOfProtocol = name.startsWith(`${protocol.name}/`);
  if (isOfProtocol && kindOf(name) !== "vector") return scenarioLines(protocol, name);
  const isLocation = name.includes("#") || /:\d/.test(name);
  if (!isLocation && !name.includes("/"))
    return scenarioLines(protocol, `${protocol.name}/${protocol.version}/scenarios/${name}`);
  if (!isOfProtocol && !isLocation) return undefined;
  const vectors = vectorsOf(protocol, folder);
  const vector = vectors.find(({ id }) => id === currentId(name));
  if (vector !== undefined) return vectorLines(protocol, vector);
  return isLocation ? assertionLines(protocol, name, vectors) : undefined;
}

/** All names in a protocol that can be explained. */
export async function namesOf(protocol: Protocol, folder: string | undefined): Promise<string[]> {
  const scenarioEntries = (await playableScenarios(protocol)).map(
    (playable) => `${protocol.name}/${protocol.version}/scenarios/${playable.name}`,
  );
  const readings = namedReadings(protocol.profile).map((each) => each.name);
  return [
    ...protocol.rules.map(({ id }) => id),
    ...(groundsOf(protocol)?.positions ?? []).map(({ id }) => id),
    ...readings,
    ...(protocol.profile.readings ?? []).map(({ id }) => id),
    ...scenarioEntries,
    ...vectorsOf(protocol, folder).map(({ id }) => id),
  ];
}

function vectorsOf(protocol: Protocol, folder: string | undefined): Vector[] {
  return loadVectors(protocol, folder).files.flatMap(({ tests }) => tests);
}
