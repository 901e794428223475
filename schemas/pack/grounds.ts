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
    .map((each) => ({
      ...renamedData({ ...each, rules: each.rules.filter((rule) => !gone.has(rule)) }, namesOf(extension)),
      id: each.id,
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
  const marks = new Map(sources.map((each) => [each.mark, each]));
  const ids = new Set(positions.map(({ id }) => id));
  const kept = before.sources.map((each) => {
    const mine = marks.get(each.mark);
    marks.delete(each.mark);
    return mine ?? { ...each, title: names.text(each.title) };
  });
  const taken = before.positions.filter(({ id }) => !ids.has(id)).map((each) => renamedData(each, names));
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
