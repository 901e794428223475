import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/** A connection to a server. Closing its transport ends it at once. */
export interface McpWay {
  transport: Transport;
  /** The end of its output for people, as part of a sentence. */
  printed(): string;
  /** Lets it end by itself, and kills it if it does not. */
  stop(): Promise<void>;
}
