import { type Breach, type Checker, isObject, type Json, type JsonObject } from "../../../../schemas/index.ts";
import { messageDocuments, messagesIn } from "./places.ts";

/** Major and minor as numbers; undefined if the text is not a version. */
function numbersOf(version: Json): [bigint, bigint] | undefined {
  const [, major, minor] = (typeof version === "string" && /^([0-9]{1,1000})\.([0-9]{1,1000})$/.exec(version)) || [];
  return major === undefined || minor === undefined ? undefined : [BigInt(major), BigInt(minor)];
}

/** Below zero if the first version is lower. */
function compareVersions(a: Json, b: Json): number {
  const [[major, minor] = [0n, 0n], [otherMajor, otherMinor] = [0n, 0n]] = [numbersOf(a), numbersOf(b)];
  if (major !== otherMajor) return major < otherMajor ? -1 : 1;
  return minor === otherMinor ? 0 : minor < otherMinor ? -1 : 1;
}

/** The highest version in both lists; null if there is none. */
export function highestCommon(ownVersions: readonly Json[], otherVersions: readonly Json[]): Json {
  const common = ownVersions.filter(
    (each) =>
      numbersOf(each) &&
      otherVersions.some((otherVersion) => numbersOf(otherVersion) && compareVersions(each, otherVersion) === 0),
  );
  return common.sort(compareVersions).at(-1) ?? null;
}

function choice(rule: string, judge: (chosenVersion: Json, highest: Json) => string | false): Checker {
  return {
    rule,
    documents: ["negotiation"],
    *check(instance): Iterable<Breach> {
      const choiceMade = isObject(instance) ? versionChoiceIn(instance) : undefined;
      const why = choiceMade && judge(choiceMade.chosen, choiceMade.highest);
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
    // An implementation that supports more versions than this one is also right.
    rule: "SNAP-VER-002",
    documents: messageDocuments,
    *check(instance, document) {
      for (const { value, at } of messagesIn(instance, document))
        if (numbersOf(value.version ?? null) !== undefined && value.version !== "0.1")
          yield { at: `${at}/version`, why: `is ${value.version}, which not everybody speaks`, level: "NOTE" };
    },
  },
  choice("SNAP-VER-001", (chosenVersion, highest) => {
    if (highest === null || (chosenVersion !== null && compareVersions(chosenVersion, highest) === 0)) return false;
    return `is ${chosenVersion ?? "none"} where ${highest} is the highest that both speak`;
  }),
  choice(
    "SNAP-VER-003",
    (chosenVersion, highest) =>
      highest === null && chosenVersion !== null && `is ${chosenVersion}, while they have no version in common`,
  ),
];
