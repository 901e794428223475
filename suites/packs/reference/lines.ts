import {
  type CheckAnswer,
  type CheckMessage,
  type Document,
  type Json,
  type Judge,
  readJson,
  readYaml,
  TouchstoneError,
} from "../../../schemas/index.ts";

/** Judges many documents, given as lines in the format of a command, and answers with one line for each, in the same order. */
export async function answerLines(text: string, documents: readonly Document[], judge: Judge): Promise<string> {
  const answers: string[] = [];
  for (const line of text.split("\n")) {
    if (line !== "") answers.push(JSON.stringify(await answer(JSON.parse(line), documents, judge)));
  }
  return answers.join("\n");
}

async function answer(message: CheckMessage, documents: readonly Document[], judge: Judge): Promise<CheckAnswer> {
  const { seq } = message;
  const document = documents.find(({ name }) => name === message.document);
  if (document === undefined) return { seq, error: `no document "${message.document}"` };
  try {
    const { value, bytes } = await readMessage(message);
    const { breaches, advice } = judge(document, value, bytes);
    return breaches.length > 0 ? { seq, valid: false, errors: breaches } : { seq, valid: true, warnings: advice };
  } catch (error) {
    if (error instanceof TouchstoneError) return { seq, valid: false, errors: [{ at: "", message: error.message }] };
    return { seq, error: String(error) };
  }
}

async function readMessage({
  data,
  text,
  base64 = "",
  yaml,
}: CheckMessage): Promise<{ value: Json; bytes: Uint8Array }> {
  if (data !== undefined) return { value: data, bytes: Buffer.from(JSON.stringify(data)) };
  const bytes = text === undefined ? Buffer.from(base64, "base64") : Buffer.from(text);
  const { value } = await (yaml === true ? readYaml : readJson)(bytes, "body");
  return { value, bytes };
}
