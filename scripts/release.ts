import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { home } from "../schemas/index.ts";

const mustRun = (cwd: string, command: string, args: readonly string[]): void => {
  execFileSync(command, args, { cwd, stdio: ["ignore", "inherit", "inherit"] });
};

/**
 * Makes a release of the vectors: a folder written by `touchstone export all` and named after the version of the set, a reproducible tar of it,
 * and the checksum of the tar. Checks that the unpacked files match their checksums and have the digest of the set.
 */
const { out } = parseArgs({ options: { out: { type: "string", default: "release" } } }).values;
const workFolder = mkdtempSync(join(tmpdir(), "touchstone-release-"));
try {
  const { version, digest } = JSON.parse(readFileSync(join(home, "vectors", "MANIFEST.json"), "utf8"));
  const name = `touchstone-vectors-${version}`;
  const folder = join(out, name);
  if (existsSync(folder)) throw new Error(`${folder} already exists: remove it, or name another folder with --out`);
  const main = join(home, "suites", "cli", "main.ts");
  mustRun(home, join(home, "node_modules", ".bin", "tsx"), [main, "export", "all", "--out", join(workFolder, name)]);
  // Sorted names, and no times or owners: the same set always makes the same tar.
  const reproducible = ["--sort=name", "--mtime=@0", "--owner=0", "--group=0", "--numeric-owner", "--mode=u=rwX,go=rX"];
  mustRun(workFolder, "tar", ["--format=ustar", ...reproducible, "-cf", `${name}.tar`, name]);
  mustRun(workFolder, "gzip", ["-n", "-9", `${name}.tar`]);
  const tar = readFileSync(join(workFolder, `${name}.tar.gz`));
  const sum = createHash("sha256").update(tar).digest("hex");

  mkdirSync(join(workFolder, "unpacked"));
  mustRun(join(workFolder, "unpacked"), "tar", ["-xzf", join(workFolder, `${name}.tar.gz`)]);
  mustRun(join(workFolder, "unpacked", name), "sha256sum", ["--check", "--quiet", "--strict", "SHA256SUMS"]);
  const unpacked = readFileSync(join(workFolder, "unpacked", name, "MANIFEST.json"), "utf8");
  if (JSON.parse(unpacked).digest !== digest) throw new Error("the tar has a different set");

  mkdirSync(out, { recursive: true });
  cpSync(join(workFolder, name), folder, { recursive: true });
  writeFileSync(join(out, `${name}.tar.gz`), tar);
  writeFileSync(join(out, `${name}.tar.gz.sha256`), `${sum}  ${name}.tar.gz\n`);
  console.log(`${folder}: set ${version}, ${digest}; ${name}.tar.gz: ${tar.length} bytes, ${sum}`);
} finally {
  rmSync(workFolder, { recursive: true });
}
