import { existsSync } from "node:fs";
import { join } from "node:path";
import { nearestName, type Protocol, TouchstoneError } from "../../../schemas/index.ts";
import { readAs } from "../../base/format/file-text.ts";
import { type Membership, membersDigest } from "./members.ts";

/** A frozen list of results: a certificate that names it needs all of them. */
export interface CertificationProfile {
  name: string;
  /** The version, from 1; a frozen profile never changes. */
  version: number;
  title: string;
  /** The digest of questions and expected answers: one line `ID CONTENT` for each, see `membersDigest`. */
  digest: string;
  /** Whether the digest covers the steps of scenarios; absent in profiles that were frozen before it did. */
  steps?: true;
  side?: string;
  reading?: string;
  /** The ids of results, as in reports. */
  results: string[];
}

/** The file with the profiles of a protocol. */
export interface CertificationFile {
  $schema: string;
  profiles: CertificationProfile[];
}

export const certificationFile = "certification.json";

/** The frozen profiles of a protocol or pack; empty if nothing was frozen. Throws a usage error for a file in another format. */
export async function profilesOf({ folder }: Pick<Protocol, "folder">): Promise<CertificationProfile[]> {
  const file = join(folder, certificationFile);
  return existsSync(file) ? (await readAs<CertificationFile>("certification", file)).profiles : [];
}

/** The profile with a name, or with `name@version`; without a version the last one. Throws a usage error for an unknown one. */
export async function profileNamed(protocol: Protocol, wantedName: string): Promise<CertificationProfile> {
  const profiles = await profilesOf(protocol);
  const [name = "", version] = wantedName.split("@");
  const newestFirst = profiles
    .filter((profile) => profile.name === name && (version === undefined || String(profile.version) === version))
    .sort((a, b) => b.version - a.version)[0];
  if (newestFirst !== undefined) return newestFirst;
  const names = [...new Set(profiles.map((profile) => profile.name))];
  throw new TouchstoneError(
    "usage",
    `${protocol.name} ${protocol.version} has no certification profile "${wantedName}"`,
    {
      hint:
        names.length === 0
          ? "freeze its profiles first: touchstone certify freeze"
          : `${nearestName(name, names)}there are ${profiles.map((profile) => `${profile.name}@${profile.version}`).join(", ")}`,
    },
  );
}

/** How a frozen profile differs from the present vectors and scenarios. */
export interface ProfileFit {
  /** Whether its members exist, with the same requirements as when it was frozen. */
  isKept: boolean;
  /** The ids of members that are gone. */
  gone: string[];
  /** The ids of later members: they are not scored until the profile's next version. */
  pending: string[];
}

/** Compares a frozen profile with the present vectors and scenarios. */
export function fitOf(profile: CertificationProfile, today: Membership | undefined): ProfileFit {
  const now = new Map((today?.members ?? []).map((member) => [member.id, member]));
  const frozen = new Set(profile.results);
  const keptMembers = profile.results.flatMap((id) => now.get(id) ?? []);
  const gone = profile.results.filter((id) => !now.has(id));
  const asked =
    profile.steps === true
      ? keptMembers
      : keptMembers.map(({ id, content, stepless }) => ({ id, content: stepless ?? content }));
  const pending = [...now.keys()].filter((id) => !frozen.has(id));
  return { isKept: gone.length === 0 && membersDigest(asked) === profile.digest, gone, pending };
}
