/** What `touchstone.config.*` may say; command-line options win over it. */
export interface Config {
  $schema?: string;
  /** A protocol, `name@version`, or `all`. */
  protocol?: string;
  target?: TargetConfig;
  only?: string[];
  skip?: string[];
  concurrency?: number;
  /** Milliseconds for one vector. */
  timeout?: number;
  seed?: number;
  /** `FORMAT` or `FORMAT=FILE`. */
  report?: string[];
}

export type TargetConfig =
  | { kind: "module"; file: string }
  | { kind: "command"; command: string }
  | {
      kind: "http";
      url: string;
      headers?: Record<string, string>;
      /** Path per document name, where the server departs from the profile. */
      endpoints?: Record<string, string>;
    }
  | { kind: "reference"; variant?: string };
