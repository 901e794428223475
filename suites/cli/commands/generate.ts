import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { exitCodes, TouchstoneError } from "../../../schemas/index.ts";
import { visible } from "../../text/escape.ts";
import type { CliCommand } from "../command.ts";
import { guarded } from "../guarded.ts";
import { several, wholeNumber } from "../parse.ts";

interface Options {
  schema: string;
  ref?: string[];
  out?: string;
  name?: string;
  seed?: number;
  effort?: number;
  deadline?: number;
  unguarded?: true;
}

/** The parts of the time after which a stage ends, so that what there is can still be judged and written. */
const shares: Partial<Record<string, number>> = { faults: 0.4, forcing: 0.6, judging: 0.85 };

export const generate: CliCommand = {
  define(command) {
    command
      .requiredOption("--schema <file>", "the schema, JSON or YAML, draft-04 to 2020-12")
      .option("--ref <path>", "a file or folder of schemas that it refers to (repeatable)", several(String))
      .option("--out <dir>", "where the vectors go (default: vectors-NAME)")
      .option("--name <name>", "name of the set (default: from the file's name)")
      .option("--seed <n>", "recorded in the files (default: 42)", wholeNumber(0, 0xffffffff))
      .option(
        "--effort <n>",
        "how many times the usual work a large schema may take (default: 1)",
        wholeNumber(1, 1000),
      )
      .option("--deadline <seconds>", "when to stop, with what there is (default: 300)", wholeNumber(1, 86_400))
      .option("--unguarded", "in this process, which nothing stops");
  },
  async run(_args, given) {
    const { deadline = 300, unguarded, ...options } = given as unknown as Options;
    return unguarded === true ? make(options, deadline) : guarded(deadline);
  },
};

async function make({ schema, ref = [], out, name, seed, effort }: Options, deadline: number): Promise<number> {
  const { stagesOn } = await import("../stages.ts");
  const { loadSchemas } = await import("../../../schemas/index.ts");
  const { buildSet, compileModel, foreignProtocol, lint } = await import("../../../generators/index.ts");
  const { generated } = await import("../generated.ts");
  const stages = await stagesOn(process.stderr);
  const isLate = (share: number) => performance.now() > deadline * 1000 * share;
  let stopped = false;
  try {
    stages.show("loading");
    const loaded = await loadSchemas({ schema, refs: ref, upgrade: true });
    for (const note of loaded.notes) process.stderr.write(`${visible(note)}\n`);
    const protocol = foreignProtocol(loaded, name ?? nameOf(schema));
    const folder = out ?? `vectors-${protocol.name}`;
    refuseForeign(folder);
    const { texts, manifest } = await buildSet([protocol], undefined, {
      foreign: true,
      ...(seed === undefined ? {} : { seed }),
      ...(effort === undefined ? {} : { effort }),
      watch: ({ stage, done, total }) => {
        stages.show(stage, done, total);
        const over = isLate(shares[stage] ?? 1);
        stopped ||= over;
        return !over;
      },
    });
    const [document] = manifest.documents;
    if (document === undefined || manifest.count === 0) {
      throw new TouchstoneError("usage", "no valid instance of the schema was found, so nothing could be made", {
        where: schema,
        hint: document?.unbroken[0]?.why ?? "nothing fulfils it",
      });
    }
    stages.show("writing");
    write(folder, texts.set("schemas.json", `${JSON.stringify(loaded.schemas, null, 2)}\n`));
    stages.show("looking for oddities");
    const model = await compileModel(protocol.schemas, loaded.entry);
    const findings = lint(model, loaded.schemas, document, () => isLate(0.9));
    stages.stop();
    process.stdout.write(generated({ folder, manifest, document, findings, stopped, source: loaded.source }));
    return stopped ? exitCodes.violations : 0;
  } finally {
    stages.stop();
  }
}

function write(folder: string, texts: ReadonlyMap<string, string>): void {
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
}

function refuseForeign(folder: string): void {
  if (!existsSync(folder) || readdirSync(folder).length === 0 || existsSync(join(folder, "MANIFEST.json"))) return;
  throw new TouchstoneError("usage", `${folder} holds something else than vectors`, {
    hint: "name an empty folder with --out",
  });
}

function nameOf(file: string): string {
  const stem = basename(file).replace(/\.(schema\.)?(json|ya?ml)$/i, "");
  return (
    stem
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, "-")
      .replace(/^[^a-z]+|-+$/g, "") || "schema"
  );
}
