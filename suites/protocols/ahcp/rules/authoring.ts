import { type Checker, pointer } from "../../../../schemas/index.ts";

export const authoringCheckers: readonly Checker[] = [
  {
    rule: "AHCP-ENV-008",
    documents: ["message"],
    *check(message) {
      const title = pointer.at("/title", message);
      if (typeof title !== "string") return;
      const lineEnd = /[\n\r\u0085\u2028\u2029]/.exec(title);
      if (lineEnd !== null) {
        const code = lineEnd[0].charCodeAt(0).toString(16).toUpperCase().padStart(4, "0");
        yield { at: "/title", why: `ends its line at U+${code}` };
      } else if (/^[\p{White_Space}\p{Default_Ignorable_Code_Point}]*$/u.test(title))
        yield { at: "/title", why: "shows nothing but white space" };
    },
  },
];
