import {
  type Contradiction,
  calledBy,
  type ExplainedReading,
  type NamedReading,
  namedReadings,
  type Protocol,
  toleratesAll,
  type Vector,
  verdictUnder,
} from "../../../schemas/index.ts";
import { countNoun } from "../wording/phrases.ts";

/** Explains a reading: its subject, its meaning, the other readings, and the vectors that it decides. */
export function readingLines(
  protocol: Protocol,
  reading: NamedReading & { of: Contradiction },
  vectors: readonly Vector[],
): string[] {
  const { name, says, of, tolerates = [] } = reading;
  const decidedVectors = vectors.flatMap((vector) => {
    const verdict = verdictUnder(reading, vector);
    return verdict === undefined ? [] : [{ id: vector.id, verdict }];
  });
  const toleratedCount = vectors.filter((vector) => toleratesAll([reading], vector)).length;
  const disputedVectors = vectors.filter(({ rule, valid }) => valid === undefined && of.rules.includes(rule ?? ""));
  const labelledLine = (label: string, text: string): string => `  ${label.padEnd(8)}  ${text}`;
  return [
    `${name}  a reading of ${protocol.profile.title} ${protocol.version}, clause ${of.clause}`,
    `  ${says}`,
    "",
    labelledLine("about", of.about),
    labelledLine("rules", of.rules.join(", ")),
    ...of.readings
      .filter((namedReading) => namedReading.name !== name)
      .map((namedReading) => labelledLine("or", `${namedReading.name}: ${namedReading.says}`)),
    labelledLine(
      "decides",
      `${decidedVectors.length} of ${countNoun(disputedVectors.length, "disputed vector")} of these rules`,
    ),
    ...decidedVectors.slice(0, maxListed).map(({ id, verdict }) => labelledLine("", `${verdict}  ${id}`)),
    ...(decidedVectors.length > maxListed ? [labelledLine("", `and ${decidedVectors.length - maxListed} more`)] : []),
    ...(toleratedCount === 0
      ? []
      : [
          labelledLine(
            "and",
            `that ${countNoun(toleratedCount, "vector")} beyond ${tolerates.join(", ")} must be accepted`,
          ),
        ]),
    "",
    "To have an implementation judged by it:",
    `  touchstone run ${calledBy(protocol)} --reading ${name} …`,
  ];
}

/** The maximum number of decided vectors that are listed. */
const maxListed = 10;

/** Explains a reading that no run can choose, because the protocol does not name it: its meaning, and the vectors that it decides. */
export function generalReadingLines(
  protocol: Protocol,
  { id, says }: ExplainedReading,
  vectors: readonly Vector[],
): string[] {
  const decidedVectors = vectors.flatMap(({ id: vector, readings = [] }) =>
    readings.flatMap(({ ids, verdict }) => (ids?.includes(id) ? [`${verdict}  ${vector}`] : [])),
  );
  return [
    `${id}  a reading of disputed vectors of ${protocol.profile.title} ${protocol.version}`,
    `  ${says}`,
    "",
    `  decides   ${countNoun(decidedVectors.length, "disputed vector")}`,
    ...decidedVectors.slice(0, maxListed).map((vectorLine) => `            ${vectorLine}`),
    ...(decidedVectors.length > maxListed ? [`            and ${decidedVectors.length - maxListed} more`] : []),
    "",
    "The vector files list it among their readings, but a run leaves these vectors disputed.",
  ];
}

/** Lists the readings that would decide a disputed vector, each with its verdict. */
export function decidingReadings({ profile }: Pick<Protocol, "profile">, vector: Vector): string[] {
  return namedReadings(profile).flatMap((reading) => {
    const verdict = verdictUnder(reading, vector);
    return verdict === undefined ? [] : [`--reading ${reading.name} makes it ${verdict}`];
  });
}

/** The advice for disputed vectors. */
export const nothingToFix =
  "Nothing to fix: readings of the specification differ, and no implementation fails unless you choose a reading that decides it.";
