import { isObject, type Json, missingNeeds, type ScenarioContext, TargetSkip } from "../../../../../schemas/index.ts";

/** The facts about a producer in the `options` of a configuration. */
export interface ProducerFacts {
  /** The conformance level that it claims. */
  level: number;
  paths: { subscriptions: string; events: string; replies: string; manifest: string };
  isAppendixB: boolean;
  /** The binding for subscribers; if absent, the first available one. */
  binding?: string;
  /** The address of its WebSocket. */
  websocket?: string;
  /** Its Unix socket, and the framing of messages on it. */
  socket?: string;
  framing: "lines" | "length";
  modifiesActions: boolean | undefined;
  /** Others can reach it as well, so that it must authenticate callers. */
  isExposed: boolean;
  languages: readonly string[];
  colliding: readonly string[];
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

export function producerFacts({ setting }: Pick<ScenarioContext, "setting">): ProducerFacts {
  const { options = {} } = setting;
  const isAppendixB = options.preset !== "examples";
  const usual = presets[isAppendixB ? "appendix-b" : "examples"];
  const given = isObject(options.paths) ? options.paths : {};
  const path = (name: keyof typeof usual): string => (typeof given[name] === "string" ? given[name] : usual[name]);
  const { binding, websocket, socket, modified_action: modified, level, framing } = options;
  return {
    level: typeof level === "number" ? level : isAppendixB ? 3 : 2,
    paths: {
      subscriptions: path("subscriptions"),
      events: path("events"),
      replies: path("replies"),
      manifest: path("manifest"),
    },
    isAppendixB,
    ...(typeof binding === "string" ? { binding } : {}),
    ...(typeof websocket === "string" ? { websocket } : {}),
    ...(typeof socket === "string" ? { socket } : {}),
    framing: framing === "length" ? "length" : "lines",
    modifiesActions: typeof modified === "boolean" ? modified : undefined,
    isExposed: options.exposed === true,
    languages: texts(options.languages),
    colliding: texts(options.colliding_extensions),
    actionSeconds: typeof options.action_seconds === "number" ? options.action_seconds : 5,
  };
}

/** Skips requirements that a producer of a lower level does not have. */
export function requireLevel(context: ScenarioContext, level: number): void {
  const { level: claimed } = producerFacts(context);
  if (claimed < level) throw new TargetSkip(`is about level ${level}, and options.level says ${claimed}`);
}

function texts(list: Json | undefined): string[] {
  return Array.isArray(list) ? list.filter((each): each is string => typeof each === "string") : [];
}

/** The skip of a test that needs a producer with several languages. */
export function needsSeveralLanguages(): TargetSkip {
  return new TargetSkip(
    "needs options.languages: the languages of its texts, more than one",
    missingNeeds("options.languages"),
  );
}
