import { isObject, type Json, missingNeeds, type ScenarioContext, TargetSkip } from "../../../../../schemas/index.ts";

/** Facts about a producer, from the `options` of the configuration. */
export interface ProducerFacts {
  /** The conformance level that it claims. */
  level: number;
  paths: { subscriptions: string; events: string; replies: string; manifest: string };
  isAppendixB: boolean;
  /** The binding for subscribers. If it is absent, the first available one is used. */
  binding?: string;
  /** The address of its WebSocket. */
  websocket?: string;
  /** The path of its Unix socket. */
  socket?: string;
  framing: "lines" | "length";
  modifiesActions: boolean | undefined;
  /** Whether others can reach it as well, so that it must authenticate callers. */
  isExposed: boolean;
  languages: readonly string[];
  collidingExtensions: readonly string[];
  /** The seconds within which it carries out an accepted action. */
  actionSeconds: number;
}

const presets = {
  "appendix-b": {
    subscriptions: "/aaep/v1/subscriptions",
    events: "/aaep/v1/events",
    replies: "/aaep/v1/replies",
    manifest: "/.well-known/aaep-manifest.json",
  },
  examples: {
    subscriptions: "/subscriptions",
    events: "/events",
    replies: "/messages",
    manifest: "/.well-known/aaep-manifest.json",
  },
};

export function readProducerFacts({ setting }: Pick<ScenarioContext, "setting">): ProducerFacts {
  const { options = {} } = setting;
  const isAppendixB = options.preset !== "examples";
  const defaultPaths = presets[isAppendixB ? "appendix-b" : "examples"];
  const defaultLevel = isAppendixB ? 3 : 2;
  const givenPaths = isObject(options.paths) ? options.paths : {};
  const pathOf = (name: keyof typeof defaultPaths): string =>
    typeof givenPaths[name] === "string" ? givenPaths[name] : defaultPaths[name];
  const { binding, websocket, socket, modified_action: modifiesActions, level, framing } = options;
  return {
    level: typeof level === "number" ? level : defaultLevel,
    paths: {
      subscriptions: pathOf("subscriptions"),
      events: pathOf("events"),
      replies: pathOf("replies"),
      manifest: pathOf("manifest"),
    },
    isAppendixB,
    ...(typeof binding === "string" ? { binding } : {}),
    ...(typeof websocket === "string" ? { websocket } : {}),
    ...(typeof socket === "string" ? { socket } : {}),
    framing: framing === "length" ? "length" : "lines",
    modifiesActions: typeof modifiesActions === "boolean" ? modifiesActions : undefined,
    isExposed: options.exposed === true,
    languages: textsIn(options.languages),
    collidingExtensions: textsIn(options.colliding_extensions),
    actionSeconds: typeof options.action_seconds === "number" ? options.action_seconds : 5,
  };
}

/** Skips a scenario if the producer claims a lower level. */
export function requireLevel(context: ScenarioContext, level: number): void {
  const { level: claimedLevel } = readProducerFacts(context);
  if (claimedLevel < level) throw new TargetSkip(`is about level ${level}, and options.level is ${claimedLevel}`);
}

function textsIn(list: Json | undefined): string[] {
  return Array.isArray(list) ? list.filter((item): item is string => typeof item === "string") : [];
}

/** Makes the skip of a scenario that needs a producer with several languages. */
export function makeLanguagesSkip(): TargetSkip {
  return new TargetSkip(
    "needs options.languages: the languages of its texts, more than one",
    missingNeeds("options.languages"),
  );
}
