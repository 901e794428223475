import type { Arrival, ScenarioContext } from "../../../../schemas/index.ts";

const usualHeaders = ["x-api-key", "api-key", "apikey", "x-apikey", "authorization"];

/** The place of a scheme's token, and whether it is present; the exact token, if it is known. */
export async function tokenOf(
  context: ScenarioContext,
  scheme: "bearer" | "apikey",
  { headers }: Arrival,
): Promise<{ header: string; isThere: boolean }> {
  const { token, header } = await context.hook("secret", { scheme });
  const isRight = (text: string): boolean =>
    typeof token === "string" && token !== "" ? text.includes(token) : text !== "";
  if (scheme === "bearer")
    return {
      header: "Authorization",
      isThere: isRight(/^Bearer +(.*)$/i.exec(headers.authorization ?? "")?.[1] ?? ""),
    };
  const names = typeof header === "string" ? [header.toLowerCase()] : usualHeaders;
  return { header: names.join(", "), isThere: names.some((name) => isRight(headers[name] ?? "")) };
}

/** Whether a push contains a token that would authenticate its holder as the hub. */
export async function carriesToken(
  context: ScenarioContext,
  scheme: "bearer" | "apikey",
  { headers }: Arrival,
): Promise<boolean> {
  const { token } = await context.hook("secret", { scheme });
  const isKnown = typeof token === "string" && token !== "";
  if (isKnown) return Object.values(headers).some((text) => text.includes(token));
  return usualHeaders.some((name) => (headers[name] ?? "") !== "");
}
