import type { RawFamily } from "../raw.ts";
import { writeText } from "../text.ts";

/** Members in another order. */
export const orderFamily: RawFamily = {
  name: "order",
  *propose({ minimal: parent }) {
    const { text } = writeText(parent.value, { reversed: true });
    yield { parent, detail: "reversed", text, says: "has all members in reverse order", issue: "rewritten" };
  },
};
