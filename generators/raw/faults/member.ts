import type { RawFamily } from "../raw.ts";

/** A member without its colon, its value or its name, or within the wrong brackets. */
export const memberFamily: RawFamily = {
  name: "member",
  *propose({ minimal: parent }) {
    const { text, names, values } = parent.layout;
    const [[at, name] = []] = names;
    const value = at === undefined ? undefined : values.get(at);
    if (name === undefined || value === undefined) return;
    const [before, after] = [text.slice(0, name.end), text.slice(name.end + 1)];
    const forms: [detail: string, text: string, says: string][] = [
      ["equals-sign", `${before}=${after}`, "has = for a colon"],
      ["no-colon", `${before} ${after}`, "has no colon after a name"],
      ["no-value", `${before}:${text.slice(value.end)}`, "has no value after a colon"],
      ["no-name", `${text.slice(0, name.start)}${text.slice(name.end)}`, "has no name before a colon"],
      ["bracket-for-brace", `${text.slice(0, -1)}]`, "closes an object with a bracket"],
    ];
    for (const [detail, written, says] of forms)
      yield { parent, detail, text: written, says, issue: "malformed", clause: "RFC 8259, 4" };
  },
};
