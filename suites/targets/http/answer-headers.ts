import type { AnswerHeader, Json } from "../../../schemas/index.ts";
import type { BrokenPromise, PromiseCheck } from "../broken-promises.ts";
import { readAs } from "./texts.ts";

/** Returns the fault in the headers of an answer: a missing header, or a header that its schema refuses. Headers that readers interpret differently are left out, so `judge` must not require any header. */
export function headerFault(
  headers: Readonly<Record<string, string>>,
  described: readonly AnswerHeader[],
  judge: PromiseCheck | undefined,
): BrokenPromise | undefined {
  const missing = described.find(({ name, required }) => required === true && headers[name] === undefined);
  if (missing !== undefined) return { level: "MUST", reason: { message: `the header ${missing.name} is missing` } };
  const presentHeaders = described.filter(({ name }) => headers[name] !== undefined);
  const readableHeaders = presentHeaders.flatMap(({ name, types, holds }): [string, Json][] => {
    const value = holds === undefined ? readAs(headers[name] as string, types) : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  return judge?.(Object.fromEntries(readableHeaders));
}
