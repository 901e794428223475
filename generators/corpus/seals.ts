import {
  type Change,
  type Document,
  equal,
  type Json,
  pointer,
  type RuledProtocol,
  type Vector,
} from "../../schemas/index.ts";
import { applyChanges } from "../changes/patch.ts";

type SealedKinds = Record<"valid" | "invalid" | "disputed", Vector[]>;

/** Whether a message has its required signature, as far as one can be made for it: finding the fault of another signature is far slower. */
export function isSealed({ seal }: RuledProtocol, message: Json): boolean {
  return seal === undefined || equal(seal(message), message);
}

/**
 * The vectors of a protocol with signed messages. Each gets its required signature, unless it is about the signature, so that none has two faults. A
 * change then includes the signature.
 */
export function sealVectors<K extends SealedKinds>(protocol: RuledProtocol, { fresh = [] }: Document, vectors: K): K {
  const place = fresh.find(({ make, in: part }) => make === "signature" && part === undefined)?.at;
  const { seal } = protocol;
  if (seal === undefined || place === undefined) return vectors;
  const known = new Map<string, Json>();
  const anew = (vector: Vector): Vector => {
    const { id, data, parent, change, at = "" } = vector;
    if (data === undefined) return vector;
    const from = parent === undefined ? undefined : known.get(parent);
    const unsealed = from === undefined || change === undefined ? data : (applyChanges(from, change) ?? data);
    const isAboutSeal = [at, ...(change ?? []).map(({ path }) => path)].some((each) => touchesPlace(each, place));
    const sealedData = isAboutSeal ? unsealed : seal(unsealed);
    known.set(id, sealedData);
    if (equal(sealedData, data)) return vector;
    return {
      ...vector,
      data: sealedData,
      ...(change === undefined ? {} : { change: [...change, ...sealChanges(unsealed, sealedData, place)] }),
    };
  };
  return {
    ...vectors,
    valid: vectors.valid.map(anew),
    invalid: vectors.invalid.map(anew),
    disputed: vectors.disputed.map(anew),
  };
}

/** A change of the whole message does not count as one of the signature. */
function touchesPlace(at: string, place: string): boolean {
  return at !== "" && pointer.areRelated(at, place);
}

function sealChanges(made: Json, whole: Json, place: string): Change[] {
  const value = pointer.at(place, whole);
  return value === undefined || equal(made, whole) ? [] : [{ op: "replace", path: place, value }];
}
