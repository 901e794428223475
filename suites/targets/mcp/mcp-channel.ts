import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/** A channel to a server. Closing its transport ends the server immediately. */
export interface McpChannel {
  transport: Transport;
  /** Formats the end of the server's output for people, as part of a sentence. */
  outputTail(): string;
  /** Lets the server end by itself, and kills it if it does not. */
  stop(): Promise<void>;
}
