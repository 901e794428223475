import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { bundled } from "./bundle.js";
import { type CommandRun, foreignVerdicts, runCommand } from "./size/judged.ts";
import { bytesIn, limitsIn, linesIn, packIn, schemaArgument, tableOf } from "./size/measured-size.ts";

// npx tsx scripts/protocols.ts FOLDER [--deadline SECONDS] [WORD…]: makes a pack of each protocol in a folder, which has a subfolder of schemas for
// each, the smallest first. Prints the number of documents and vectors; the assertions that are isolated, proven unbreakable, and left; seconds of
// processor time; the size of the vectors; and the number of vectors that @exodus/schemasafe and Python's jsonschema judge differently. If a
// schema itself has no assertions, each of its definitions is a document. Figures are appended to FOLDER/protocols.jsonl, so that a stopped run
// can continue, and the differing vectors are written to FOLDER/NAME.differing.jsonl.
const [folderArgument = ".", ...options] = process.argv.slice(2);
const { deadline, words } = limitsIn(options);
const folder = resolve(folderArgument);
const program = join(await bundled(), "suites", "cli", "main.js");
const builtRoot = basename(join(program, "..", "..", ".."));

interface ProtocolLine {
  built: string;
  deadline: number;
  name: string;
  generate: CommandRun;
  pack: ReturnType<typeof packIn>;
  bytes: number;
  differing: Record<string, number | null>;
}

interface MeasuredProtocol {
  name: string;
  files: string[];
  size: number;
}

function protocolsIn(): MeasuredProtocol[] {
  return readdirSync(folder)
    .filter((name) => statSync(join(folder, name)).isDirectory())
    .map((name) => {
      const files = readdirSync(join(folder, name), { recursive: true })
        .map((file) => join(folder, name, String(file)))
        .filter((file) => /\.(json|ya?ml)$/.test(file) && statSync(file).isFile())
        .sort();
      return { name, files, size: files.reduce((sum, file) => sum + statSync(file).size, 0) };
    })
    .filter(({ files }) => files.length > 0)
    .sort((first, second) => first.size - second.size);
}

function measureProtocol({ name, files }: MeasuredProtocol): ProtocolLine {
  const out = mkdtempSync(join(tmpdir(), "protocols-"));
  try {
    const pack = join(out, "pack");
    const schemas = files.flatMap((file) => ["--schema", schemaArgument(file, readFileSync(file, "utf8"))]);
    const limits = ["--deadline", String(deadline), "--unguarded"];
    const generate = runCommand(
      program,
      ["generate", ...schemas, "--name", name.toLowerCase(), "--out", pack, ...limits],
      deadline,
    );
    const list = join(folder, `${name}.differing.jsonl`);
    rmSync(list, { force: true });
    const differing = existsSync(pack) ? foreignVerdicts(program, pack, { deadline, list }) : {};
    const bytes = bytesIn(join(pack, "vectors"));
    return { built: builtRoot, deadline, name, generate, pack: packIn(pack), bytes, differing };
  } finally {
    rmSync(out, { recursive: true, force: true });
  }
}

const { known, add } = linesIn<ProtocolLine>(join(folder, "protocols.jsonl"));
const chosenProtocols = protocolsIn().filter(
  ({ name }) => words.length === 0 || words.some((word) => name.includes(word)),
);
const lines = chosenProtocols.map((chosenProtocol) => {
  const earlierLine = known.find(
    (line) => line.built === builtRoot && line.deadline === deadline && line.name === chosenProtocol.name,
  );
  const line = earlierLine ?? measureProtocol(chosenProtocol);
  // A missing pack may be the fault of the machine, so it is not recorded, and is tried again.
  if (earlierLine === undefined && line.pack !== undefined) add(line);
  console.error(`${chosenProtocol.name}: ${JSON.stringify(line)}`);
  return line;
});
const head = [
  "protocol",
  "documents",
  "vectors",
  "assertions",
  "isolated",
  "proven unbreakable",
  "left",
  "s",
  "MiB",
  "exit code",
  "schemasafe differs",
  "jsonschema differs",
];
const rows = lines.map(({ name, generate, pack, bytes, differing }) => {
  const { documents = 0, vectors = 0, sites = 0, isolated = 0, proven = 0 } = pack ?? {};
  return [
    name,
    documents,
    vectors,
    sites,
    isolated,
    proven,
    sites - isolated - proven,
    generate.seconds.toFixed(1),
    (bytes / 2 ** 20).toFixed(2),
    generate.code ?? "killed",
    differing.schemasafe ?? "–",
    differing.jsonschema ?? "–",
  ];
});
console.log(tableOf(head, rows));
const hasFault = lines.some(({ generate, differing }) => generate.code !== 0 || Object.values(differing).some(Boolean));
process.exitCode = hasFault ? 1 : 0;
