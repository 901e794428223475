import { buildSet } from "../../generators/index.ts";
import { protocolNamed } from "../../schemas/index.ts";
import { ruled } from "../../suites/index.ts";
import { lawComplaints } from "./laws.ts";

/** The document that a process makes vectors for. */
export interface VectorTask {
  protocol: string;
  document: string;
  /** Whether the laws are checked as well. */
  laws: boolean;
}

/** The result of a task. */
export interface VectorPart {
  texts: [string, string][];
  complaints: string[];
}

const writeLine = (line: string) => void process.stderr.write(`${line}\n`);

const reportDocument: NonNullable<Parameters<typeof buildSet>[1]> = (document, { files, sites }) => {
  const counts = files.map(({ kind, file }) => `${file.count} ${kind}`).join(", ");
  writeLine(`${document}: ${counts}; ${sites.broken} of ${sites.sites} assertions isolated`);
};

// The main process disconnects when it has no more tasks.
process.on("disconnect", () => process.exit());
process.on("message", async ({ protocol: name, document, laws }: VectorTask) => {
  const protocol = await ruled(protocolNamed(name));
  const built = await buildSet([protocol], reportDocument, {
    document,
    ...(protocol.profile.extent === undefined ? {} : { extent: protocol.profile.extent }),
  });
  const complaints = laws ? await lawComplaints(protocol, built, writeLine) : [];
  process.send?.({ texts: [...built.texts], complaints } satisfies VectorPart);
});
