// Runs a program that was compiled into one file with V8's code cache from the last run, because compiling is a large part of a short run.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import { constants, Script } from "node:vm";

// V8 compiles a function quickly at its first call, and optimizes it when it is hot. In a run of a few seconds the optimization costs more
// than it gains, so here it begins eight times later. Collecting garbage on several threads does not help either, because every processor has
// other work. Versions after Node 20 name these options differently.
if (process.versions.v8.startsWith("11."))
  for (const flag of ["--always-sparkplug", "--interrupt-budget=1000000", "--no-parallel-scavenge"])
    setFlagsFromString(flag);

/** Runs a CommonJS file. At its end, the compiled code of all called functions is cached beside it, for the same version of V8. */
export function run(file) {
  const cacheFile = `${file}.code`;
  const cachedData = existsSync(cacheFile) ? readFileSync(cacheFile) : undefined;
  const script = new Script(`(function (module, exports, require) {${readFileSync(file, "utf8")}\n})`, {
    filename: file,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (cachedData === undefined || script.cachedDataRejected)
    process.on("exit", (status) => {
      if (status === 0) storeCode(cacheFile, script.createCachedData());
    });
  const module = { exports: {} };
  script.runInThisContext()(module, module.exports, createRequire(file));
}

/** Writes the cache to a temporary file and renames it, so that a concurrent reader never sees a part of it. */
function storeCode(file, bytes) {
  const temporaryFile = `${file}.${process.pid}`;
  writeFileSync(temporaryFile, bytes);
  renameSync(temporaryFile, file);
}
