import type { Freedom } from "../freedom.ts";
import type { Extension } from "../protocol.ts";
import { namesOf } from "./inherit.ts";
import { renamedData } from "./renaming.ts";

/** The parent's freedoms with the pack's names, except those that the pack redefines and those without a remaining rule. */
export function inheritedFreedoms(
  extension: Extension,
  parentFreedoms: readonly Freedom[],
  ownFreedoms: readonly Freedom[],
): Freedom[] {
  const gone = new Set(extension.gone?.rules ?? []);
  const ids = new Set(ownFreedoms.map(({ id }) => id));
  return parentFreedoms
    .filter(({ id, rules }) => !ids.has(id) && !(rules.length > 0 && rules.every((rule) => gone.has(rule))))
    .map((freedom) => ({
      ...renamedData({ ...freedom, rules: freedom.rules.filter((rule) => !gone.has(rule)) }, namesOf(extension)),
      id: freedom.id,
    }));
}

/** Combines the parent's sources and positions, with the pack's names, and the pack's own, which replace those with the same mark or id. */
export function inheritedGrounds<Source extends CitedSource, Held extends HeldPosition>(
  extension: Extension,
  parentGrounds: GroundLists<Source, Held>,
  ownGrounds: GroundLists<Source, Held> | undefined,
): GroundLists<Source, Held> {
  const names = namesOf(extension);
  const { sources = [], positions = [] } = ownGrounds ?? {};
  const marks = new Map(sources.map((source) => [source.mark, source]));
  const ids = new Set(positions.map(({ id }) => id));
  const mergedSources = parentGrounds.sources.map((source) => {
    const replacement = marks.get(source.mark);
    marks.delete(source.mark);
    return replacement ?? { ...source, title: names.text(source.title) };
  });
  const inheritedPositions = parentGrounds.positions
    .filter(({ id }) => !ids.has(id))
    .map((position) => renamedData(position, names));
  return { sources: [...mergedSources, ...marks.values()], positions: [...inheritedPositions, ...positions] };
}

interface CitedSource {
  mark: string;
  title: string;
}

interface HeldPosition {
  id: string;
}

interface GroundLists<Source, Held> {
  sources: Source[];
  positions: Held[];
}
