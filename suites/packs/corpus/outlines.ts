import {
  type DocumentVectors,
  ownVectors,
  type Protocol,
  readOutlines,
  type VectorOutline,
} from "../../../schemas/index.ts";
import { loadVectors, vectorsFolder } from "./load.ts";

/** The outlines of a protocol's vectors, which are enough for counting and contain no messages. They come from the package's outline file if there is one, otherwise from the vectors. Throws as `loadVectors` does. */
export function loadOutlines(
  protocol: Protocol,
  folder: string = vectorsFolder(protocol),
): readonly DocumentVectors<VectorOutline>[] {
  const packaged = folder === ownVectors ? readOutlines(folder, protocol.name, protocol.version) : undefined;
  return packaged ?? loadVectors(protocol, folder).files;
}
