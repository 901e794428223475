import type { Config } from "../../../schemas/index.ts";

/** Starts the server that a configuration names, if it names one. */
export async function webServerOf(
  { webServer }: Pick<Config, "webServer">,
  signal: AbortSignal,
): Promise<{ close(): void } | undefined> {
  if (webServer === undefined) return undefined;
  const { startWebServer } = await import("./web-server.ts");
  return startWebServer(webServer, signal);
}
