import { createHash } from "node:crypto";
import {
  digestOf,
  documentNamed,
  namedReadings,
  type Protocol,
  type Vector,
  verdictUnder,
} from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { packOf, ruled } from "../../packs/pack/load.ts";
import { questionOf } from "../../running/run/question.ts";
import type { ExpectedResult } from "../../running/scenarios/result.ts";

/** One result that a profile requires, with a digest of the question and the expected answer. */
export interface ProfileMember {
  id: string;
  content: string;
  /** The digest without the steps of the scenario, which older profile versions contain. */
  stepless?: string;
}

/** The present members of a certification profile. */
export interface Membership {
  name: string;
  title: string;
  members: ProfileMember[];
  /** The party of the protocol that its scenarios are played against. */
  side?: string;
  /** The reading without which its vectors are disputed. */
  reading?: string;
}

const titles: Readonly<Record<string, string>> = {
  core: "Messages that the schemas decide by themselves",
  formats: "Messages that are refused for the format of a text",
  text: "JSON texts: duplicate members, numbers, encodings",
  semantic: "Messages that semantic rules decide",
  sessions: "Recorded sessions and exchanges",
};

/** The name of the profile to which a vector belongs, by its needs; undefined for a disputed vector. */
function profileOf({ valid, needs }: Vector): string | undefined {
  if (valid === undefined) return undefined;
  if (needs.includes("records")) return "sessions";
  if (needs.includes("semantic")) return "semantic";
  if (needs.includes("format-assertion")) return "formats";
  return needs.length === 0 ? "core" : "text";
}

/** The present members of each certification profile of a protocol, in the order of the vectors; profiles without members are left out. */
export async function membershipsOf(protocol: Protocol): Promise<Membership[]> {
  const { files } = loadVectors(protocol);
  const vectors = files.flatMap(({ tests }) => tests);
  const groups = groupsOf(vectors, "", "");
  const memberships = [
    ...groups,
    ...(await httpMemberships(protocol, files, groups)),
    ...(await scenarioMemberships(protocol)),
  ];
  memberships.push(...readingMemberships(protocol, vectors));
  return memberships.filter(({ members }) => members.length > 0);
}

function groupsOf(vectors: readonly Vector[], nameSuffix: string, titleSuffix: string): Membership[] {
  return Object.entries(titles).map(([name, title]): Membership => {
    const vectorsOfProfile = vectors.filter((vector) => profileOf(vector) === name);
    const members = vectorsOfProfile.map((vector) => ({ id: vector.id, content: contentOf(vector, vector.valid) }));
    return { name: `${name}${nameSuffix}`, title: `${title}${titleSuffix}`, members };
  });
}

/** For each profile of a user's pack, the part that a server can receive over HTTP, unless that is the whole profile. The built-in protocols have no such profiles: theirs were frozen before these existed. */
async function httpMemberships(
  protocol: Protocol,
  files: ReturnType<typeof loadVectors>["files"],
  complete: readonly Membership[],
): Promise<Membership[]> {
  if (protocol.foreign !== true) return [];
  const { sendableOf } = await import("../../targets/http/sendable.ts");
  const isSendable = await sendableOf(protocol);
  const sentVectors = files.flatMap(({ document, tests }) => {
    const documentOfFile = documentNamed(protocol, document);
    return tests.filter((vector) => isSendable(questionOf(vector, documentOfFile, 0)));
  });
  return groupsOf(sentVectors, "-http", ", of those that a server is sent over HTTP").filter(
    ({ members }, index) => members.length < (complete[index]?.members.length ?? 0),
  );
}

/** The scenarios of each party, as one membership for each party. */
async function scenarioMemberships(protocol: Protocol): Promise<Membership[]> {
  const protocolWithRules = await ruled(protocol);
  const { scenarios } = await packOf(protocolWithRules);
  if (scenarios === undefined) return [];
  const scenarioList = (await scenarios()).scenarios;
  const { expectedOf } = await import("../../running/scenarios/result.ts");
  const { ofSide, sidesOf } = await import("../../running/scenarios/sides.ts");
  const sides = sidesOf(protocolWithRules);
  return (sides.length === 0 ? [undefined] : sides).map((side): Membership => {
    const members = expectedOf(protocolWithRules, ofSide(protocolWithRules, scenarioList, side)).map(memberOf);
    return side === undefined
      ? { name: "live", title: "Scenarios", members }
      : { name: `live-${side}`, title: `Scenarios that are played against the ${side}`, members, side };
  });
}

function memberOf({ id, scenario: { content, version } }: ExpectedResult): ProfileMember {
  const stepless = digestOf(id);
  const codeVersion = content ?? (version === undefined || version === 1 ? undefined : `version ${version}`);
  return codeVersion === undefined
    ? { id, content: stepless }
    : { id, content: digestOf(`${id}\n${codeVersion}`), stepless };
}

/** The disputed vectors that each reading of a contradiction decides. */
function readingMemberships(protocol: Protocol, vectors: readonly Vector[]): Membership[] {
  return namedReadings(protocol.profile).map((reading): Membership => {
    const members = vectors.flatMap((vector) => {
      const verdict = vector.valid === undefined ? verdictUnder(reading, vector) : undefined;
      return verdict === undefined ? [] : [{ id: vector.id, content: contentOf(vector, verdict === "valid") }];
    });
    return { name: `reading-${reading.name}`, title: `Read as: ${reading.name}`, members, reading: reading.name };
  });
}

/** The digest of the question and the expected answer. It leaves out descriptions, which may change. */
function contentOf({ id, level = "MUST", data, raw, base64 }: Vector, valid: boolean | undefined): string {
  return digestOf(JSON.stringify([id, valid, level, data ?? null, raw ?? null, base64 ?? null]));
}

/** The digest of a list of members in their order: SHA-256 over one line `ID CONTENT` for each member, with a line feed. */
export function membersDigest(members: readonly ProfileMember[]): string {
  const hash = createHash("sha256");
  for (const { id, content } of members) hash.update(`${id} ${content}\n`);
  return `sha256-${hash.digest("base64")}`;
}
