import type { HttpReply } from "../../../../schemas/index.ts";

/** An unknown id in the same format. */
export function similarTo(id: string): string {
  const reversed = [...id.slice(4)].reverse().join("");
  return reversed === id.slice(4) ? `${id}0` : `${id.slice(0, 4)}${reversed}`;
}

/** Whether a refusal has the same text as the refusal of an unknown id. Also true if the refusals of two unknown ids differ. */
export async function isLikeUnknown(
  request: (id: string) => Promise<HttpReply>,
  id: string,
  reply: HttpReply,
): Promise<boolean> {
  const texts = [];
  for (const unknownId of [similarTo(id), similarTo(`${id}0`)]) texts.push(textOf(await request(unknownId), unknownId));
  // Some refusals contain a time, or a unique number.
  return texts[0] !== texts[1] || textOf(reply, id) === texts[0];
}

/** The text of a reply without the requested id, which a refusal may repeat. */
function textOf({ text }: HttpReply, id: string): string {
  return text.replaceAll(id, "").replaceAll(encodeURIComponent(id), "");
}
