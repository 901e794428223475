import { isWebAddress } from "../../base/secrets/address.ts";

/** Where an MCP server is: a command line that uses stdin and stdout, or an `http(s)` address. */
export interface McpServer {
  server: string;
  /** Sent with every request to an address, and never shown. */
  headers?: Readonly<Record<string, string>>;
}

/** Reports that the server died, or can no longer be understood: the stage, and the reason. */
export type OnLost = (stage: string, why: string) => void;

/** The maximum bytes of one message, or of the body of one answer. */
export const maxMessageLength: number = 16 * 1024 * 1024;

export function isAddress(server: string): boolean {
  return isWebAddress(server);
}
