import type { Json } from "../../../schemas/index.ts";
import type { RawFamily } from "../raw.ts";

/** Members in an object named `__proto__`: a message inherits them if its reader assigns members without a check. */
export const prototype: RawFamily = {
  name: "prototype",
  ofMembers: true,
  *propose({ minimal: parent, accepts }) {
    const { text, values, names } = parent.layout;
    const common = { parent, issue: "refused" } as const;
    const all = `{"__proto__":${text}}`;
    if (!accepts(JSON.parse(all) as Json))
      yield { ...common, detail: "all", text: all, says: "has all its members in __proto__, which do not count" };
    for (const [at, name] of names) {
      const value = values.get(at);
      if (at.lastIndexOf("/") > 0 || value === undefined) continue;
      const inside = `"__proto__":{${text.slice(name.start, value.end)}}`;
      const written = text.slice(0, name.start) + inside + text.slice(value.end);
      if (accepts(JSON.parse(written) as Json)) continue;
      const spelled = text.slice(name.start, name.end);
      yield {
        ...common,
        detail: "one",
        of: JSON.parse(spelled) as string,
        text: written,
        says: `has ${spelled} in __proto__, which does not count`,
      };
    }
  },
};
