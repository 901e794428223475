import { protocolNamed } from "../../../../schemas/index.ts";
import { twin } from "./twin.ts";

/** Whether this peer uses its freedoms to refuse. A `lax` one also breaks a rule: it accepts events that are not urgent. */
const { AAEP_TWIN: way = "strict" } = process.env;

/** The judgement of a text: `valid`, or the reason against it. */
export async function judgeByPeer(
  document: string,
  text: string | Uint8Array,
): Promise<{ valid: boolean; errors: object[] }> {
  const bytes = typeof text === "string" ? Buffer.from(text, "utf8") : text;
  const why = await twin.judge({ document, text: bytes }, () => way === "strict");
  const isTaken = why === undefined || (way === "lax" && why === "is not critical");
  return { valid: isTaken, errors: isTaken ? [] : [{ message: why }] };
}

export const name: string = `${protocolNamed("aaep").name} ${way}`;
export const text = true;
export const claims: readonly string[] = ["format-assertion", "raw-text", "big-numbers", "semantic"];
type Said = Awaited<ReturnType<typeof judgeByPeer>>;
export default function judge(input: string | Uint8Array, { document }: { document: string }): Promise<Said> {
  return judgeByPeer(document, input);
}
