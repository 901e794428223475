import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { home } from "../../schemas/index.ts";
import { sharedBounds } from "../running/scenarios/bounds.ts";
import { bounds as aaep } from "./aaep/scenarios/bounds.ts";
import { bounds as conventions } from "./agent-conventions/scenarios/bounds.ts";
import { bounds as agentformat } from "./agentformat/scenarios/waits.ts";
import { bounds as ahcp } from "./ahcp/scenarios/bounds.ts";
import { bounds as snap } from "./snap/scenarios/bounds.ts";

const all = Object.entries({ aaep, "agent-conventions": conventions, agentformat, ahcp, snap });

it.each(all)("bounds on time are in the guide of %s as its scenarios have them", (name, bounds) => {
  const page = readFileSync(join(home, "suites", "protocols", name, "README.md"), "utf8");
  const rows = page.split("\n").filter((line) => /^\| `[a-z-]+` \| .* \| [0-9]+ s \|$/.test(line));
  const wanted = [...bounds, ...sharedBounds].map(
    ({ name, says, seconds }) => `| \`${name}\` | ${says} | ${seconds} s |`,
  );
  expect(rows).toEqual(wanted);
});
