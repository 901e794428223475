import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";

/** A way to a server. Closing its transport ends it at once. */
export interface McpWay {
  transport: Transport;
  /** The end of its printed text for people, as part of a sentence. */
  printed(): string;
  /** Lets it end by itself, and ends it when it does not. */
  stop(): Promise<void>;
}
