import { buildSet } from "../../generators/index.ts";
import { protocolNamed } from "../../schemas/index.ts";
import { ruled } from "../../suites/index.ts";
import { lawsHold } from "./laws.ts";

/** What the process of one protocol sends when it is done. */
export interface Part {
  texts: [string, string][];
  complaints: string[];
}

const [name = "", laws] = process.argv.slice(2);
const protocol = await ruled(protocolNamed(name));
const tell = (line: string) => void process.stderr.write(`${line}\n`);
const built = await buildSet([protocol], (document, { files, sites }) => {
  const counts = files.map(({ kind, file }) => `${file.count} ${kind}`).join(", ");
  tell(`${document}: ${counts}; ${sites.broken} of ${sites.sites} assertions isolated`);
});
const complaints = laws === "laws" ? await lawsHold(protocol, built, tell) : [];
process.send?.({ texts: [...built.texts], complaints } satisfies Part, () => process.exit());
