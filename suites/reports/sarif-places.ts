import { type Result, type Run, type Source, vectorPath } from "../../schemas/index.ts";
import type { RenderOptions } from "./format.ts";

/** Returns the line of a vector in its file, if known. */
export type SarifLines = (id: string) => number | undefined;

/** The base addresses of the file: the root of the repository, under the name that SARIF viewers know, and the vectors of the package. */
export const bases = {
  "%SRCROOT%": { description: { text: "The root of the repository." } },
  VECTORS: { description: { text: "The folder of the vector set that is part of Touchstone." } },
};

interface SarifPlace {
  artifactLocation: { uri: string; uriBaseId: string };
  region: { startLine: number; startColumn?: number };
}

/** The place at which a result is shown, and a related place. */
export interface SarifPlaces {
  main?: SarifPlace;
  related?: SarifPlace;
}

/** Returns a function that places each result, preferably in the repository, as SARIF viewers expect: at its assertion if that is in a user's file; otherwise at its vector if that is the user's; otherwise at the baseline entry that covers it, or in the configuration. */
export function createPlacer(
  run: Run | undefined,
  options: RenderOptions,
  lines: SarifLines,
  baseline?: string,
): (result: Result) => SarifPlaces {
  const { sourceOf, describedAt, vectorsOf, inRepository = (file) => file, entryLine, ownFile } = options;
  const folder = run === undefined ? undefined : vectorsOf?.(run);
  const folderInRepository = typeof folder === "string" ? inRepository(folder) : undefined;
  const placeOfVector = (id: string): SarifPlace | undefined => {
    const file = vectorPath(id);
    if (file === undefined || folder === null) return undefined;
    const [path, base] =
      folderInRepository === undefined ? [file, "VECTORS"] : [`${folderInRepository}/${file}`, "%SRCROOT%"];
    // Viewers of annotations need a line. If the vectors are not available, it is the first line of the file.
    return placeAt(path, base, { startLine: lines(id) ?? 1 });
  };
  const placeOfAssertion = ({ file, line, column }: Source): SarifPlace | undefined => {
    const path = inRepository(file);
    return path === undefined ? undefined : placeAt(path, "%SRCROOT%", { startLine: line, startColumn: column });
  };
  const placeOfFile = (file: string | undefined, startLine: number): SarifPlace | undefined => {
    const path = file === undefined ? undefined : inRepository(file);
    return path === undefined ? undefined : placeAt(path, "%SRCROOT%", { startLine });
  };
  const ownFilePlace = placeOfFile(ownFile, 1);
  const placeOfEntry = ({ known, ...entry }: Result): SarifPlace | undefined => {
    const line = known === undefined ? undefined : entryLine?.(entry);
    return line === undefined ? undefined : placeOfFile(baseline, line);
  };
  return (result) => {
    const { id, rule, site } = result;
    const vector = placeOfVector(id);
    const assertionSource = rule === undefined && site !== undefined ? sourceOf?.(site) : undefined;
    const source = assertionSource ?? describedAt?.(result);
    const assertion = source === undefined ? undefined : placeOfAssertion(source);
    const fallback = folderInRepository === undefined ? (placeOfEntry(result) ?? ownFilePlace) : undefined;
    const main = assertion ?? fallback ?? vector;
    return {
      ...(main === undefined ? {} : { main }),
      ...(main === vector || vector === undefined ? {} : { related: vector }),
    };
  };
}

function placeAt(path: string, uriBaseId: string, region: SarifPlace["region"]): SarifPlace {
  const uri = path.split(/[\\/]/).map(encodeURIComponent).join("/");
  return { artifactLocation: { uri, uriBaseId }, region };
}
