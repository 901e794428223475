// Runs a program that was compiled into one file, with V8's cached code from the last run: compiling it again is a good part of a short run.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import { constants, Script } from "node:vm";

// V8 compiles a function quickly when it is first called, and again, slowly and well, when it is hot. In a run of a few
// seconds the second compilation costs more than it gains, so here it begins eight times later. Nor does collecting garbage on several threads help
// when there is other work for every processor. Versions after Node 20 name these options differently.
if (process.versions.v8.startsWith("11."))
  for (const flag of ["--always-sparkplug", "--interrupt-budget=1000000", "--no-parallel-scavenge"])
    setFlagsFromString(flag);

/** Runs a CommonJS file. The code of the functions called by its end is cached beside it, for the same version of V8. */
export function run(file) {
  const code = `${file}.code`;
  const cachedData = existsSync(code) ? readFileSync(code) : undefined;
  const script = new Script(`(function (module, exports, require) {${readFileSync(file, "utf8")}\n})`, {
    filename: file,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER,
  });
  if (cachedData === undefined || script.cachedDataRejected)
    process.on("exit", (status) => {
      if (status === 0) storeCode(code, script.createCachedData());
    });
  const module = { exports: {} };
  script.runInThisContext()(module, module.exports, createRequire(file));
}

/** The file is renamed into place, so that a concurrent reader never sees a part of it. */
function storeCode(file, bytes) {
  const temporaryFile = `${file}.${process.pid}`;
  writeFileSync(temporaryFile, bytes);
  renameSync(temporaryFile, file);
}
