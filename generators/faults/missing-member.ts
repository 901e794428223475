import { isObject, pointer } from "../../schemas/index.ts";
import { type Family, inOtherCase } from "./fault.ts";

/** A required member left out. */
export const missingMemberFamily: Family = {
  name: "missing",
  keywords: ["required", "dependentRequired"],
  *propose({ keyword, at, value, first }) {
    if (!isObject(value)) return;
    if (keyword.kind === "required") {
      for (const [index, name] of keyword.names.entries()) {
        const path = pointer.append(at, name);
        yield {
          fault: "missing",
          site: `${keyword.site}/${index}`,
          at: path,
          change: [{ op: "remove", path }],
          says: "is missing",
        };
        // Only for the first member of the root: a reader that ignores case does so everywhere.
        const otherName = inOtherCase(name);
        const content = Object.hasOwn(value, name) ? value[name] : undefined;
        if (!first || at !== "" || index > 0 || content === undefined || Object.hasOwn(value, otherName)) continue;
        yield {
          fault: "missing",
          detail: "in-other-case",
          site: `${keyword.site}/${index}`,
          at: path,
          change: [
            { op: "remove", path },
            { op: "add", path: pointer.append(at, otherName), value: content },
          ],
          says: `is missing; ${otherName} is a different name`,
        };
      }
    }
    if (keyword.kind === "dependentRequired") {
      for (const [name, required] of keyword.entries) {
        if (!Object.hasOwn(value, name)) continue;
        for (const needed of required) {
          const path = pointer.append(at, needed);
          yield {
            fault: "missing-with",
            detail: name,
            site: keyword.site,
            at: path,
            change: [{ op: "remove", path }],
            says: `is missing although ${name} is present`,
          };
        }
      }
    }
  },
};
