import { formatAddress, type Protocol, TouchstoneError } from "../../../schemas/index.ts";
import { type Membership, membersDigest, membershipsOf, type ProfileMember } from "./members.ts";
import { type CertificationFile, type CertificationProfile, fitOf, profilesOf } from "./profiles.ts";

/** The result of freezing one profile, done or planned. */
export interface FrozenProfile {
  name: string;
  version: number;
  results: number;
  /** The number of members that the frozen version does not have yet. */
  pending: number;
  isNew: boolean;
}

/** Freezes the certification profiles of a protocol with the present members. A new profile gets version 1, and profiles that fit are kept. With `next`, a profile gets its next version if it has pending members, no longer fits, or has a digest without the steps of its scenarios. Without `next`, throws a usage error for a profile that no longer fits. */
export async function freezeProfiles(
  protocol: Protocol,
  { next = false }: { next?: boolean } = {},
): Promise<{ file: CertificationFile; frozen: FrozenProfile[] }> {
  const existing = await profilesOf(protocol);
  const memberships = await membershipsOf(protocol);
  const profiles: CertificationProfile[] = [];
  const frozen: FrozenProfile[] = [];
  for (const membership of memberships) {
    const versions = existing.filter(({ name }) => name === membership.name).sort((a, b) => a.version - b.version);
    const fitting = versions.filter((certificationProfile) => fitOf(certificationProfile, membership).isKept);
    const latest = versions.at(-1);
    const isLatestKept = latest !== undefined && fitting.includes(latest);
    if (latest !== undefined && !isLatestKept && !next)
      throw misfitError(protocol, latest, fitOf(latest, membership).gone);
    const pending = latest === undefined ? 0 : fitOf(latest, membership).pending.length;
    const isBehind = latest?.steps !== true && membership.members.some(isStepped);
    const isNew = latest === undefined || (next && (!isLatestKept || isBehind || pending > 0));
    const newProfiles = isNew ? [profileOf(membership, (latest?.version ?? 0) + 1)] : [];
    profiles.push(...fitting, ...newProfiles);
    const { version, results } = (newProfiles[0] ?? latest) as CertificationProfile;
    frozen.push({
      name: membership.name,
      version,
      results: results.length,
      pending: isNew ? 0 : pending,
      isNew,
    });
  }
  return { file: { $schema: formatAddress("certification"), profiles }, frozen };
}

function profileOf({ name, title, members, side, reading }: Membership, version: number): CertificationProfile {
  return {
    name,
    version,
    title,
    digest: membersDigest(members),
    ...(members.some(isStepped) ? { steps: true } : {}),
    ...(side === undefined ? {} : { side }),
    ...(reading === undefined ? {} : { reading }),
    results: members.map(({ id }) => id),
  };
}

function isStepped({ stepless }: ProfileMember): boolean {
  return stepless !== undefined;
}

function misfitError(
  { name: protocol, version }: Protocol,
  profile: CertificationProfile,
  gone: string[],
): TouchstoneError {
  const problem =
    gone.length === 0 ? "one of its vectors or scenarios has changed" : `${gone.length} of its results are gone`;
  return new TouchstoneError("usage", `the profile ${profile.name}@${profile.version} no longer fits: ${problem}`, {
    where: `${protocol} ${version}${gone[0] === undefined ? "" : ` (${gone[0]})`}`,
    hint: "restore them, or freeze its next version with --next",
  });
}
