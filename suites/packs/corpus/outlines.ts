import {
  type DocumentVectors,
  ownVectors,
  type Protocol,
  readOutlines,
  type VectorOutline,
} from "../../../schemas/index.ts";
import { loadVectors, vectorsFolder } from "./load.ts";

/** The parts of a protocol's vectors that counts need, without their messages: from the package's outlines if there are some, otherwise from the vectors. Throws as `loadVectors` does. */
export function loadOutlines(
  protocol: Protocol,
  folder: string = vectorsFolder(protocol),
): readonly DocumentVectors<VectorOutline>[] {
  const packed = folder === ownVectors ? readOutlines(folder, protocol.name, protocol.version) : undefined;
  return packed ?? loadVectors(protocol, folder).files;
}
