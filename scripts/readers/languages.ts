import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { home } from "../../schemas/index.ts";

/** A programming language with a reader in the guide. */
export interface Language {
  name: string;
  /** The info string of the code block in the guide. */
  fence: string;
  /** The file name of the reader. */
  file: string;
  /** The program in this folder that prints the rows of the reader. */
  dump: string;
  /** A command that exits with 0 if the language is installed. */
  needs: [string, ...string[]];
  /** Other files in the same folder, by name. */
  beside?: Readonly<Record<string, string>>;
  /** The command that builds the program in its folder, if needed. */
  build?(): string[] | undefined;
  run(): string[];
}

const cargo = `[package]
name = "dump"
version = "0.1.0"
edition = "2021"

[[bin]]
name = "dump"
path = "dump.rs"

[dependencies]
base64 = ">=0.13, <0.23"
serde = { version = "1", features = ["derive"] }
serde_json = { version = "1", features = ["raw_value"] }
`;

/** Debian's crates, if they are installed (librust-serde-json-dev, librust-serde-derive-dev, librust-base64-dev). Otherwise cargo uses its registry. */
const crates = "/usr/share/cargo/registry";
const cargoSources = `[source.crates-io]
replace-with = "debian"

[source.debian]
directory = "${crates}"
`;

export const languages: readonly Language[] = [
  {
    name: "Python",
    fence: "python",
    file: "vectors_reader.py",
    dump: "dump.py",
    needs: ["python3", "--version"],
    run: () => ["python3", "dump.py"],
  },
  {
    name: "Go",
    fence: "go",
    file: "vectors.go",
    dump: "dump.go",
    needs: ["go", "version"],
    beside: { "go.mod": "module dump\n\ngo 1.19\n" },
    build: () => ["go", "build", "-o", "dump", "."],
    run: () => ["./dump"],
  },
  {
    name: "Rust",
    fence: "rust",
    file: "vectors.rs",
    dump: "dump.rs",
    needs: ["cargo", "--version"],
    beside: { "Cargo.toml": cargo, ...(existsSync(crates) ? { ".cargo/config.toml": cargoSources } : {}) },
    build: () => ["cargo", "build", "--quiet", "--release"],
    run: () => ["./target/release/dump"],
  },
  {
    name: "Java",
    fence: "java",
    file: "Vectors.java",
    dump: "Dump.java",
    needs: ["javac", "-version"],
    build: () => ["javac", "-cp", findJackson(), "Vectors.java", "Dump.java"],
    run: () => ["java", "-cp", `${findJackson()}:.`, "Dump"],
  },
];

/** Finds the jar of Jackson's core: the file in JACKSON_CORE, Debian's (`libjackson2-core-java`), or one from Maven. */
function findJackson(): string {
  const { JACKSON_CORE: chosenJar } = process.env;
  const debian = "/usr/share/java/jackson-core.jar";
  const maven = join(homedir(), ".m2", "repository", "com", "fasterxml", "jackson", "core", "jackson-core");
  const mavenJars = existsSync(maven)
    ? readdirSync(maven).map((version) => join(maven, version, `jackson-core-${version}.jar`))
    : [];
  const jar = [...(chosenJar === undefined ? [] : [chosenJar]), debian, ...mavenJars.sort().reverse()].find((file) =>
    existsSync(file),
  );
  if (jar === undefined)
    throw new Error("Jackson's core is missing: install libjackson2-core-java, or name it in JACKSON_CORE");
  return jar;
}

export function isInstalled({ needs: [program, ...args] }: Language): boolean {
  return spawnSync(program, args).status === 0;
}

/** The source of a language's reader in the guide. */
export function readerIn({ fence, file }: Language, page: string): string {
  const [, code] = page.split(`\`${file}\`:\n\n\`\`\`${fence}\n`);
  if (code === undefined) throw new Error(`the page has no ${file}`);
  return `${code.split("\n```")[0]}\n`;
}

/** Builds the reader of a language, and returns its rows for a folder, one per vector, for each list of choices. Throws if it does not compile. */
export function rowsOfReader(
  language: Language,
  page: string,
  folder: string,
  choices: readonly (readonly string[])[],
): string[][] {
  const buildFolder = mkdtempSync(join(tmpdir(), "touchstone-reader-"));
  try {
    writeFileSync(join(buildFolder, language.file), readerIn(language, page));
    writeFileSync(join(buildFolder, language.dump), readFileSync(join(home, "scripts", "readers", language.dump)));
    for (const [file, text] of Object.entries(language.beside ?? {})) {
      mkdirSync(dirname(join(buildFolder, file)), { recursive: true });
      writeFileSync(join(buildFolder, file), text);
    }
    const build = language.build?.();
    if (build !== undefined) runProgram(build, buildFolder);
    return choices.map((names) =>
      runProgram([...language.run(), folder, ...names], buildFolder)
        .trimEnd()
        .split("\n"),
    );
  } finally {
    rmSync(buildFolder, { recursive: true, force: true });
  }
}

function runProgram([program = "", ...args]: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: "utf8", maxBuffer: 2 ** 28 });
  if (status === 0) return stdout;
  throw new Error(`${program} ${args[0]}: ${error?.message ?? stderr}`);
}
