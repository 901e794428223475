// All output of the process passes this filter.
let hide = (message: string): string => message;

/** Passes all later output through a hider. Kept in a module of its own, so that a program without secrets need not load the hider. */
export function filterOutput(hider: (message: string) => string): void {
  hide = hider;
}

/** Hides all secrets read so far in a message. */
export function hideSecrets(message: string): string {
  return hide(message);
}
