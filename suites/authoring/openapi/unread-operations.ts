import { TouchstoneError } from "../../../schemas/index.ts";
import type { Unread } from "./operation.ts";
import type { PackData } from "./pack-data.ts";

/**
 * Adds an operation to a pack. If it cannot be read, adds it to `unread` instead, and leaves the pack unchanged. Returns whether something is sent
 * to the operation or a note explains why not.
 */
export async function addOrRollBack(
  data: PackData,
  unread: Unread[],
  addOperation: () => Promise<boolean>,
  name: string,
): Promise<boolean> {
  const lists = [data.documents, data.rules, data.notes, data.misread, data.oddities, data.calls];
  const lengths = lists.map(({ length }) => length);
  const places = new Set(data.places.keys());
  try {
    return await addOperation();
  } catch (error) {
    if (!(error instanceof TouchstoneError)) throw error;
    for (const [index, list] of lists.entries()) list.length = lengths[index] as number;
    for (const id of data.places.keys()) if (!places.has(id)) data.places.delete(id);
    unread.push({ name, error });
    return true;
  }
}

/** A note about an operation that cannot be read, for commands that continue without it. */
export function describeUnread(unread: Unread): string {
  return `nothing is sent to ${unread.name}, which cannot be read: ${describeFault(unread)}`;
}

/** Formats the place of a fault, and the reason. */
export function describeFault({ error: { what, where } }: Unread): string {
  return `${where === undefined ? "" : `${where}: `}${what}`;
}

const groupedNote = /^whether (\S+) refuses (requests without credentials is not tested: .*)$/;

/** Equal notes about the credentials of several operations become one sentence, after the other notes. */
export function groupCalls(calls: readonly string[]): string[] {
  const names = new Map<string, string[]>();
  const otherCalls: string[] = [];
  for (const call of calls) {
    const [, name, sentenceEnd] = groupedNote.exec(call) ?? [];
    if (name === undefined || sentenceEnd === undefined) otherCalls.push(call);
    else names.set(sentenceEnd, [...(names.get(sentenceEnd) ?? []), name]);
  }
  const sentences = [...names].map(
    ([sentenceEnd, operationNames]) =>
      `whether ${operationNames.join(", ")} ${operationNames.length > 1 ? "refuse" : "refuses"} ${sentenceEnd}`,
  );
  return [...otherCalls, ...sentences];
}

const maxNamed = 5;

/** Joins the first names, and adds the number of the others. */
export function firstNames(names: readonly string[]): string {
  const moreText = names.length > maxNamed ? `, and ${names.length - maxNamed} more` : "";
  return `${names.slice(0, maxNamed).join(", ")}${moreText}`;
}
