import type { Change, Json } from "../../../schemas/index.ts";
import { truncate } from "../../base/text/escape.ts";

/** A JSON Patch in words, with values cut to a readable length. */
export function describeChange(change: readonly Change[]): string {
  return change.map(describeOperation).join("; ");
}

function describeOperation(change: Change): string {
  const path = describePath(change.path);
  switch (change.op) {
    case "add":
      return `add ${path} with ${formatValue(change.value)}`;
    case "replace":
      return `replace ${path} by ${formatValue(change.value)}`;
    case "remove":
      return `remove ${path}`;
    case "move":
      return `move ${describePath(change.from)} to ${path}`;
    case "copy":
      return `copy ${describePath(change.from)} to ${path}`;
    case "test":
      return `require ${path} to be ${formatValue(change.value)}`;
  }
}

function describePath(pointer: string): string {
  return pointer === "" ? "the whole document" : pointer;
}

/** A signature, or another long text of word characters that nobody reads. */
const opaqueText = /^"[\w-]{64,}"$/;

function formatValue(value: Json): string {
  const text = JSON.stringify(value) ?? "nothing";
  return truncate(text, opaqueText.test(text) ? 24 : 100);
}
