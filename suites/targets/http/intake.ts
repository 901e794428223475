import { type Document, equal, type Json, pointer, type Question, type Skip } from "../../../schemas/index.ts";
import type { Way } from "./route.ts";

/**
 * The document for which an intake that several share takes an instance: the first whose `when` fits, otherwise the one that asks
 * nothing. Undefined when none will have it.
 */
export function takenFor(data: Json, sharing: readonly Document[]): Document | undefined {
  const fits = ({ when }: Document): boolean =>
    when !== undefined &&
    Object.entries(when).every(([at, values]) => {
      const value = pointer.at(at, data);
      return value !== undefined && values.some((each) => equal(each, value));
    });
  return sharing.find(fits) ?? sharing.find(({ when }) => when === undefined);
}

/** A fault in a member that distinguishes documents makes another document of it, which may well be accepted. */
export function mistaken({ document, data }: Question, { route, isWrapped, sharing }: Way): Skip | undefined {
  if (data === undefined || isWrapped || sharing.length < 2) return undefined;
  const taken = takenFor(data, sharing);
  if (taken === undefined || taken.name === document.name) return undefined;
  const why = `${route?.path} takes several documents and would take this one for ${taken.name}`;
  return { why, cause: { kind: "taken-for", document: taken.name } };
}
