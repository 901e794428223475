// Runs what was compiled into one file, with the code that V8 made of it the last time: to make that anew takes a good part of a short run.
import { existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { setFlagsFromString } from "node:v8";
import { constants, Script } from "node:vm";

// V8 compiles a function quickly when it is first called, and once more, slowly and well, when it is hot. Where everything is over within
// seconds the second costs more than it gains, so it begins eight times later here. Nor does it help to collect garbage on several threads
// where there is other work for every processor. Later versions than Node 20's say it in other words.
if (process.versions.v8.startsWith("11."))
  for (const flag of ["--always-sparkplug", "--interrupt-budget=1000000", "--no-parallel-scavenge"])
    setFlagsFromString(flag);

/** Runs a CommonJS file. The code of what it has called by its end is kept beside it, for the same version of V8. */
export function run(file) {
  const code = `${file}.code`;
  const cachedData = existsSync(code) ? readFileSync(code) : undefined;
  const script = new Script(`(function (module, exports, require) {${readFileSync(file, "utf8")}\n})`, {
    ...{ filename: file, cachedData, importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER },
  });
  if (cachedData === undefined || script.cachedDataRejected)
    process.on("exit", (status) => {
      if (status === 0) keep(code, script.createCachedData());
    });
  const module = { exports: {} };
  script.runInThisContext()(module, module.exports, createRequire(file));
}

/** Whoever reads it at the same time reads the whole. */
function keep(file, bytes) {
  const own = `${file}.${process.pid}`;
  writeFileSync(own, bytes);
  renameSync(own, file);
}
