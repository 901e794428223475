import type { FailOn } from "./fail-on.ts";
import type { Json, JsonObject } from "./json.ts";
import type { AnswerCondition } from "./profile.ts";

/** The content of `touchstone.config.*`. Command-line options take precedence. */
export interface Config {
  $schema?: string;
  /** A protocol, `name@version`, or `all`. */
  protocol?: string;
  target?: TargetConfig;
  only?: string[];
  skip?: string[];
  /** The chosen readings, if the specification contradicts itself, by the names that `list readings` shows. */
  readings?: string[];
  concurrency?: number;
  /** Milliseconds for one vector. */
  timeout?: number;
  seed?: number;
  /** `FORMAT` or `FORMAT=FILE`. */
  report?: string[];
  /** The agents of scenarios, and their credentials. */
  credentials?: { a?: Credential; b?: Credential };
  /** Operations that scenarios need on the target, by name. In a module, a hook may be a function as well. */
  hooks?: Record<string, HookConfig | ((parameters: JsonObject) => JsonObject | Promise<JsonObject>)>;
  /** Further facts about the party that scenarios are played against, by the names of its side in the protocol's profile. */
  options?: JsonObject;
  /** An agent that outcomes are pushed to. */
  agent?: AgentConfig;
  /** The addresses at which scenarios receive callbacks. */
  receiver?: ReceiverConfig;
  /** The keys and tokens of callbacks, instead of the hooks `secret` and `key`. */
  callbackAuth?: CallbackAuth;
  /** How the target is set up for scenarios. */
  profile?: "development" | "production";
  /** Factor on the waits and time limits of scenarios. */
  timeScale?: number;
  /** Seconds that scenarios wait, by the name of the bound. */
  bounds?: Record<string, number>;
  /** Whether the protocol's scenarios are played as well. */
  scenarios?: boolean;
  /** Folder of a vector set other than the built-in one. */
  vectors?: string;
  /** File of the known failures. */
  baseline?: string;
  failOn?: FailOn;
  /** The server under test, which a run or a play starts, awaits and ends. */
  webServer?: WebServerConfig;
  /** Retries of failing vectors, and the causes that excuse different answers. */
  retry?: RetryConfig;
  /** Several targets, by name: the settings of each, in addition to those for all. */
  projects?: Record<string, Omit<Config, "$schema" | "projects">>;
  /** Headers and parameters that identify one request, such as `Idempotency-Key`: their value is fresh for each different request. */
  keys?: string[];
  /** Further answers of an HTTP server that count as refusals, besides those in its description or protocol. */
  refusedWhen?: RefusedWhen | RefusedWhen[];
}

/** A server that a shell starts; the run waits until its address answers, at most `timeout` seconds. With `reuse`, a server that already answers is used. */
export interface WebServerConfig {
  command: string;
  url: string;
  timeout?: number;
  reuse?: boolean;
}

/** The number of retries of a failing vector, and the kinds of causes that excuse a flaky one. */
export interface RetryConfig {
  count: number;
  excuses?: string[];
}

/** Conditions on a refusal, all required: its status (absent: any success), and members of its body by JSON Pointer. */
export interface RefusedWhen extends Partial<AnswerCondition> {}

/** The callback of an agent, the recipient of outcomes (absent: `touchstone-agent`), and the key of its hub. */
export interface AgentConfig {
  url?: string;
  id?: string;
  key: SigningKey;
}

/** The key that a hub signs pushes with; a private key is the seed of RFC 8032, in hex. */
export type SigningKey = { alg: "hmac-sha256"; secret: string } | { alg: "ed25519"; seed: string };

/** The address where the suite listens for callbacks, and the address under which the target reaches it, if different. */
export interface ReceiverConfig {
  host?: string;
  port?: number;
  url?: string;
}

/** Secrets and tokens known to the target, each with the reference that messages use for it. */
export interface CallbackAuth {
  /** With `second`, scenarios can check that each reference has its own secret. */
  hmac?: { reference: string; secret: string; second?: { reference: string; secret: string } };
  bearer?: { reference: string; token: string };
  /** `header` carries the key (absent: any header). */
  apikey?: { reference: string; token: string; header?: string };
  /** Public key, in hex, of a target that signs with its own key. */
  ed25519?: { publicKey: string };
}

/** The credential of an agent: a bearer token, or an API key in the header `X-API-Key`. */
export interface Credential {
  agent: string;
  token?: string;
  apikey?: string;
}

/**
 * An HTTP request or a command for an operation that scenarios need. `{{name}}` in a URL or a body is replaced by a parameter; without a
 * body the parameters are sent as a JSON object, and a command reads them from stdin. The answer is a JSON object.
 */
export type HookConfig =
  | { http: { method?: "GET" | "POST" | "PUT" | "DELETE"; url: string; headers?: Record<string, string>; body?: Json } }
  | { command: string };

export type TargetConfig =
  | { kind: "module"; file: string; claims?: string[] }
  | { kind: "command"; command: string; claims?: string[] }
  | {
      kind: "http";
      url: string;
      /** Its capabilities. They take precedence over the server's own declaration. */
      claims?: string[];
      headers?: Record<string, string>;
      /** Path per document name, if the server departs from the profile. */
      endpoints?: Record<string, string>;
      /** The name of the server as an addressee of messages. */
      identity?: string;
    }
  | {
      kind: "mcp";
      /** A command that speaks MCP on stdin and stdout, or the `http(s)` address of a server. */
      server: string;
      /** Names of the tools that may be called, `*` for all; absent: none. */
      tools?: string[];
      claims?: string[];
      /** Sent with every request to an address. */
      headers?: Record<string, string>;
    }
  | { kind: "reference"; variant?: string }
  /** A party that connects to the suite by itself, or through hooks. */
  | { kind: "hooks" };
