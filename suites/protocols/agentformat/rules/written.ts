import type { InvalidCase, ValidCase } from "../../../../schemas/index.ts";

/** Lines of YAML for each part of a small agent document. */
export interface Parts {
  version?: string;
  metadata?: readonly string[];
  more?: readonly string[];
}

/** The usual lines of the metadata. */
export const described: readonly string[] = [
  "id: trip-desk",
  "name: Trip Desk",
  "version: 1.0.0",
  "description: Plans short trips.",
];

/** An agent document in YAML. */
export function written({ version = "schema_version: 1.0.0", metadata = described, more = [] }: Parts = {}): string {
  const lines = [
    version,
    "metadata:",
    ...metadata.map((line) => `  ${line}`),
    ...["interface:", "  input: {}", "  output: {}"],
    ...more,
    ...["execution_policy:", "  id: agf.react", "  config:", "    instructions: Plan a trip.", "    model: small-1"],
  ];
  return `${lines.join("\n")}\n`;
}

/** The metadata with one of its lines written otherwise. */
export function saying(line: string): Parts {
  const [name] = line.split(":");
  return { metadata: described.map((each) => (each.split(":")[0] === name ? line : each)) };
}

/** A text that is read as it is meant. */
export function kept(name: string, says: string, parts: Parts, at: string, edge?: true): ValidCase {
  return { name, says, text: written(parts), at, ...(edge ? { edge } : {}) };
}

/** A text that is to be refused. */
export function broken(name: string, says: string, parts: Parts, at: string, edge?: true): InvalidCase {
  return kept(name, says, parts, at, edge) as InvalidCase;
}
