import type { ScenarioContext } from "../../../../../schemas/index.ts";
import type { ScenarioDraw } from "../../../../running/scenarios/draw.ts";
import type { AskedSession } from "./session.ts";

/** Makes a token that was never issued. */
export function forgeToken(context: ScenarioContext): string {
  return `rpl_${context
    .fresh("forged")
    .replaceAll(/[^A-Za-z0-9]/g, "")
    .slice(0, 60)}`;
}

/** Changes a token in several ways. */
export function mutateToken(token: string): [description: string, token: string][] {
  const newLast = token.endsWith("a") ? "b" : "a";
  const otherCase = token.replace(/[A-Za-z](?=[^A-Za-z]*$)/, (letter) =>
    letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase(),
  );
  return [
    ["a token with another last character", `${token.slice(0, -1)}${newLast}`],
    ["a token in the opposite case", `rpl_${otherCase.slice(4)}`],
    ["a token cut short", token.slice(0, -1)],
    ["a token with a space after it", `${token} `],
  ].filter(([, mutatedToken]) => mutatedToken !== token) as [string, string][];
}

/** Changes one random letter or digit of a token. */
export function alterToken(token: string, draw: ScenarioDraw): string {
  const position = draw.between(4, token.length - 1);
  const otherCharacters = [..."abcxyzABCXYZ0189"].filter(
    (character) => character.toLowerCase() !== token.charAt(position).toLowerCase(),
  );
  return `${token.slice(0, position)}${draw.one(otherCharacters)}${token.slice(position + 1)}`;
}

/** Makes a timestamp some seconds after a question's deadline, as precise as the question's, in a time zone `hours` off UTC. */
export function timestampAfterDeadline({ question }: AskedSession, seconds: number, hours = 0): string {
  const [fraction = ""] = /\.[0-9]+/.exec(String(question.timestamp)) ?? [];
  const askedSeconds = Math.floor(Date.parse(String(question.timestamp)) / 1000);
  const localTime = new Date(
    (askedSeconds + Number(question.timeout_seconds) + seconds + hours * 3600) * 1000,
  ).toISOString();
  const sign = hours < 0 ? "-" : "+";
  const offset = hours === 0 ? "Z" : `${sign}${String(Math.abs(hours)).padStart(2, "0")}:00`;
  return localTime.replace(".000Z", `${fraction}${offset}`);
}
