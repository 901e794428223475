import type { JsonObject, VectorFile } from "../../schemas/index.ts";

/** One test a line, so that a changed vector is one changed line. */
export function print(file: VectorFile): string {
  const { tests, ...head } = file;
  const lines = JSON.stringify({ ...head, tests: [] } satisfies JsonObject | object, null, 2);
  return `${lines.slice(0, -"[]\n}".length)}[\n${tests.map((test) => `    ${JSON.stringify(test)}`).join(",\n")}\n  ]\n}\n`;
}
