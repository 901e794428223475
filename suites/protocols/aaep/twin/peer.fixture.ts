import { protocolNamed } from "../../../../schemas/index.ts";
import { twin } from "./twin.ts";

/** A `strict` peer uses every freedom to reject a message. A `lax` one breaks a rule: it accepts errors that are not urgent. */
const { AAEP_TWIN: behavior = "strict" } = process.env;

/** Judges a text. It is either valid, or an error contains the reason. */
export async function judgeByPeer(
  document: string,
  text: string | Uint8Array,
): Promise<{ valid: boolean; errors: object[] }> {
  const bytes = typeof text === "string" ? Buffer.from(text, "utf8") : text;
  const refusal = await twin.judge({ document, text: bytes }, () => behavior === "strict");
  const isAccepted = refusal === undefined || (behavior === "lax" && refusal === "is not critical");
  return { valid: isAccepted, errors: isAccepted ? [] : [{ message: refusal }] };
}

export const name: string = `${protocolNamed("aaep").name} ${behavior}`;
export const text = true;
export const claims: readonly string[] = ["format-assertion", "raw-text", "big-numbers", "semantic"];
type PeerJudgement = Awaited<ReturnType<typeof judgeByPeer>>;
export default function judge(input: string | Uint8Array, { document }: { document: string }): Promise<PeerJudgement> {
  return judgeByPeer(document, input);
}
