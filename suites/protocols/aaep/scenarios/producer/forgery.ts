import type { ScenarioContext } from "../../../../../schemas/index.ts";
import type { ScenarioDraw } from "../../../../running/scenarios/draw.ts";
import type { AskedSession } from "./story.ts";

/** A token that was never issued. */
export function tokenOf(context: ScenarioContext): string {
  return `rpl_${context
    .fresh("forged")
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .slice(0, 60)}`;
}

/** Changed tokens: in another case, with another end, or cut off. */
export function mutations(token: string): [what: string, token: string][] {
  const last = token.endsWith("a") ? "b" : "a";
  const flipped = token.replace(/[A-Za-z](?=[^A-Za-z]*$)/, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  return [
    ["a token with another last character", `${token.slice(0, -1)}${last}`],
    ["a token in another case", `rpl_${flipped.slice(4)}`],
    ["a token cut short", token.slice(0, -1)],
    ["a token with a space after it", `${token} `],
  ].filter(([, each]) => each !== token) as [string, string][];
}

/** A token with one changed letter or digit. */
export function alterToken(token: string, draw: ScenarioDraw): string {
  const at = draw.between(4, token.length - 1);
  const others = [..."abcxyzABCXYZ0189"].filter((each) => each.toLowerCase() !== token.charAt(at).toLowerCase());
  return `${token.slice(0, at)}${draw.one(others)}${token.slice(at + 1)}`;
}

/** A timestamp this many seconds after a question's deadline, with as many digits as the question's, by a clock this many hours off UTC. */
export function stampOf({ question }: AskedSession, seconds: number, hours = 0): string {
  const [fraction = ""] = /\.[0-9]+/.exec(String(question.timestamp)) ?? [];
  const asked = Math.floor(Date.parse(String(question.timestamp)) / 1000);
  const local = new Date((asked + Number(question.timeout_seconds) + seconds + hours * 3600) * 1000).toISOString();
  const sign = hours < 0 ? "-" : "+";
  const offset = hours === 0 ? "Z" : `${sign}${String(Math.abs(hours)).padStart(2, "0")}:00`;
  return local.replace(".000Z", `${fraction}${offset}`);
}
