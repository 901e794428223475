import { spellingsOf } from "./decoded-view.ts";

/** Whether a text reveals a secret to a reader who decodes all known encodings. */
export function isRevealed(secret: string, text: string): boolean {
  const forms = [...spellingsOf(secret), Buffer.from(secret).toString("hex")].map((form) => form.toLowerCase());
  return (
    spellingsOf(text).some((spelling) => forms.some((form) => spelling.includes(form))) ||
    decodeBase64Runs(text).some((decoded) => decoded.includes(secret))
  );
}

/** Decodes the longest runs of base64 in a text, from every possible start. */
function decodeBase64Runs(text: string): string[] {
  return (text.match(/[\w+/-]{8,}/g) ?? []).flatMap((run) =>
    [0, 1, 2, 3].map((from) => Buffer.from(run.slice(from), "base64").toString("latin1")),
  );
}
