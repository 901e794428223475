import type { Protocol, Report, Run } from "../../../schemas/index.ts";
import { loadVectors } from "../../packs/corpus/index.ts";
import { listNotChecked } from "./certify.ts";
import type { CertificateCheck } from "./check.ts";
import { findMisstatement } from "./misstatement.ts";
import { type CertificationProfile, profilesOf } from "./profiles.ts";
import type { Statement } from "./statement.ts";

/** Compares the vector sets and profiles of a certificate with those of this version. Checks of unknown protocols or vectors stay open. */
export async function compareWithPublished(
  { predicate }: Statement,
  report: Report,
  profiles: readonly CertificationProfile[],
  findProtocol: (name: string, version: string) => Protocol | undefined,
): Promise<CertificateCheck[]> {
  const { scores, notChecked, tool } = predicate.touchstone;
  const checks: CertificateCheck[] = [];
  let isComplete = true;
  const expectedNotChecked: typeof notChecked = [];
  for (const run of report.runs) {
    const { protocol: name, version, set } = run;
    const scoredProfiles = scores.flatMap((score, index) =>
      score.protocol === name && score.version === version ? [profiles[index] as CertificationProfile] : [],
    );
    const protocol = findProtocol(name, version);
    const profileChecks = scoredProfiles.map((profile) => `list of ${name} ${profile.name}@${profile.version}`);
    const vectorsCheck = `vectors of ${name} ${version}`;
    if (protocol === undefined) {
      isComplete = false;
      const open = `there is no ${name} ${version} here: give the folder of its pack with --protocol`;
      for (const what of [vectorsCheck, ...profileChecks]) checks.push({ what, against: "nothing", open });
      continue;
    }
    const { digest } = loadVectors(protocol);
    if (digest !== set.digest) isComplete = false;
    checks.push(
      digest === set.digest
        ? { what: vectorsCheck, against: `the set that is here, ${digest}` }
        : {
            what: vectorsCheck,
            against: "nothing",
            open: `they are ${set.digest}, and those here are ${digest}: verify with Touchstone ${tool.version}`,
          },
    );
    if (digest === set.digest) {
      const misstatement = await findMisstatement(run, protocol);
      const what = `results of ${name} ${version}, each equal to the published one`;
      checks.push({
        what,
        against: "the vectors and scenarios that are here",
        ...(misstatement === undefined ? {} : { wrong: misstatement }),
      });
    }
    for (const profile of scoredProfiles) checks.push(await compareProfile(profile, protocol, run));
    if (digest === set.digest) expectedNotChecked.push(...(await listNotChecked(run, protocol, scoredProfiles)));
  }
  const what = "unchecked results";
  if (!isComplete) checks.push({ what, against: "nothing", open: "some of its lists are not available here" });
  else if (JSON.stringify(expectedNotChecked) === JSON.stringify(notChecked))
    checks.push({ what, against: "the lists that are published here" });
  else checks.push({ what, against: "the lists that are published here", wrong: "the statement's list differs" });
  return checks;
}

/** Compares a profile with the published one of the same name and version. */
async function compareProfile(
  profile: CertificationProfile,
  protocol: Protocol,
  { protocol: name }: Run,
): Promise<CertificateCheck> {
  const what = `list of ${name} ${profile.name}@${profile.version}`;
  const publishedProfile = (await profilesOf(protocol)).find(
    (certificationProfile) =>
      certificationProfile.name === profile.name && certificationProfile.version === profile.version,
  );
  if (publishedProfile === undefined)
    return { what, against: "nothing", open: `there is no ${profile.name}@${profile.version} here: update Touchstone` };
  const isOurs = JSON.stringify(publishedProfile) === JSON.stringify(profile);
  return {
    what,
    against: "the list that is published here",
    ...(isOurs ? {} : { wrong: "it differs from that list" }),
  };
}
