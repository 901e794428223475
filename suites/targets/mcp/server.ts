import { isWebAddress } from "../../base/secrets/address.ts";

/** The place of an MCP server: a command line that speaks on stdin and stdout, or an `http(s)` address. */
export interface McpServer {
  server: string;
  /** Sent with every request to an address, and never shown. */
  headers?: Readonly<Record<string, string>>;
}

/** Reports that the server died, or can no longer be understood: the event, and its place. */
export type OnLost = (stage: string, why: string) => void;

/** Bytes that one message, or one body of an answer, may have. */
export const maxMessageLength: number = 16 * 1024 * 1024;

export function isAddress(server: string): boolean {
  return isWebAddress(server);
}
