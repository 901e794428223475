// The entry of the executable: unpacks the package in it, once for each version, and starts the program there.
const { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { homedir, tmpdir } = require("node:os");
const { dirname, join, sep } = require("node:path");
const { getAsset, getRawAsset } = require("node:sea");
const { setFlagsFromString } = require("node:v8");
const { brotliDecompressSync } = require("node:zlib");

const folder = unpackedFolder();
const args = process.argv.slice(2);
const isFlag = (arg) => /^--(max-old-space-size|stack-size)=\d+$/.test(arg);
const fileIndex = args.findIndex((arg) => !isFlag(arg));
const main = join(folder, "node_modules", "touchstone", "dist", "suites", "cli", "main.js");

// Programs of the package start each other as they would with Node: with this executable, flags and a file.
if (fileIndex >= 0 && args[fileIndex].startsWith(folder + sep)) {
  for (const flag of args.slice(0, fileIndex)) setFlagsFromString(flag);
  process.argv = [process.execPath, ...args.slice(fileIndex)];
} else process.argv = [process.execPath, main, ...args];

// Only a file on disk can import other modules.
createRequire(main)(join(folder, "start.cjs")).start(process.argv[1]);

function unpackedFolder() {
  const caches =
    process.env.XDG_CACHE_HOME ||
    process.env.LOCALAPPDATA ||
    join(homedir(), ...(process.platform === "darwin" ? ["Library", "Caches"] : [".cache"]));
  const cacheFolder = join(caches, "touchstone", getAsset("digest", "utf8"));
  if (existsSync(cacheFolder)) return cacheFolder;
  let partialFolder;
  try {
    mkdirSync(dirname(cacheFolder), { recursive: true, mode: 0o700 });
    partialFolder = mkdtempSync(`${cacheFolder}.`);
  } catch {
    // The cache is not writable: the package is unpacked only for this run.
    const temporaryFolder = mkdtempSync(join(tmpdir(), "touchstone-"));
    process.once("exit", () => rmSync(temporaryFolder, { recursive: true, force: true }));
    unpack(temporaryFolder);
    return temporaryFolder;
  }
  unpack(partialFolder);
  try {
    renameSync(partialFolder, cacheFolder);
  } catch (error) {
    rmSync(partialFolder, { recursive: true, force: true });
    // Another process may have unpacked it first.
    if (!existsSync(cacheFolder)) throw error;
  }
  return cacheFolder;
}

/** Unpacks an archive: a line with paths and sizes in bytes, then the files, all compressed (see schemas/archive.ts). */
function unpack(to) {
  const archive = brotliDecompressSync(Buffer.from(getRawAsset("package")));
  let offset = archive.indexOf("\n") + 1;
  const madeFolders = new Set();
  for (const [path, size] of JSON.parse(archive.toString("utf8", 0, offset))) {
    const file = join(to, path);
    if (!madeFolders.has(dirname(file))) mkdirSync(dirname(file), { recursive: true });
    madeFolders.add(dirname(file));
    writeFileSync(file, archive.subarray(offset, offset + size));
    offset += size;
  }
}
