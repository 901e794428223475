import { existsSync } from "node:fs";
import { basename } from "node:path";

import {
  type Cause,
  example,
  exitCodes,
  isNeverAsked,
  type Protocol,
  type Report,
  TouchstoneError,
} from "../../../schemas/index.ts";
import { digestFile, readBytes } from "../../base/format/bytes.ts";
import { escapeInvisible } from "../../base/text/escape.ts";
import { formatNotChecked } from "../../publishing/certify/not-checked.ts";
import { findRepeatedMember } from "../../publishing/certify/repeated-member.ts";
import type { Score } from "../../publishing/certify/score.ts";
import { describeCounts } from "../../reports/wording/phrases.ts";
import type { CliCommand } from "../command.ts";
import { repeatable } from "../options/parsers.ts";
import { freeze } from "./freeze.ts";
import { verify } from "./verify.ts";

const help = `
Writes a certificate: a signed statement (in-toto test result in a DSSE envelope, Ed25519) on a report, with the report, in one file that
touchstone certify verify checks. Every result that a profile lists has to be there, and none may violate, be skipped, error or time out.
Otherwise no certificate is written, the reasons are listed, and the exit code is 1.

Examples:
  touchstone certify --new-key hub.pem                       a key to sign with, and hub.pub.pem for those who verify
  touchstone run ${example.protocol} --http http://127.0.0.1:8080 --report json=report.json
  touchstone certify report.json --name my-hub --release 2.1.0 --key hub.pem --profile core --profile text
  touchstone certify verify my-hub-2.1.0.touchstone.json --key hub.pub.pem

Without --key the text of the key is taken from TOUCHSTONE_SIGNING_KEY. touchstone certify freeze --check lists the profiles.`;

interface CertifyOptions {
  name?: string;
  release?: string;
  key?: string;
  newKey?: string;
  profile?: string[];
  artifact?: string;
  baseline?: string;
  protocol?: string;
  out?: string;
}

const maxShown = 10;

export const certify: CliCommand = {
  parts: [verify, freeze],
  define(command) {
    command
      .argument("[report]", "report of a whole run, from --report json=FILE")
      .option("--name <name>", "name of the implementation")
      .option("--release <version>", "its version")
      .option("--key <file>", "private key to sign with, Ed25519 in PEM")
      .option("--new-key <file>", "only write a new key, with the public key beside it")
      .option(
        "--profile <name>",
        "a certification profile, or name@version (repeatable; default: core)",
        repeatable((text: string) => text),
      )
      .option("--artifact <file>", "the tested file, if there is one: its digest becomes the subject of the statement")
      .option("--protocol <path>", "folder of the report's pack, if its rules are code (default: found by name)")
      .option("--baseline <file>", "known failures to include")
      .option("--out <file>", "output file (default: NAME-RELEASE.touchstone.json)")
      .addHelpText("after", help);
  },
  async run([file], flags) {
    const options = flags as CertifyOptions;
    if (options.newKey !== undefined) return writeKeyPair(options.newKey);
    const { name, release, profile: profiles = ["core"], artifact } = options;
    if (file === undefined || name === undefined || release === undefined)
      throw new TouchstoneError("usage", `${file === undefined ? "no report" : "no --name or no --release"} is given`, {
        hint: "touchstone certify report.json --name my-hub --release 2.1.0 --key hub.pem",
      });
    const { readPrivateKey } = await import("../../publishing/certify/key.ts");
    const key = readPrivateKey(options.key, process.env);
    const { readReport } = await import("../../reports/index.ts");
    const text = readBytes(file).toString("utf8");
    const report = await readReport(text, file);
    const repeatedMember = findRepeatedMember(text);
    if (repeatedMember !== undefined)
      throw new TouchstoneError(
        "usage",
        `the report is not valid: ${JSON.stringify(repeatedMember)} is twice in one object`,
        {
          where: file,
          hint: "certify a report as a run has written it, unchanged",
        },
      );
    const protocols = await protocolsOf(report, options.protocol);
    const { profilesOf } = await import("../../publishing/certify/profiles.ts");
    const { assessReport: assess, createCertificate } = await import("../../publishing/certify/certify.ts");
    const request = {
      report,
      protocols,
      profiles,
      implementation: { name, release },
      ...(artifact === undefined ? {} : { artifact: { name: basename(artifact), sha256: digestFile(artifact) } }),
      ...(options.baseline === undefined
        ? {}
        : { more: [{ name: "baseline.json", text: readBytes(options.baseline).toString("utf8") }] }),
    };
    const assessment = await assess(request);
    for (const score of assessment.scores) process.stdout.write(`${escapeInvisible(describeScore(score))}\n`);
    const failedProfiles = assessment.scores.filter(({ result }) => result === "FAILED");
    if (failedProfiles.length > 0) {
      const lists = await Promise.all(
        protocols.map(async (protocol) => [protocol.name, await profilesOf(protocol)] as const),
      );
      const hasHttpProfile = ({ protocol, profile }: Score): boolean =>
        lists.some(
          ([protocolName, knownProfiles]) =>
            protocolName === protocol &&
            knownProfiles.some(({ name: knownProfile }) => knownProfile === httpProfileOf(profile)),
        );
      process.stdout.write(failedProfiles.map((score) => describeObjections(score, hasHttpProfile(score))).join(""));
      return exitCodes.violations;
    }
    const { writeWhole } = await import("../../base/process/file-writer.ts");
    const out = options.out ?? `${`${name}-${release}`.replace(/[^\w.-]+/g, "-")}.touchstone.json`;
    writeWhole(out, createCertificate(assessment, request, key));
    for (const line of formatNotChecked(assessment.notChecked)) process.stdout.write(`${escapeInvisible(line)}\n`);
    process.stdout.write(`${escapeInvisible(out)} written\n`);
    return 0;
  },
};

async function protocolsOf(report: Report, protocolPath: string | undefined): Promise<Protocol[]> {
  const { protocolsIn } = await import("../sources/protocols.ts");
  const namedProtocols =
    protocolPath === undefined ? [] : await (await import("../sources/description.ts")).resolveProtocols(protocolPath);
  const protocols = [...namedProtocols, ...(await protocolsIn([report]))];
  return report.runs.map(({ protocol, version }) => {
    const protocolOfRun = protocols.find((candidate) => candidate.name === protocol && candidate.version === version);
    if (protocolOfRun === undefined)
      throw new TouchstoneError(
        "usage",
        `the report is about ${protocol} ${version}, which this version of Touchstone does not have`,
        {
          hint: "certify with the version that ran it",
        },
      );
    return protocolOfRun;
  });
}

function describeScore({ protocol, version, profile, result, counts }: Score): string {
  return `${result}  ${protocol} ${version} ${profile}: ${describeCounts(counts)}`;
}

/** Returns the name of the profile that covers only the messages that servers receive over HTTP: `core-http` for `core@1`. */
function httpProfileOf(profile: string): string {
  return profile.replace(/@.*/, "-http");
}

/** Whether the message was skipped because it is never sent over HTTP: it is not for servers, or a server would take it for another message. */
function isUnsendable(cause: Cause | undefined): boolean {
  return isNeverAsked(cause) || cause?.kind === "taken-for" || cause?.kind === "unknown-kind";
}

/** Explains why a profile fails. Messages that are never sent to a server fail every run over HTTP; `hasHttpProfile` tells whether the pack has a profile without them. */
function describeObjections({ profile, failed: failedResults, missing }: Score, hasHttpProfile: boolean): string {
  const fixable = failedResults.filter(({ outcome, cause }) => outcome !== "skipped" || !isUnsendable(cause));
  const neverSentCount = failedResults.length - fixable.length;
  const lines = [
    ...fixable.map(({ id, outcome, why }) => `  ${outcome}: ${id}${why === "" ? "" : ` (${why})`}`),
    ...missing.map((id) => `  was not run: ${id}`),
  ];
  const hiddenNote = lines.length > maxShown ? [`  and ${lines.length - maxShown} more`] : [];
  const shownLines = [...lines.slice(0, maxShown), ...hiddenNote].map((line) => `${escapeInvisible(line)}\n`).join("");
  const neverSentNote =
    neverSentCount === 0
      ? ""
      : `  a run over HTTP can never have ${neverSentCount} of its results, which are about messages that are never sent to a server: certify a run with --module or --command, or another profile, such as ${hasHttpProfile ? httpProfileOf(profile) : "live"}\n`;
  const skippedCount = failedResults.filter(({ outcome }) => outcome === "skipped").length;
  const summary = `${failedResults.length - skippedCount} results fail, ${skippedCount} were skipped, ${missing.length} are missing`;
  return `\n${profile} cannot be certified: ${summary}\n${neverSentNote}${shownLines}`;
}

async function writeKeyPair(file: string): Promise<number> {
  const { createKeyPair } = await import("../../publishing/certify/key.ts");
  const { chmodSync, writeFileSync } = await import("node:fs");
  const publicFile = `${file.replace(/\.pem$/, "")}.pub.pem`;
  for (const path of [file, publicFile])
    if (existsSync(path))
      throw new TouchstoneError("usage", "the file exists already", { where: path, hint: "name another one" });
  const keyPair = createKeyPair();
  writeFileSync(file, keyPair.privateKey, { flag: "wx", mode: 0o600 });
  chmodSync(file, 0o600);
  writeFileSync(publicFile, keyPair.publicKey, { flag: "wx" });
  process.stdout.write(
    `${escapeInvisible(file)} signs, keep it secret; give ${escapeInvisible(publicFile)} to the verifiers\n`,
  );
  return 0;
}
