const beginning = "a server is never asked this: ";

/** A reason for which a vector is skipped whatever the target's owner says or changes. */
export function neverAsked(reason: string): string {
  return beginning + reason;
}

export function isNeverAsked(reason: string): boolean {
  return reason.startsWith(beginning);
}

/** Whether a hook, a credential, an endpoint, an option or a claim would have it asked. */
export function isInYourHands(reason: string): boolean {
  return /^(needs |no endpoint is known|waits for |the hook "|options\.)|\(--[a-z-]+\)/.test(reason);
}
