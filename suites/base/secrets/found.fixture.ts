import { spellingsOf } from "./decoded-view.ts";

/** Whether a text reveals a secret to a reader who undoes the known encodings, no matter where the text came from. */
export function isFound(secret: string, text: string): boolean {
  const forms = [...spellingsOf(secret), Buffer.from(secret).toString("hex")].map((each) => each.toLowerCase());
  return (
    spellingsOf(text).some((spelling) => forms.some((form) => spelling.includes(form))) ||
    decodings(text).some((each) => each.includes(secret))
  );
}

/** The decoded text of the longest runs of base64, from every possible start. */
function decodings(text: string): string[] {
  return (text.match(/[\w+/-]{8,}/g) ?? []).flatMap((run) =>
    [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), "base64").toString("latin1")),
  );
}
