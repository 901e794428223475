import { formatAddress, type Protocol, TouchstoneError } from "../../../schemas/index.ts";
import { type Membership, membersDigest, membershipsOf, type ProfileMember } from "./members.ts";
import { type CertificationFile, type CertificationProfile, fitOf, profilesOf } from "./profiles.ts";

/** The result of freezing one profile, done or planned. */
export interface Frozen {
  name: string;
  version: number;
  results: number;
  /** The number of members that the frozen version does not have yet. */
  pending: number;
  isNew: boolean;
}

/** The certification profiles of a protocol with the present members: unfrozen profiles become version 1, fitting ones stay. With `next`, a profile that has pending members, no longer fits, or has a digest without the steps of its scenarios gets its next version. Without it, throws a usage error for a profile that no longer fits. */
export async function frozenProfiles(
  protocol: Protocol,
  { next = false }: { next?: boolean } = {},
): Promise<{ file: CertificationFile; frozen: Frozen[] }> {
  const before = await profilesOf(protocol);
  const memberships = await membershipsOf(protocol);
  const profiles: CertificationProfile[] = [];
  const frozen: Frozen[] = [];
  for (const today of memberships) {
    const versions = before.filter(({ name }) => name === today.name).sort((a, b) => a.version - b.version);
    const fitting = versions.filter((certificationProfile) => fitOf(certificationProfile, today).isKept);
    const last = versions.at(-1);
    const isFit = last !== undefined && fitting.includes(last);
    if (last !== undefined && !isFit && !next) throw misfitError(protocol, last, fitOf(last, today).gone);
    const pending = last === undefined ? 0 : fitOf(last, today).pending.length;
    const isBehind = last?.steps !== true && today.members.some(isStepped);
    const isNew = last === undefined || (next && (!isFit || isBehind || pending > 0));
    const newProfiles = isNew ? [profileOf(today, (last?.version ?? 0) + 1)] : [];
    profiles.push(...fitting, ...newProfiles);
    const { version, results } = (newProfiles[0] ?? last) as CertificationProfile;
    frozen.push({
      name: today.name,
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
