import { setFlagsFromString } from "node:v8";

/**
 * V8 compiles a function quickly when it is first called, and once more, slowly and well, when it is hot. Where everything is over within
 * seconds the second costs more than it gains, so it begins eight times later here. Later versions than Node 20's say it in other words.
 */
if (process.versions.v8.startsWith("11.")) {
  for (const flag of ["--always-sparkplug", "--interrupt-budget=1000000"]) setFlagsFromString(flag);
}
