import { randomInt } from "node:crypto";
import { builtInPacks, example, exitCodes, protocolsNamed, TouchstoneError } from "../../../schemas/index.ts";
import { digestFile, readBytes } from "../../base/format/bytes.ts";
import { escapeInvisible } from "../../base/text/escape.ts";
import { protocolsNamedBy } from "../../packs/pack/load.ts";
import { formatNotChecked } from "../../publishing/certify/not-checked.ts";
import type { AnswerAgreement } from "../../publishing/certify/repeat-run.ts";
import type { Verification } from "../../publishing/certify/verify.ts";
import { describeCounts } from "../../reports/wording/phrases.ts";
import type { PartCommand } from "../command.ts";
import { wholeNumber } from "../options/parsers.ts";
import { type TargetOptions, targetFor, targetOf, withTarget } from "../options/target.ts";
import { createInterruption } from "../process/interruption.ts";

const help = `
Checks the signature and the digests of a certificate, makes the whole statement again from its report, and compares its vectors
and lists with the published ones (of a pack: --protocol PATH). With an implementation, it also runs a sample of the
certificate's vectors again, and as many new ones, and reports whether the results agree.

A signature proves who states something, and that nothing was changed since. It does not prove that the tests ran, that they ran
against what is named, or that the signer is honest: for that, give the implementation as well.

Examples:
  touchstone certify verify my-hub-2.1.0.touchstone.json --key hub.pub.pem
  touchstone certify verify my-hub-2.1.0.touchstone.json --key hub.pub.pem --protocol ${example.protocol} --http http://127.0.0.1:8080`;

interface VerifyOptions extends TargetOptions {
  key?: string;
  artifact?: string;
  protocol?: string;
  sample?: number;
  seed?: number;
  timeout?: number;
}

export const verify: PartCommand = {
  name: "verify",
  summary: "check a certificate and repeat a sample of its vectors",
  define(command) {
    withTarget(command.argument("<bundle>", "what touchstone certify has written"))
      .requiredOption("--key <file>", "public key of the signer, Ed25519 in PEM, from a source that you trust")
      .option("--artifact <file>", "the tested file, if the certificate is about a file")
      .option("--protocol <name>", "with an implementation: its protocol; or the folder of the certificate's pack")
      .option(
        "--sample <n>",
        "with an implementation: number of vectors to repeat, and of new ones (default: 200)",
        wholeNumber(1, 100_000),
      )
      .option(
        "--seed <n>",
        "seed of the sample and of the new vectors (default: a new one)",
        wholeNumber(0, 0x7fffffff),
      )
      .option("--timeout <ms>", "milliseconds for one vector (default: 5000)", wholeNumber(1, 3_600_000))
      .addHelpText("after", help);
  },
  async run([file = ""], flags) {
    const options = flags as VerifyOptions;
    const { readBundle } = await import("../../publishing/certify/bundle.ts");
    const { readPublicKey } = await import("../../publishing/certify/key.ts");
    const { findObjections } = await import("../../publishing/certify/check.ts");
    const { verifyBundle } = await import("../../publishing/certify/verify.ts");
    const key = readPublicKey(options.key as string);
    const namedProtocols = options.protocol === undefined ? [] : await protocolsNamedBy(options.protocol);
    const bundle = readBundle(readBytes(file, "give what touchstone certify has written").toString("utf8"), file);
    const verification = await verifyBundle(bundle, {
      key,
      keyName: options.key as string,
      findProtocol: (name, version) =>
        [...namedProtocols, ...protocolsNamed("all")].find(
          (protocol) => protocol.name === name && protocol.version === version,
        ),
      artifact: options.artifact === undefined ? undefined : digestFile(options.artifact),
    });
    const description = describeVerification(verification);
    const { statement, checks } = verification;
    if (findObjections(checks).length > 0 || statement === undefined) {
      process.stdout.write(description);
      return exitCodes.violations;
    }
    const hasImplementation = [options.module, options.command, options.http, options.reference].some(
      (option) => option !== undefined,
    );
    if (!hasImplementation) {
      process.stdout.write(
        `${description}The signature proves who states this, not that the tests were run: give the implementation to run a sample again.\n`,
      );
      return 0;
    }
    const agreement = await repeatSample(verification, options).catch((error: unknown) => {
      process.stdout.write(description);
      throw error;
    });
    process.stdout.write(`${describeAgreement(agreement)}${description}`);
    return agreement.differences.length + agreement.violatedIds.length === 0 ? 0 : exitCodes.violations;
  },
};

async function repeatSample(verification: Verification, options: VerifyOptions): Promise<AnswerAgreement> {
  const { repeatRun } = await import("../../publishing/certify/repeat-run.ts");
  const { requireValid } = await import("../../publishing/certify/verify.ts");
  const { statement, report } = requireValid(verification);
  const names = new Set(statement.predicate.touchstone.scores.map(({ protocol }) => protocol));
  // A certificate may name anything, so only known names are accepted from it.
  const builtInNames = builtInPacks.filter(({ name }) => names.has(name)).map(({ name }) => name);
  const candidates = await Promise.all(
    (options.protocol === undefined ? [...new Set(builtInNames)] : [options.protocol]).map((name) =>
      protocolsNamedBy(name),
    ),
  );
  const [protocol, ...otherProtocols] = candidates.flat();
  if (protocol === undefined || otherProtocols.length > 0 || !names.has(protocol.name))
    throw new TouchstoneError("usage", "the protocol of the vectors is ambiguous", {
      hint: `--protocol ${[...names].join(" or --protocol ")}`,
    });
  const interruption = createInterruption();
  const seed = options.seed ?? randomInt(2 ** 31);
  process.stderr.write(`seed ${seed}\n`);
  try {
    return await repeatRun({
      protocol,
      report,
      seed,
      sampleSize: options.sample ?? 200,
      signal: interruption.signal,
      target: await targetFor(targetOf(options), {}),
      profiles: verification.profiles.filter((profile) =>
        statement.predicate.touchstone.scores.some(
          (score) => score.protocol === protocol.name && score.digest === profile.digest,
        ),
      ),
      ...(options.timeout === undefined ? {} : { timeoutMs: options.timeout }),
    });
  } finally {
    interruption.end();
  }
}

/** The maximum number of vectors that are listed. */
const maxShown = 10;

function describeAgreement({ repeatedCount, differences, newCount, violatedIds }: AnswerAgreement): string {
  const lines = [
    differences.length + violatedIds.length === 0
      ? "The implementation agrees with its certificate."
      : "The implementation does not agree with its certificate.",
    `${repeatedCount - differences.length} of ${repeatedCount} vectors that were run again are as the certificate says`,
    ...differences
      .slice(0, maxShown)
      .map(({ id, then: certified, now }) => `  ${id}: ${now}, the certificate says ${certified}`),
    `${newCount - violatedIds.length} of ${newCount} new vectors do not violate anything`,
    ...violatedIds.slice(0, maxShown).map((id) => `  ${id} violates`),
  ];
  return lines.map((line) => `${escapeInvisible(line)}\n`).join("");
}

function describeVerification({ checks, statement }: Verification): string {
  const failedChecks = checks.filter((check) => check.wrong !== undefined);
  const openChecks = checks.filter((check) => check.open !== undefined);
  const passedCount = checks.length - failedChecks.length - openChecks.length;
  const isInvalid =
    failedChecks.length > 0 || openChecks.some(({ what }) => what !== "subject") || statement === undefined;
  const { touchstone, result } = statement?.predicate ?? {};
  const lines = [
    ...(isInvalid || touchstone === undefined
      ? ["The certificate is not valid:", ...failedChecks.map(({ what, wrong: why }) => `  ${what}: ${why}`)]
      : [
          `The certificate is valid. It says ${result} of ${touchstone.implementation.name} ${touchstone.implementation.release}, run ${touchstone.started}`,
          ...touchstone.scores.map(
            ({ protocol, version, profile, result: profileResult, counts }) =>
              `  ${profileResult}  ${protocol} ${version} ${profile}: ${describeCounts(counts)}`,
          ),
          ...formatNotChecked(touchstone.notChecked).map((line) => `  ${line}`),
        ]),
    ...openChecks.map(({ what, open: why }) => `  ${what}: not compared, ${why}`),
    `${passedCount} of ${checks.length} checks pass:`,
    ...checks.flatMap((check) =>
      check.wrong === undefined && check.open === undefined ? [`  ${check.what}: compared with ${check.against}`] : [],
    ),
  ];
  return lines.map((line) => `${escapeInvisible(line)}\n`).join("");
}
