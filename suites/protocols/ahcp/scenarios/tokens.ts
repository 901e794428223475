import type { Arrival, ScenarioContext } from "../../../../schemas/index.ts";

const usualHeaders = ["x-api-key", "api-key", "apikey", "x-apikey", "authorization"];

/** The header that should contain the scheme's token, and whether it does. If the hook does not return the token, any value counts. */
export async function tokenOf(
  context: ScenarioContext,
  scheme: "bearer" | "apikey",
  { headers }: Arrival,
): Promise<{ header: string; isThere: boolean }> {
  const { token, header } = await context.hook("secret", { scheme });
  const isToken = (value: string): boolean =>
    typeof token === "string" && token !== "" ? value.includes(token) : value !== "";
  if (scheme === "bearer")
    return {
      header: "Authorization",
      isThere: isToken(/^Bearer +(.*)$/i.exec(headers.authorization ?? "")?.[1] ?? ""),
    };
  const names = typeof header === "string" ? [header.toLowerCase()] : usualHeaders;
  return { header: names.join(", "), isThere: names.some((name) => isToken(headers[name] ?? "")) };
}

/** Whether a push contains the token with which the hub authenticates itself. */
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
