import { buildSet } from "../../generators/index.ts";
import { protocolsNamed } from "../../schemas/index.ts";
import { ruled } from "../../suites/index.ts";

// Runs as a separate process, so that its memory can be measured: builds the vectors of the named protocols and writes nothing.
const startedAt = performance.now();
const { manifest } = await buildSet(
  await Promise.all(
    process.argv
      .slice(2)
      .flatMap((name) => protocolsNamed(name))
      .map(ruled),
  ),
);
const seconds = (performance.now() - startedAt) / 1000;
console.log(JSON.stringify({ vectors: manifest.count, seconds, megabytes: process.resourceUsage().maxRSS / 1024 }));
