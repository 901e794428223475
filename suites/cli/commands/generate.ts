import { spawn } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { TouchstoneError } from "../../../schemas/index.ts";
import type { CliCommand } from "../command.ts";
import { several, wholeNumber } from "../parse.ts";

interface Options {
  schema: string;
  ref?: string[];
  out?: string;
  name?: string;
  seed?: number;
  deadline?: number;
  unguarded?: true;
}

export const generate: CliCommand = {
  name: "generate",
  summary: "make vectors from any JSON Schema, with a forcing table and a lint of the schema",
  define(command) {
    command
      .requiredOption("--schema <file>", "the schema, JSON or YAML, draft-06 to 2020-12")
      .option("--ref <path>", "a file or folder of schemas that it refers to (repeatable)", several(String))
      .option("--out <dir>", "where the vectors go (default: vectors-NAME)")
      .option("--name <name>", "name of the set (default: from the file's name)")
      .option("--seed <n>", "recorded in the files (default: 42)", wholeNumber(0, 0xffffffff))
      .option("--deadline <seconds>", "when to stop (default: 300)", wholeNumber(1, 86_400))
      .option("--unguarded", "in this process, without a deadline");
  },
  async run(_args, given) {
    const options = given as unknown as Options;
    return options.unguarded === true ? make(options) : guarded(options.deadline ?? 300);
  },
};

/** Patterns of a foreign schema can keep a regular expression busy for ever: the work is done in a process that can be stopped. */
async function guarded(seconds: number): Promise<number> {
  const [node, program, ...args] = process.argv as [string, string, ...string[]];
  const child = spawn(
    node,
    [...process.execArgv, "--max-old-space-size=2048", "--stack-size=3900", program, ...args, "--unguarded"],
    {
      stdio: "inherit",
    },
  );
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      child.kill("SIGKILL");
      reject(
        new TouchstoneError("usage", `no end after ${seconds} seconds`, {
          hint: "give it longer with --deadline, or simplify the schema: a pattern with nested repetitions, deep recursion or very large bounds take long",
        }),
      );
    }, seconds * 1000);
    child.once("error", reject);
    child.once("exit", (code, signal) => {
      clearTimeout(timer);
      if (code !== null) resolve(code);
      else
        reject(
          new TouchstoneError("internal", `making the vectors ended by ${signal}`, {
            hint: "the schema may need more memory than 2 GiB",
          }),
        );
    });
  });
}

async function make({ schema, ref = [], out, name, seed }: Options): Promise<number> {
  const { loadSchemas } = await import("../../../schemas/index.ts");
  const { buildSet, compileModel, foreignProtocol, lint } = await import("../../../generators/index.ts");
  const loaded = await loadSchemas({ schema, refs: ref });
  const protocol = foreignProtocol(loaded, name ?? nameOf(schema));
  const folder = out ?? `vectors-${protocol.name}`;
  if (existsSync(folder) && readdirSync(folder).length > 0 && !existsSync(join(folder, "MANIFEST.json"))) {
    throw new TouchstoneError("usage", `${folder} holds something else than vectors`, {
      hint: "name an empty folder with --out",
    });
  }
  const { texts, manifest } = await buildSet([protocol], undefined, {
    foreign: true,
    ...(seed === undefined ? {} : { seed }),
  });
  if (manifest.count === 0) {
    throw new TouchstoneError("usage", "no valid instance of the schema was found, so nothing could be made", {
      where: schema,
      hint: manifest.documents[0]?.unbroken[0]?.why ?? "nothing fulfils it",
    });
  }
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  const [document] = manifest.documents;
  if (document === undefined) throw new TouchstoneError("internal", "nothing was made");
  const { forcing } = document;
  const findings = lint(await compileModel(protocol.schemas, loaded.entry), document);
  const where = (at: string): string => {
    const source = loaded.source(at);
    return source === undefined ? at : `${source.file}:${source.line}:${source.column} ${at.slice(at.indexOf("#"))}`;
  };
  const lines = [
    ...manifest.files.map(({ path, count }) => `${String(count).padStart(6)}  ${join(folder, path)}`),
    "",
    `${document.broken} of ${document.sites} assertions are broken alone by some vector`,
    `${forcing.twice} of ${forcing.mutants} small mistakes in the schema are told by two vectors or more, ${forcing.once} by one, ${forcing.equivalent} are proven to change nothing`,
    ...forcing.unforced.map(
      ({ site, says, kills, why }) => `  ${kills === 0 ? "not told" : "told once"}: ${says} (${where(site)}): ${why}`,
    ),
    "",
    findings.length === 0 ? "The schema shows nothing odd." : `${findings.length} places in the schema to look at:`,
    ...findings.map(({ at, kind, why }) => `  ${kind}: ${where(at)} ${why}`),
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
  return 0;
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
