// What the executable runs first: unpacks what is in it, once for each version, and starts the program there.
const { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } = require("node:fs");
const { createRequire } = require("node:module");
const { homedir, tmpdir } = require("node:os");
const { dirname, join, sep } = require("node:path");
const { getAsset, getRawAsset } = require("node:sea");
const { setFlagsFromString } = require("node:v8");
const { brotliDecompressSync } = require("node:zlib");

const folder = unpacked();
const words = process.argv.slice(2);
const isFlag = (word) => /^--(max-old-space-size|stack-size)=\d+$/.test(word);
const first = words.findIndex((word) => !isFlag(word));
const main = join(folder, "node_modules", "touchstone", "dist", "suites", "cli", "main.js");

// A program of the package starts others of it as Node would: this executable, flags, and a file.
if (first >= 0 && words[first].startsWith(folder + sep)) {
  for (const flag of words.slice(0, first)) setFlagsFromString(flag);
  process.argv = [process.execPath, ...words.slice(first)];
} else process.argv = [process.execPath, main, ...words];

// Only a file on the disk can import others.
createRequire(main)(join(folder, "start.cjs")).start(process.argv[1]);

function unpacked() {
  const caches =
    process.env.XDG_CACHE_HOME ||
    process.env.LOCALAPPDATA ||
    join(homedir(), ...(process.platform === "darwin" ? ["Library", "Caches"] : [".cache"]));
  const place = join(caches, "touchstone", getAsset("digest", "utf8"));
  if (existsSync(place)) return place;
  let fresh;
  try {
    mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
    fresh = mkdtempSync(`${place}.`);
  } catch {
    // Nobody may write there: then it is unpacked for this run alone.
    const own = mkdtempSync(join(tmpdir(), "touchstone-"));
    process.once("exit", () => rmSync(own, { recursive: true, force: true }));
    unpack(own);
    return own;
  }
  unpack(fresh);
  try {
    renameSync(fresh, place);
  } catch (error) {
    rmSync(fresh, { recursive: true, force: true });
    // Another process may have been quicker.
    if (!existsSync(place)) throw error;
  }
  return place;
}

/** A line that lists paths and sizes in bytes, then the files, all compressed: see schemas/archive.ts. */
function unpack(to) {
  const whole = brotliDecompressSync(Buffer.from(getRawAsset("package")));
  let at = whole.indexOf("\n") + 1;
  const made = new Set();
  for (const [path, size] of JSON.parse(whole.toString("utf8", 0, at))) {
    const file = join(to, path);
    if (!made.has(dirname(file))) mkdirSync(dirname(file), { recursive: true });
    made.add(dirname(file));
    writeFileSync(file, whole.subarray(at, at + size));
    at += size;
  }
}
