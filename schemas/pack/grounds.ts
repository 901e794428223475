import type { Freedom } from "../freedom.ts";
import type { Extension } from "../protocol.ts";
import { namesOf } from "./inherit.ts";
import { renamedData } from "./renaming.ts";

/** Freedoms of the parent in the names of the pack, without its own ones and those with no rule left. */
export function inheritedFreedoms(
  extension: Extension,
  before: readonly Freedom[],
  own: readonly Freedom[],
): Freedom[] {
  const gone = new Set(extension.gone?.rules ?? []);
  const ids = new Set(own.map(({ id }) => id));
  return before
    .filter(({ id, rules }) => !ids.has(id) && !(rules.length > 0 && rules.every((rule) => gone.has(rule))))
    .map((freedom) => ({
      ...renamedData({ ...freedom, rules: freedom.rules.filter((rule) => !gone.has(rule)) }, namesOf(extension)),
      id: freedom.id,
    }));
}

/** Texts and positions of the parent in the names of the pack: the pack's own under the same mark or id replaces them. */
export function inheritedGrounds<Source extends CitedSource, Held extends HeldPosition>(
  extension: Extension,
  before: GroundLists<Source, Held>,
  own: GroundLists<Source, Held> | undefined,
): GroundLists<Source, Held> {
  const names = namesOf(extension);
  const { sources = [], positions = [] } = own ?? {};
  const marks = new Map(sources.map((source) => [source.mark, source]));
  const ids = new Set(positions.map(({ id }) => id));
  const kept = before.sources.map((source) => {
    const mine = marks.get(source.mark);
    marks.delete(source.mark);
    return mine ?? { ...source, title: names.text(source.title) };
  });
  const taken = before.positions.filter(({ id }) => !ids.has(id)).map((position) => renamedData(position, names));
  return { sources: [...kept, ...marks.values()], positions: [...taken, ...positions] };
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
