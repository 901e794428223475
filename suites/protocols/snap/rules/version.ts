import { type Breach, type Checker, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { messageDocuments, messagesIn } from "./places.ts";

/** Reads the major and minor number of a version. Undefined if the value is not a version. */
function numbersOf(version: Json): [bigint, bigint] | undefined {
  const [, major, minor] = (typeof version === "string" && /^([0-9]{1,1000})\.([0-9]{1,1000})$/.exec(version)) || [];
  return major === undefined || minor === undefined ? undefined : [BigInt(major), BigInt(minor)];
}

/** Compares two versions by their numbers, for sorting. */
function compareVersions(a: Json, b: Json): number {
  const [[major, minor] = [0n, 0n], [otherMajor, otherMinor] = [0n, 0n]] = [numbersOf(a), numbersOf(b)];
  if (major !== otherMajor) return major < otherMajor ? -1 : 1;
  if (minor === otherMinor) return 0;
  return minor < otherMinor ? -1 : 1;
}

/** Returns the highest version in both lists, or null if there is none. */
export function highestCommon(ownVersions: readonly Json[], otherVersions: readonly Json[]): Json {
  const common = ownVersions.filter(
    (version) =>
      numbersOf(version) &&
      otherVersions.some((otherVersion) => numbersOf(otherVersion) && compareVersions(version, otherVersion) === 0),
  );
  return common.sort(compareVersions).at(-1) ?? null;
}

function choiceChecker(rule: string, judge: (chosenVersion: Json, highest: Json) => string | false): Checker {
  return {
    rule,
    documents: ["negotiation"],
    *check(instance): Iterable<Breach> {
      const negotiation = isObject(instance) ? versionChoiceIn(instance) : undefined;
      const why = negotiation && judge(negotiation.chosen, negotiation.highest);
      if (why) yield { at: "/chosen", why };
    },
  };
}

function versionChoiceIn({
  sender,
  recipient,
  chosen: chosenVersion,
}: JsonObject): { chosen: Json; highest: Json } | undefined {
  if (!Array.isArray(sender) || !Array.isArray(recipient)) return undefined;
  if (chosenVersion === undefined || (chosenVersion !== null && numbersOf(chosenVersion) === undefined))
    return undefined;
  return { chosen: chosenVersion, highest: highestCommon(sender, recipient) };
}

export const versionCheckers: readonly Checker[] = [
  {
    // Only a note, since an implementation may support more versions than this one.
    rule: "SNAP-VER-002",
    documents: messageDocuments,
    *check(instance, document) {
      for (const { value, at } of messagesIn(instance, document))
        if (numbersOf(value.version ?? null) !== undefined && value.version !== "0.1")
          yield { at: `${at}/version`, why: `is ${value.version}, which not everybody speaks`, level: "NOTE" };
    },
  },
  choiceChecker("SNAP-VER-001", (chosenVersion, highest) => {
    if (highest === null || (chosenVersion !== null && compareVersions(chosenVersion, highest) === 0)) return false;
    return `is ${chosenVersion ?? "none"} where ${highest} is the highest that both speak`;
  }),
  choiceChecker(
    "SNAP-VER-003",
    (chosenVersion, highest) =>
      highest === null && chosenVersion !== null && `is ${chosenVersion}, while they have no version in common`,
  ),
];
