import { type Document, equal, type Json, pointer } from "../../../schemas/index.ts";

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
