import type { Json } from "../../../schemas/index.ts";
import type { RawFamily } from "../raw.ts";

/** Members moved into a member `__proto__`. A message inherits them if its reader assigns members without a check. */
export const prototypeFamily: RawFamily = {
  name: "prototype",
  dependsOnMembers: true,
  *propose({ minimal: parent, accepts }) {
    const { text, values, names } = parent.layout;
    const common = { parent, issue: "refused" } as const;
    const wrappedText = `{"__proto__":${text}}`;
    if (!accepts(JSON.parse(wrappedText) as Json))
      yield {
        ...common,
        detail: "all",
        text: wrappedText,
        says: "has all its members in __proto__, which do not count",
      };
    for (const [at, name] of names) {
      const value = values.get(at);
      if (at.lastIndexOf("/") > 0 || value === undefined) continue;
      const prototypeMember = `"__proto__":{${text.slice(name.start, value.end)}}`;
      const written = text.slice(0, name.start) + prototypeMember + text.slice(value.end);
      if (accepts(JSON.parse(written) as Json)) continue;
      const quotedName = text.slice(name.start, name.end);
      yield {
        ...common,
        detail: "one",
        detailSuffix: JSON.parse(quotedName) as string,
        text: written,
        says: `has ${quotedName} in __proto__, which does not count`,
      };
    }
  },
};
