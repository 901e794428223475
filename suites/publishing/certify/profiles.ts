import { existsSync } from "node:fs";
import { join } from "node:path";
import { nearestName, type Protocol, TouchstoneError } from "../../../schemas/index.ts";
import { readAs } from "../../base/format/file-text.ts";
import { type Membership, membersDigest } from "./members.ts";

/** A frozen list of results. A certificate of this profile requires all of them. */
export interface CertificationProfile {
  name: string;
  /** The version, from 1; a frozen profile never changes. */
  version: number;
  title: string;
  /** The digest of the questions and the expected answers; see `membersDigest`. */
  digest: string;
  /** Whether the digest covers the steps of scenarios; absent in older profiles, with digests that do not. */
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

/** Reads the frozen profiles of a protocol or pack; empty if nothing was frozen. Throws a usage error for a file in another format. */
export async function profilesOf({ folder }: Pick<Protocol, "folder">): Promise<CertificationProfile[]> {
  const file = join(folder, certificationFile);
  return existsSync(file) ? (await readAs<CertificationFile>("certification", file)).profiles : [];
}

/** Finds a profile by `name@version`, or the last version of a profile by `name`. Throws a usage error if there is none. */
export async function profileNamed(protocol: Protocol, requestedName: string): Promise<CertificationProfile> {
  const profiles = await profilesOf(protocol);
  const [name = "", version] = requestedName.split("@");
  const [newest] = profiles
    .filter((profile) => profile.name === name && (version === undefined || String(profile.version) === version))
    .sort((a, b) => b.version - a.version);
  if (newest !== undefined) return newest;
  const names = [...new Set(profiles.map((profile) => profile.name))];
  throw new TouchstoneError(
    "usage",
    `${protocol.name} ${protocol.version} has no certification profile "${requestedName}"`,
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
  /** The ids of members that no longer exist. */
  gone: string[];
  /** The ids of members that were added later; they are not scored until the profile's next version. */
  pending: string[];
}

/** Compares a frozen profile with the present vectors and scenarios. */
export function fitOf(profile: CertificationProfile, membership: Membership | undefined): ProfileFit {
  const presentMembers = new Map((membership?.members ?? []).map((member) => [member.id, member]));
  const frozen = new Set(profile.results);
  const keptMembers = profile.results.flatMap((id) => presentMembers.get(id) ?? []);
  const gone = profile.results.filter((id) => !presentMembers.has(id));
  const comparedMembers =
    profile.steps === true
      ? keptMembers
      : keptMembers.map(({ id, content, stepless }) => ({ id, content: stepless ?? content }));
  const pending = [...presentMembers.keys()].filter((id) => !frozen.has(id));
  return { isKept: gone.length === 0 && membersDigest(comparedMembers) === profile.digest, gone, pending };
}
