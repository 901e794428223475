import {
  type Breach,
  type Checker,
  isObject,
  type Json,
  pointer,
  readJson,
  TouchstoneError,
} from "../../../../schemas/index.ts";
import { messageDocuments, messagesIn } from "./places.ts";

/** The patterns of the envelope, read as ECMA-262 requires. */
const patterns: readonly (readonly [at: string, pattern: RegExp])[] = [
  ["/id", /^[a-zA-Z0-9_-]{1,128}$/],
  ["/version", /^[0-9]+\.[0-9]+$/],
  ["/from", /^(bc1p|tb1p)[a-z0-9]{58}$/],
  ["/to", /^(bc1p|tb1p)[a-z0-9]{58}$/],
  ["/method", /^[a-z]+\/[a-z_]+$/],
  ["/sig", /^[0-9a-f]{128}$/],
];

export const envelopeCheckers: readonly Checker[] = [
  {
    rule: "SNAP-ENV-014",
    documents: messageDocuments,
    *check(instance, document) {
      for (const { value, at } of messagesIn(instance, document)) {
        const { timestamp } = value;
        if (typeof timestamp === "number" && timestamp > Number.MAX_SAFE_INTEGER)
          yield { at: `${at}/timestamp`, why: `is ${timestamp}, more than 9007199254740991` };
      }
    },
  },
  {
    // The schema also refuses such a value. This rule tells whether an implementation reads patterns less strictly.
    rule: "SNAP-ENV-015",
    documents: ["envelope"],
    *read(bytes) {
      const value = parseBytes(bytes);
      if (!isObject(value)) return;
      for (const [at, pattern] of patterns) {
        const text = pointer.at(at, value);
        if (typeof text !== "string" || pattern.test(text)) continue;
        if (pattern.test(text.replace(/\n$/, "")))
          yield { at, why: "has a line feed after the text that its pattern describes" };
        else if (pattern.test(text.replace(/\p{Nd}/gu, "0")))
          yield { at, why: "has digits that are not those of ASCII" };
      }
    },
  },
  {
    rule: "SNAP-ENV-016",
    documents: ["envelope"],
    *read(bytes): Iterable<Breach> {
      // This rule does not apply to bytes that are not JSON.
      if (parseBytes(bytes) === undefined) return;
      try {
        readJson(bytes, "message");
      } catch (error) {
        if (!(error instanceof TouchstoneError)) throw error;
        if (error.fault === "repeated-name") yield { at: "", why: error.what };
        else if (error.fault === "half-pair") yield { at: "", why: "has half a surrogate pair in a string" };
      }
    },
  },
];

function parseBytes(bytes: Uint8Array): Json | undefined {
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes)) as Json;
  } catch {
    return undefined;
  }
}
