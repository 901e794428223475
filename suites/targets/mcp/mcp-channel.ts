import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/** A channel to a server. Closing its transport ends it immediately. */
export interface McpChannel {
  transport: Transport;
  /** The end of its output for people, as part of a sentence. */
  outputTail(): string;
  /** Lets it end by itself, and kills it if it does not. */
  stop(): Promise<void>;
}
