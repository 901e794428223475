import { hookAnswer, missingNeeds, type Need, type Setting, TargetSkip } from "../../../schemas/index.ts";

/** Returns the needs that a setting does not meet. */
export function unmetNeeds(needs: readonly Need[], setting: Setting): Need[] {
  const { credentials, hooks = {}, profile = "development", receiver, url, command } = setting;
  const isMet = (need: Need): boolean => {
    switch (need) {
      case "credential":
        return credentials?.a !== undefined;
      case "second-credential":
        return credentials?.a !== undefined && credentials.b !== undefined;
      case "url":
        return url !== undefined;
      case "command":
        return command !== undefined;
      case "receiver":
        return receiver?.url !== undefined || url === undefined || isLocal(url);
      case "development":
      case "production":
        return profile === need || hooks.profile !== undefined;
      default:
        return hooks[need] !== undefined;
    }
  };
  return needs.filter((need) => !isMet(need));
}

/** Creates the skip for a hook that is not configured. */
export function hookMissing(hook: string): TargetSkip {
  return new TargetSkip(`needs the hook "${hook}", which is not given`, missingNeeds(hook));
}

/** Creates the skip for a target without an address. */
export function addressMissing(): TargetSkip {
  return new TargetSkip("needs the address of the target (a url)", missingNeeds("url"));
}

/** Creates the skip for a hook that declines, with the reason that it stated. */
export function hookDeclines(hook: string, targetReason: string): TargetSkip {
  return new TargetSkip(`the hook "${hook}" cannot: ${targetReason}`, hookAnswer(hook));
}

/** Whether the target is on this machine, so that it can reach our listeners. */
function isLocal(url: string): boolean {
  const { hostname } = new URL(url);
  return hostname === "localhost" || hostname === "[::1]" || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Describes a need in plain words. */
export function describeNeed(need: string): string {
  const needNames: Record<string, string> = {
    credential: "the credential of an agent",
    "second-credential": "the credentials of two agents",
    development: "a target in its development profile",
    production: "a target in its production profile",
    secret: 'callbackAuth, or the hook "secret"',
    key: 'the hook "key", or callbackAuth',
    receiver: "a receiver of callbacks that the target reaches (a url)",
    url: "the address of a party that listens (--http)",
    command: "a command that starts it (--command)",
  };
  return needNames[need] ?? `the hook "${need}"`;
}
