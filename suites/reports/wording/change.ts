import type { Change, Json } from "../../../schemas/index.ts";
import { truncate } from "../../base/text/escape.ts";

/** A JSON Patch in words, with values cut to a readable length. */
export function describeChange(change: readonly Change[]): string {
  return change.map(inWords).join("; ");
}

function inWords(change: Change): string {
  const path = place(change.path);
  switch (change.op) {
    case "add":
      return `add ${path} with ${value(change.value)}`;
    case "replace":
      return `replace ${path} by ${value(change.value)}`;
    case "remove":
      return `remove ${path}`;
    case "move":
      return `move ${place(change.from)} to ${path}`;
    case "copy":
      return `copy ${place(change.from)} to ${path}`;
    case "test":
      return `require ${path} to be ${value(change.value)}`;
  }
}

function place(pointer: string): string {
  return pointer === "" ? "the whole document" : pointer;
}

/** Signatures and long repetitions of a letter are not for reading. */
const opaqueText = /^"[\w-]{64,}"$/;

function value(of: Json): string {
  const text = JSON.stringify(of) ?? "nothing";
  return truncate(text, opaqueText.test(text) ? 24 : 100);
}
