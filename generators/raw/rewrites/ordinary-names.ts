import type { RawFamily } from "../raw.ts";
import { escapedLower, quoteText, writeText } from "../text.ts";

/** Names that are ordinary in JSON and special in some languages. */
export const ordinaryNameFamily: RawFamily = {
  name: "ordinary-name",
  dependsOnMembers: true,
  *propose({ find }) {
    for (const name of ["__proto__", "constructor"]) {
      const place = find((_, at) => at.endsWith(`/${name}`));
      if (place === undefined) continue;
      const { parent, at } = place;
      const escapeName = (key: string): string => (key === name ? escapedLower(key) : quoteText(key));
      const common = { parent, detailSuffix: name, issue: "rewritten", at } as const;
      yield { ...common, detail: "plain", text: parent.layout.text, says: `has a member named ${name}` };
      yield {
        ...common,
        detail: "escaped",
        text: writeText(parent.value, { name: escapeName }).text,
        says: `has a member named ${name}, in escapes`,
      };
    }
  },
};
