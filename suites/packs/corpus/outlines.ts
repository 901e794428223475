import {
  type DocumentVectors,
  ownVectors,
  type Protocol,
  readOutlines,
  type VectorOutline,
} from "../../../schemas/index.ts";
import { loadVectors, vectorsFolder } from "./load.ts";

/**
 * How the vectors of a protocol count, without their messages: from the outlines of the package if there are some, otherwise from the vectors. Throws as
 * `loadVectors` does.
 */
export function loadOutlines(
  protocol: Protocol,
  folder: string = vectorsFolder(protocol),
): readonly DocumentVectors<VectorOutline>[] {
  const packed = folder === ownVectors ? readOutlines(folder, protocol.name, protocol.version) : undefined;
  return packed ?? loadVectors(protocol, folder).files;
}
