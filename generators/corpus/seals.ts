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

/** Whether a message has the signature that would be made for it. This is much faster than verifying the signature. */
export function isSealed({ seal }: RuledProtocol, message: Json): boolean {
  return seal === undefined || equal(seal(message), message);
}

/**
 * Signs the messages of a protocol with signatures. Without its required signature, an invalid message would have two faults. The change
 * of a signed vector then includes the signature. A vector about the signature is left unchanged.
 */
export function sealVectors<K extends SealedKinds>(protocol: RuledProtocol, { fresh = [] }: Document, vectors: K): K {
  const place = fresh.find(({ make, in: part }) => make === "signature" && part === undefined)?.at;
  const { seal } = protocol;
  if (seal === undefined || place === undefined) return vectors;
  const sealedById = new Map<string, Json>();
  const sealVector = (vector: Vector): Vector => {
    const { id, data, parent, change, at = "" } = vector;
    if (data === undefined) return vector;
    const parentData = parent === undefined ? undefined : sealedById.get(parent);
    const unsealed =
      parentData === undefined || change === undefined ? data : (applyChanges(parentData, change) ?? data);
    const isAboutSeal = [at, ...(change ?? []).map(({ path }) => path)].some((path) => touchesPlace(path, place));
    const sealedData = isAboutSeal ? unsealed : seal(unsealed);
    sealedById.set(id, sealedData);
    if (equal(sealedData, data)) return vector;
    return {
      ...vector,
      data: sealedData,
      ...(change === undefined ? {} : { change: [...change, ...sealChanges(unsealed, sealedData, place)] }),
    };
  };
  return {
    ...vectors,
    valid: vectors.valid.map(sealVector),
    invalid: vectors.invalid.map(sealVector),
    disputed: vectors.disputed.map(sealVector),
  };
}

/** Whether a change concerns the signature. A change of the whole message does not. */
function touchesPlace(at: string, place: string): boolean {
  return at !== "" && pointer.areRelated(at, place);
}

function sealChanges(unsealed: Json, sealed: Json, place: string): Change[] {
  const value = pointer.at(place, sealed);
  return value === undefined || equal(unsealed, sealed) ? [] : [{ op: "replace", path: place, value }];
}
